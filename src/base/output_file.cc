#include "base/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/diagnostics.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWaiting = std::size_t{1} << 16;  // bytes of one write
constexpr int kNames = 1000;                            // temporary names that are tried

// Standard output under its name is a regular file or a pipe: it is written, never renamed.
bool is_descriptor(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

}  // namespace

bool is_special_file(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_directory(status) &&
         (is_descriptor(path) || !fs::is_regular_file(status));
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw UserError("cannot write " + path + ": it is a folder");
  if (is_special_file(path)) {
    file_ = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    if (file_ < 0) fail(errno);
    return;
  }
  if (fs::is_symlink(path, ignored))
    if (const fs::path real = fs::canonical(path, ignored); !ignored) target_ = real.string();
  create_temporary();
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

// O_EXCL: a file of the user's is never overwritten.
void OutputFile::create_temporary() {
  const std::string stem = target_ + "." + std::to_string(::getpid());
  for (int i = 0; i < kNames && file_ < 0; ++i) {
    const std::string name = stem + (i ? "-" + std::to_string(i) : "") + ".part";
    file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0) part_ = name;
    if (file_ < 0 && errno != EEXIST) fail(errno);
  }
  if (file_ < 0) fail(EEXIST);
}

void OutputFile::write(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= kWaiting) flush();
}

void OutputFile::flush() {
  for (std::size_t done = 0; done < waiting_.size();) {
    const ssize_t wrote = ::write(file_, waiting_.data() + done, waiting_.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail(errno);
    done += static_cast<std::size_t>(wrote);
  }
  waiting_.clear();
}

void OutputFile::commit() {
  flush();
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) fail(errno);
  if (part_.empty()) return;
  if (std::rename(part_.c_str(), target_.c_str()) != 0) fail(errno);
  part_.clear();
}

void OutputFile::fail(int error) const {
  throw UserError("cannot write " + path_ + ": " + std::strerror(error));
}

void write_file_atomically(const std::string& path, std::string_view text) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error)
    throw UserError("cannot create the folder " + folder.string() + ": " + error.message());
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace heddle
