// Where the presets lie: beside the build tree's executable, beside an installed one, or in the
// source tree it was built from.
#pragma once

#include <string>

namespace heddle::config {

// The file of a preset; empty when there is none of that name.
std::string preset_path(const std::string& name);
// A folder of Heddle's own data ("presets", "workloads"); empty when it cannot be found.
std::string data_folder(const std::string& name);

}  // namespace heddle::config
