#include "base/executable.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

#include "base/diagnostics.h"

namespace heddle {
namespace {

// The kernel adds this to the path when the file was replaced while it runs.
constexpr std::string_view kReplaced = " (deleted)";

}  // namespace

std::filesystem::path executable_path() {
  std::error_code failed;
  if (std::string path = std::filesystem::read_symlink("/proc/self/exe", failed); !failed) {
    if (path.ends_with(kReplaced)) path.resize(path.size() - kReplaced.size());
    return path;
  }
  // The kernel passes the name to every process; it is relative to the first working directory.
  if (const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN)))
    if (auto path = std::filesystem::canonical(name, failed); !failed) return path;
  throw UserError("the place of the running executable is unknown, because /proc is not mounted");
}

std::string find_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (std::filesystem::path(folder.empty() ? "." : folder) / name);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(candidate, ignored) &&
        access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return {};
}

}  // namespace heddle
