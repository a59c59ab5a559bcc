#include "base/executable.h"

#include <sys/auxv.h>

#include <string>
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

}  // namespace heddle
