// The file with the launches of a run that have ended, an element of "kernels" in each line. The
// process writes it beside its results while it simulates.
#pragma once

#include <sys/types.h>

#include <string>

namespace heddle::gpu {

// A program may have several processes.
inline std::string launch_lines_prefix(const std::string& result_path) {
  return result_path + ".launches.";
}
inline std::string launch_lines_path(const std::string& result_path, pid_t process) {
  return launch_lines_prefix(result_path) + std::to_string(process);
}
// In the results: the process whose launches they are the totals of.
inline constexpr const char* kLaunchesProcess = "launches_process";
// In a line: KernelResult::repeated, for totals that are made of the lines.
inline constexpr const char* kRepeatedCycles = "repeated_cycles";

}  // namespace heddle::gpu
