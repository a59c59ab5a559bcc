#include "config/preset_folder.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/executable.h"
#include "config/config.h"

namespace heddle::config {
namespace fs = std::filesystem;

std::string data_folder(const std::string& name) {
  std::error_code ignored;
  const fs::path bin = executable_path().parent_path();
  std::vector<fs::path> places{bin / "../share/heddle" / name, bin / "../.." / name};
  // In the process of a program the installation is that of the runtime library.
  if (Dl_info own{}; ::dladdr(reinterpret_cast<const void*>(&data_folder), &own) != 0) {
    const fs::path lib = fs::path(own.dli_fname).parent_path();
    places.push_back(lib / "../share/heddle" / name);
    places.push_back(lib / "../../share/heddle" / name);
  }
#ifdef HEDDLE_SOURCE_FOLDER
  places.push_back(fs::path(HEDDLE_SOURCE_FOLDER) / name);
#endif
  for (const fs::path& place : places)
    if (fs::is_directory(place, ignored)) return place.lexically_normal().string();
  return {};
}

std::string preset_path(const std::string& name) {
  const std::string folder = data_folder("presets");
  if (folder.empty() || name.empty() || name.find('/') != std::string::npos) return {};
  const fs::path path = fs::path(folder) / (name + ".toml");
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) ? path.string() : std::string{};
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  const std::string folder = data_folder("presets");
  if (folder.empty()) return names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle::config
