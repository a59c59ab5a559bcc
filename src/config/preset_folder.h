// The folder of the presets: relative to the executable or to the runtime library, in an
// installation or a build tree, or in the source tree.
#pragma once

#include <string>

namespace heddle::config {

// The file of a preset; empty when there is no such preset.
std::string preset_path(const std::string& name);
// A folder of Heddle's data ("presets", "workloads"); empty when it does not exist.
std::string data_folder(const std::string& name);

}  // namespace heddle::config
