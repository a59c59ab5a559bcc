// Files that programs name in calls of the driver API.
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace heddle::cuda {

// Nothing when the file cannot be read.
inline std::optional<std::string> file_bytes(const char* path) {
  if (!path) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return in.bad() ? std::nullopt : std::optional(std::move(bytes));
}

}  // namespace heddle::cuda
