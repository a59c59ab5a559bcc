// GPUs for programs that were compiled for newer ones than the default.
#pragma once

#include <string>

#include "lab/run.h"

namespace heddle::cli {

// The compute capability for which a file has code, times ten; of several the highest; 0: unknown.
// program: an executable, or the description of a kernel without a host program.
int capability_of(const std::string& program);

// For a functional run without --gpu, whose time does not matter: the GPU of the request becomes a
// preset of the program's capability when that is newer than the one that heddle cc compiles for.
// Returns what to print.
std::string choose_functional_gpu(lab::RunRequest& request);
// For a program that has failed: a preset of its capability, when the request's GPU is older; else
// empty.
std::string newer_gpu_hint(const lab::RunRequest& request);

}  // namespace heddle::cli
