#include "cli/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "base/diagnostics.h"

namespace heddle::cli {
namespace {

// An earlier write may have failed, too, for a reason that is lost.
bool written(std::ostream& stream, std::FILE* file, std::string& reason) {
  errno = 0;
  const bool good = !stream.flush().fail();
  const bool all = std::fflush(file) == 0 && std::ferror(file) == 0 && good;
  if (!all && errno != 0) reason = std::string(": ") + std::strerror(errno);
  return all;
}

}  // namespace

int finish_streams(int exit_code) {
  std::string reason;
  const bool output = written(std::cout, stdout, reason);
  std::string ignored;
  const bool errors = written(std::cerr, stderr, ignored);
  if (output && errors) return exit_code;
  if (!output)
    std::fprintf(stderr, "heddle: error: cannot write standard output%s\n", reason.c_str());
  return exit_code ? exit_code : static_cast<int>(ExitCode::usage);
}

}  // namespace heddle::cli
