// --gpu-code: machine code of the PTX, by the user's own ptxas and fatbinary.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cuda/compile/process.h"

namespace heddle::cuda {

// A program of NVIDIA's toolkit, in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin. UserError when it
// is in none of them.
std::filesystem::path find_cuda_tool(const std::string& name);

// A fat binary with the PTX and with its machine code for each architecture (80 for sm_80). Files
// are written to `folder`. Empty when the commands are only printed. UserError when a program is
// missing or fails; it prints why.
std::string fat_binary_of(const std::string& ptx, int ptx_architecture,
                          const std::vector<int>& architectures, const CommandRunner& commands,
                          const std::filesystem::path& folder);

}  // namespace heddle::cuda
