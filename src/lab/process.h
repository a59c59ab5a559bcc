// Child processes, which are started, waited for and interrupted as a group.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "base/temporary_folder.h"

namespace heddle::lab {

struct Command {
  std::vector<std::string> arguments;              // arguments[0] is the file to start
  std::map<std::string, std::string> environment;  // added to that of this process
  std::string stdout_path, stderr_path;            // files for its output; empty: inherited
  std::string folder = {};                         // where it runs; empty: that of this process
};

struct Ending {
  int exit_code = 0;  // when signal is 0
  int signal = 0;
};

// Of a child and the processes that it waited for.
struct ResourceUse {
  double user_seconds = 0;  // user and system time
  std::uint64_t peak_memory_bytes = 0;
};

// While this object exists, the process does not end by SIGINT and SIGTERM. It passes the first
// signal to its children; the second signal kills them. A second signal shortly after the first is
// ignored, because `timeout` signals a program and then its whole group.
class ProcessGroup {
 public:
  ProcessGroup();
  ~ProcessGroup();  // children that still run are killed
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  pid_t start(const Command& command);  // throws UserError when it cannot start
  struct Ended {
    pid_t pid;
    Ending ending;
    ResourceUse use;
  };
  Ended wait_any();  // at least one child must be running
  // The same, but returns nothing after `limit`, or when a signal arrived.
  std::optional<Ended> wait_any_for(std::chrono::milliseconds limit);
  void kill_child(pid_t child) const;  // by SIGKILL; wait_any() still returns it
  int running() const { return static_cast<int>(children_.size()); }
  // The first signal that this process received, or 0.
  int interrupted() const { return interrupted_; }

 private:
  std::optional<Ended> ended_child();
  void take_signal(int signal);

  std::vector<pid_t> children_;
  int interrupted_ = 0;
  std::chrono::steady_clock::time_point interrupted_at_;
  sigset_t awaited_, previous_;
};

// "exit code 3", "killed by signal 11 (Segmentation fault)".
std::string describe(const Ending& ending);

std::string host_name();

std::string read_file(const std::string& path);  // empty when there is no such file
// Creates the folder if it is missing. Throws UserError when it is not writable, so that the error
// comes before a long run.
void require_writable_folder(const std::string& folder);
// The same for the folder of a file that will be written, and for a folder in the file's place.
void require_writable_file(const std::string& path);
using heddle::write_file_atomically;

}  // namespace heddle::lab
