#include "cuda/compile/toolchain.h"

#include <cstdlib>
#include <sstream>
#include <string>

#include "base/diagnostics.h"

namespace heddle::cuda {

namespace fs = std::filesystem;

namespace {

fs::path find_clang() {
  if (const char* chosen = std::getenv("HEDDLE_CLANG"); chosen && *chosen) {
    if (!fs::exists(chosen))
      throw UserError(std::string("HEDDLE_CLANG names ") + chosen + ", which does not exist");
    return chosen;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / "clang++-19";
    if (!folder.empty() && fs::exists(candidate)) return candidate;
  }
  throw UserError(
      "heddle cc needs clang 19 and did not find clang++-19; on Debian 12: apt install clang-19 "
      "libclc-19");
}

fs::path require(const fs::path& path, const char* what) {
  if (!fs::exists(path))
    throw UserError(path.string() + " is missing: " + what +
                    " must be installed with the heddle executable");
  return path;
}

}  // namespace

Toolchain find_toolchain() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  Toolchain tools;
  tools.clang = find_clang();
  tools.include = require(prefix / "include" / "heddle-cuda", "the CUDA headers");
  tools.bitcode = require(prefix / "lib" / "heddle" / "device_math.bc", "the device mathematics");
  tools.library = prefix / "lib";
  tools.openmp =
      fs::exists(fs::canonical(tools.clang).parent_path().parent_path() / "lib" / "libomp.so");
  return tools;
}

}  // namespace heddle::cuda
