#include "cuda/process/result_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/diagnostics.h"
#include "base/output_file.h"

namespace heddle::cuda {
namespace {

[[noreturn]] void fail(const std::string& act, const std::string& path, int error) {
  throw UserError("cannot " + act + " " + path + ": " + std::strerror(error));
}

}  // namespace

void write_atomically(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen(path.c_str(), "rb"),
                                                             &std::fclose};
  if (!file) fail("read", path, errno);
  std::string text;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get()))
    text.append(block, got);
  if (std::ferror(file.get())) fail("read", path, errno);
  return text;
}

}  // namespace heddle::cuda
