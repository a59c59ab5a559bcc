// Child processes, which are started, waited for and interrupted as a group.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/run_control.h"

namespace heddle {

// exit codes from here on name a signal
inline constexpr int kKilledBySignal = 128;

// A signal ended the work of this process; its children have ended.
struct Interruption {
  int signal = 0;
};

struct ChildCommand {
  std::vector<std::string> arguments;  // arguments[0] is the file to start; looked up in PATH
                                       // when it has no slash
  std::map<std::string, std::string> environment;  // added to that of this process
  std::string stdout_path, stderr_path;            // files for its output; empty: inherited
  std::string folder = {};                         // where it runs; empty: that of this process
  std::shared_ptr<const Descriptor> input = {};    // its standard input; null: inherited
  std::string control = {};  // the file of its run control (run_control.h); empty: it has none
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

// While this object exists, the process does not end by SIGINT, SIGTERM and SIGHUP (which `nohup`
// ignores). The first signal asks the children to end: through their run control and by the same
// signal. A child with a run control ends by it after the grace for handlers even if it handles the
// signal itself. Children that still run after the next grace are killed, as they are by a second
// signal. A second signal shortly after the first is ignored, because `timeout` signals a program
// and then its whole group.
//
// A child is killed when this process ends by SIGKILL. It must be started by the main thread.
class ProcessGroup {
 public:
  struct Grace {
    std::chrono::milliseconds handler{2000}, kill{5000}, kill_without_control{10000};
  };

  ProcessGroup();
  explicit ProcessGroup(const Grace& grace);
  ~ProcessGroup();  // children that still run are killed
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  pid_t start(const ChildCommand& command);  // throws UserError when it cannot start
  struct Ended {
    pid_t pid;
    Ending ending;
    ResourceUse use;
    // Processes of the child that used the device, and those that launched kernels.
    std::uint32_t users = 0, launching_users = 0;
  };
  // At least one child must be running. A child has ended when the processes that it started and
  // that use the device have, too.
  Ended wait_any();
  // The same, but returns nothing after `limit`, or earlier.
  std::optional<Ended> wait_any_for(std::chrono::milliseconds limit);
  void kill_child(pid_t child) const;  // by SIGKILL; wait_any() still returns it
  int running() const { return static_cast<int>(children_.size()); }
  // The first signal that this process received, or 0.
  int interrupted() const { return interrupted_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Child {
    pid_t pid = 0;
    std::unique_ptr<RunControl> control;
    std::optional<Ended> ended;  // processes that it started may still use the device
  };

  std::optional<Ended> ended_child();
  void take_signal(int signal, const siginfo_t& info);
  void ask(const Child& child, const siginfo_t& info) const;
  void enforce_grace();
  std::chrono::milliseconds until_next_check() const;
  static void kill(const Child& child);

  const Grace grace_;
  std::vector<Child> children_;
  int interrupted_ = 0;
  Clock::time_point interrupted_at_;
  bool insisted_ = false;  // the grace for handlers has passed
  sigset_t awaited_, previous_;
};

// "exit code 3", "killed by signal 11 (Segmentation fault)".
std::string describe(const Ending& ending);

}  // namespace heddle
