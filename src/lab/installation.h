// The places of Heddle's files, relative to its executable.
#pragma once

#include <string>

namespace heddle::lab {

// The folder of the runtime library. Throws UserError when it is missing.
std::string library_folder();
// The file of the runtime library. Throws UserError when it is missing.
std::string runtime_library();

// The folder with the layout of a CUDA toolkit; empty when it is missing.
std::string toolkit_folder();

// The program that runs captured programs. Throws UserError when it is missing.
std::string replay_program();

// The folder of the compiled workloads. Throws UserError when it is missing.
std::string programs_folder();
// The folder of the studies and papers. Throws UserError when it is missing.
std::string experiments_folder();

}  // namespace heddle::lab
