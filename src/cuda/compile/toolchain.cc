#include "cuda/compile/toolchain.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/diagnostics.h"
#include "base/executable.h"

namespace heddle::cuda {

namespace fs = std::filesystem;

namespace {

fs::path find_clang() {
  if (const char* chosen = std::getenv("HEDDLE_CLANG"); chosen && *chosen) {
    if (!fs::exists(chosen))
      throw UserError(std::string("HEDDLE_CLANG names ") + chosen + ", which does not exist");
    return chosen;
  }
  if (std::string found = find_in_path("clang++-19"); !found.empty()) return found;
  throw UserError(
      "heddle cc needs clang 19 and did not find clang++-19; on Debian 12: apt-get install "
      "clang-19");
}

fs::path require(const fs::path& path, const char* what) {
  if (!fs::exists(path))
    throw UserError(path.string() + " is missing: " + what +
                    " must be installed with the heddle executable");
  return path;
}

// Without a folder that can be written, headers are not kept.
fs::path find_header_cache(const fs::path& prefix) {
  const char* chosen = std::getenv("HEDDLE_HEADER_CACHE");
  const fs::path folder = chosen ? fs::path(chosen) : prefix / "lib" / "heddle" / "headers";
  std::error_code ignored;
  if (chosen && *chosen) fs::create_directories(folder, ignored);
  return access(folder.c_str(), W_OK | X_OK) == 0 ? folder : fs::path();
}

}  // namespace

Toolchain find_toolchain() {
  const fs::path prefix = executable_path().parent_path().parent_path();
  Toolchain tools;
  tools.clang = find_clang();
  tools.include = require(prefix / "include" / "heddle-cuda", "the CUDA headers");
  tools.bitcode = require(prefix / "lib" / "heddle" / "device_math.bc", "the device mathematics");
  tools.library = prefix / "lib";
  tools.headers = find_header_cache(prefix);
  tools.openmp =
      fs::exists(fs::canonical(tools.clang).parent_path().parent_path() / "lib" / "libomp.so");
  return tools;
}

}  // namespace heddle::cuda
