// Child processes: started, waited for together, interrupted together.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace heddle::lab {

struct Command {
  std::vector<std::string> arguments;              // arguments[0] is the file to start
  std::map<std::string, std::string> environment;  // added to ours
  std::string stdout_path, stderr_path;            // files that take the output; empty: ours
};

struct Ending {
  int exit_code = 0;  // when signal is 0
  int signal = 0;
};

// While it lives, this process takes SIGINT and SIGTERM from a queue instead of dying by them, and
// passes the first to its children; the second kills them, unless it comes at once: `timeout`
// signals a program and then its whole group.
class ProcessGroup {
 public:
  ProcessGroup();
  ~ProcessGroup();  // children that still run are killed
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  pid_t start(const Command& command);  // UserError when it cannot be started
  struct Ended {
    pid_t pid;
    Ending ending;
  };
  Ended wait_any();  // at least one must be running
  int running() const { return static_cast<int>(children_.size()); }
  // The first signal that came, or 0.
  int interrupted() const { return interrupted_; }

 private:
  std::vector<pid_t> children_;
  int interrupted_ = 0;
  std::chrono::steady_clock::time_point interrupted_at_;
  sigset_t awaited_, previous_;
};

// "exit code 3", "killed by signal 11 (Segmentation fault)".
std::string describe(const Ending& ending);

// A private folder that disappears with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string read_file(const std::string& path);  // empty when there is none
// Makes the folder where it is missing. UserError when no file can be written into it: better
// before a long run than after it.
void require_writable_folder(const std::string& folder);
// Whole or not at all: written beside, then renamed. Makes the folders on the way.
void write_file_atomically(const std::string& path, const std::string& text);

}  // namespace heddle::lab
