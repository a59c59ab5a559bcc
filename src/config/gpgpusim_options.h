// The options of a configuration of GPGPU-Sim 4.x.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace heddle::config {

struct GpgpuSimOption {
  std::string text;  // its value, without quotes and the spaces inside them
  SourceLocation where;
};
using GpgpuSimOptions = std::map<std::string, GpgpuSimOption>;

// Words: an option, which begins with '-', and its value, of which quotes join several words. '#'
// starts a comment, as "//" does at the beginning of a line. The last of several values counts.
// Throws UserError with the line.
GpgpuSimOptions read_gpgpu_sim_options(const std::string& path);

// The lines NAME = VALUE; of a network's file (Intersim).
GpgpuSimOptions read_intersim_options(const std::string& path);

// The parts between the separators, at least one.
std::vector<std::string> split(std::string_view text, std::string_view separators);

// Which of the files of GPGPU-Sim a file is, by the first line that is no comment: gpgpusim.config,
// trace.config of Accel-Sim, or the network's.
enum class GpgpuSimFile { other, options, trace_options, network };
GpgpuSimFile gpgpu_sim_file(const std::string& path);

}  // namespace heddle::config
