#include "lab/installation.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/diagnostics.h"
#include "base/executable.h"

namespace heddle::lab {
namespace fs = std::filesystem;

std::string library_folder() {
  std::error_code ignored;
  const fs::path bin = executable_path().parent_path();
  for (const fs::path& folder : {bin / "../lib", bin / "../lib/heddle"})
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().filename().string().starts_with("libcudart.so"))
        return folder.lexically_normal().string();
  throw UserError("there is no runtime library (libcudart.so) near " + bin.string() +
                  "; build everything first (ninja -C build)");
}

std::string runtime_library() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(library_folder()))
    if (entry.path().filename().string().starts_with("libcudart.so"))
      found.push_back(entry.path().string());
  return *std::min_element(found.begin(),
                           found.end());  // all names are links to one file
}

std::string toolkit_folder() {
  std::error_code ignored;
  for (const char* const place : {"heddle/toolkit", "toolkit"})
    if (const fs::path folder = fs::path(library_folder()) / place; fs::exists(folder, ignored))
      return folder.string();
  return {};
}

std::string replay_program() {
  std::error_code ignored;
  for (const char* const place : {"heddle/heddle-replay", "heddle-replay"})
    if (const fs::path file = fs::path(library_folder()) / place; fs::exists(file, ignored))
      return file.string();
  throw UserError("there is no heddle-replay near " + library_folder() +
                  "; build everything first (ninja -C build)");
}

std::string experiments_folder() {
  std::error_code ignored;
  const fs::path bin = executable_path().parent_path();
  for (const fs::path& folder : {bin / "../../experiments", bin / "../share/heddle/experiments"})
    if (fs::is_directory(folder, ignored)) return folder.lexically_normal().string();
  throw UserError("there are no experiments near " + bin.string() +
                  "; give their folder with --experiments DIR");
}

std::string programs_folder() {
  std::error_code ignored;
  const fs::path bin = executable_path().parent_path();
  for (const fs::path& folder : {bin / "../workloads", bin / "../share/heddle/programs"})
    if (fs::is_directory(folder, ignored)) return folder.lexically_normal().string();
  throw UserError("there are no compiled workloads near " + bin.string() +
                  "; give their folder with --programs DIR");
}

}  // namespace heddle::lab
