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

}  // namespace heddle::cuda
