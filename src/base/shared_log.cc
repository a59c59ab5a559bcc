#include "base/shared_log.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/diagnostics.h"

namespace heddle {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 15;  // a multiple of the size of a page

}  // namespace

SharedLog::SharedLog(std::string path) : path_(std::move(path)) {}

SharedLog::~SharedLog() {
  if (window_) ::munmap(window_, kWindowBytes);
}

void SharedLog::append(std::string_view text) {
  while (!text.empty()) {
    if (!window_ || used_ == kWindowBytes) next_window();
    const std::size_t part = std::min(text.size(), kWindowBytes - used_);
    std::memcpy(window_ + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
  }
}

void SharedLog::next_window() {
  const auto begin = static_cast<off_t>(windows_ * kWindowBytes);
  const auto bytes = static_cast<off_t>(kWindowBytes);
  const Descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  // Reserved, not only sized: storing in a page that a full disk has no block for is a SIGBUS.
  int error = file.is_open() ? ::posix_fallocate(file.number(), begin, bytes) : errno;
  void* window = MAP_FAILED;
  if (error == 0) {
    window = ::mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                    file.number(), begin);
    if (window == MAP_FAILED) error = errno;
  }
  if (error != 0) throw UserError("cannot write " + path_ + ": " + std::strerror(error));
  if (window_) ::munmap(window_, kWindowBytes);
  window_ = static_cast<char*>(window);
  ++windows_;
  used_ = 0;
}

}  // namespace heddle
