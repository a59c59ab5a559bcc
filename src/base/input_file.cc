#include "base/input_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/diagnostics.h"

namespace heddle {

std::string read_file(const std::string& path) {
  const auto fail = [&path] {
    throw UserError("cannot read " + path + ": " + std::strerror(errno));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen(path.c_str(), "rb"),
                                                             &std::fclose};
  if (!file) fail();
  std::string text;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get()))
    text.append(block, got);
  if (std::ferror(file.get())) fail();
  return text;
}

}  // namespace heddle
