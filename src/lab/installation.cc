#include "lab/installation.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace fs = std::filesystem;

std::string library_folder() {
  std::error_code ignored;
  const fs::path bin = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {bin / "../lib", bin / "../lib/heddle"})
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().filename().string().starts_with("libcudart.so"))
        return folder.lexically_normal().string();
  throw UserError("Heddle's CUDA runtime (libcudart.so) is not beside " + bin.string() +
                  "; build everything first (ninja -C build)");
}

std::string runtime_library() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(library_folder()))
    if (entry.path().filename().string().starts_with("libcudart.so"))
      found.push_back(entry.path().string());
  return *std::min_element(found.begin(),
                           found.end());  // the shortest name: links to the same file
}

std::string programs_folder() {
  std::error_code ignored;
  const fs::path bin = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {bin / "../workloads", bin / "../share/heddle/programs"})
    if (fs::is_directory(folder, ignored)) return folder.lexically_normal().string();
  throw UserError("the compiled workloads are not beside " + bin.string() +
                  "; say where with --programs DIR");
}

}  // namespace heddle::lab
