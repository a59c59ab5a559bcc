// Reading GPUs: presets, files, overrides, and the list of all parameters.
#pragma once

#include <string>
#include <vector>

#include "config/gpu_spec.h"

namespace heddle::config {

struct GpuParameterInfo {
  std::string key;    // "sm.l1d.size"
  std::string unit;   // "bytes", "cycles", "" ...
  std::string range;  // the allowed values, in words
  std::string value;  // of the GPU in question
  std::string meaning;
  std::string source;  // of the default: a file, a paper, an assumption
};

// Reads a preset ("gtx480") or a TOML file, then applies overrides "key=value". base = "gtx480" in
// a file starts from that GPU. Throws UserError with the place and the nearest key or the allowed
// values.
GpuSpec load_gpu(const std::string& name_or_path, const std::vector<std::string>& overrides = {});
std::vector<std::string> preset_names();
std::string preset_title(const std::string& name);  // one line from the file's `title`
std::vector<GpuParameterInfo> list_parameters(const GpuSpec& values);
// The effective configuration: every parameter, TOML, canonical order; and its hash (16 hex
// digits).
std::string to_toml(const GpuSpec& gpu);
// A GPU file that starts from a preset: what differs from it.
std::string to_toml(const GpuSpec& gpu, const std::string& base);
std::string hash(const GpuSpec& gpu);

}  // namespace heddle::config
