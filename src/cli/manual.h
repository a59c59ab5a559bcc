// Manual pages in roff, from the description of the command line.
#pragma once

#include <string>

#include "cli/command_description.h"

namespace heddle::cli {

// heddle.1, or heddle-run.1 for `heddle run`.
std::string manual_file(const CommandDescription& command);
std::string manual_page(const CommandDescription& command);

}  // namespace heddle::cli
