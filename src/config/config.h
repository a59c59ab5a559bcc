// Reading GPUs: presets, files, overrides, and the list of all parameters.
#pragma once

#include <string>
#include <vector>

#include "config/gpu_spec.h"

namespace heddle::config {

struct ParameterInfo {
  std::string key;    // "sm.l1d.size"
  std::string unit;   // "bytes", "cycles", "" ...
  std::string range;  // what is allowed, in words
  std::string value;  // default, or the value of the GPU asked about
  std::string meaning;
  std::string source;  // where the default comes from
};

// A preset's name ("gtx480") or a path of a TOML file, then overrides "key=value". UserError names
// the place, the unknown key with its nearest neighbours, or the impossible value with what is
// allowed. base = "gtx480" in a file starts from that GPU.
GpuSpec load_gpu(const std::string& name_or_path, const std::vector<std::string>& overrides = {});
std::vector<std::string> preset_names();
std::string preset_title(const std::string& name);  // one line from the file's `title`
std::vector<ParameterInfo> list_parameters(const GpuSpec& values);
// The effective configuration: every parameter, TOML, canonical order; and its hash (16 hex
// digits).
std::string to_toml(const GpuSpec& gpu);
std::string hash(const GpuSpec& gpu);

}  // namespace heddle::config
