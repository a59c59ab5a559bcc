// Running one command and waiting for it, without a shell.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

using Command = std::vector<std::string>;

// The command as a person would type it.
std::string shown(const Command& command);

// Runs it with our standard streams; `errors` names a file for its standard error instead. Returns
// its exit status; 128 + signal when a signal ended it. Throws UserError when it cannot be started.
int run(const Command& command, const std::string& errors = {});

}  // namespace heddle::cuda
