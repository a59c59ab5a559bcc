#include "lab/process.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void require_writable_folder(const std::string& folder) {
  const std::string probe = folder + "/.heddle." + std::to_string(getpid());
  write_file_atomically(probe, "a test of Heddle\n");
  std::error_code ignored;
  fs::remove(probe, ignored);
}

void require_writable_file(const std::string& path) {
  if (fs::is_directory(path)) throw UserError("cannot write " + path + ": it is a folder");
  const fs::path folder = fs::path(path).parent_path();
  require_writable_folder(folder.empty() ? "." : folder.string());
}

void write_file_atomically(const std::string& path, const std::string& text) {
  const fs::path target(path);
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  if (error)
    throw UserError("cannot create the folder " + target.parent_path().string() + ": " +
                    error.message());
  const std::string part = path + "." + std::to_string(getpid()) + ".part";
  errno = 0;
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  const int reason = errno;
  if (file) fs::rename(part, target, error);
  if (file && !error) return;
  const std::string why = error ? error.message() : std::strerror(reason);
  fs::remove(part, error);
  throw UserError("cannot write " + path + ": " + why);
}

}  // namespace heddle::lab
