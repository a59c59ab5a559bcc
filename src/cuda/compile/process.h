// Running one command and waiting for it, without a shell.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

using Command = std::vector<std::string>;

// The command as it is typed in a shell.
std::string shown(const Command& command);

// Runs the command with the standard streams of this process. errors: a file for its stderr, unless
// empty. Returns its exit status, or 128 + signal when a signal ended it. UserError when it cannot
// be started; Interruption when a signal was sent to this process meanwhile.
int run(const Command& command, const std::string& errors = {});

// Runs the commands of one heddle cc. verbose: prints each before it runs. dry: prints them as nvcc
// does and runs none.
class CommandRunner {
 public:
  CommandRunner(bool verbose, bool dry) : verbose_(verbose), dry_(dry) {}

  // The exit status, as of run().
  int status_of(const Command& command, const std::string& errors = {}) const;
  bool execute(const Command& command) const { return status_of(command) == 0; }

 private:
  bool verbose_, dry_;
};

}  // namespace heddle::cuda
