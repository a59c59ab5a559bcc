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

constexpr std::size_t kFirstBytes = std::size_t{1} << 16;

}  // namespace

SharedLog::SharedLog(std::string path) : path_(std::move(path)) {}

SharedLog::~SharedLog() {
  if (content_) ::munmap(content_, size_);
}

void SharedLog::append(std::string_view text) {
  reserve(used_ + text.size());
  std::memcpy(content_ + used_, text.data(), text.size());
  used_ += text.size();
}

void SharedLog::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  const std::size_t size = std::max({kFirstBytes, 2 * size_, bytes});
  const Descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  // Reserved, not only sized: storing in a page that a full disk has no block for is a SIGBUS.
  int error =
      file.is_open() ? ::posix_fallocate(file.number(), 0, static_cast<off_t>(size)) : errno;
  void* content = MAP_FAILED;
  if (error == 0) {
    content = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (content == MAP_FAILED) error = errno;
  }
  if (error != 0) throw UserError("cannot write " + path_ + ": " + std::strerror(error));
  if (content_) ::munmap(content_, size_);
  content_ = static_cast<char*>(content);
  size_ = size;
}

}  // namespace heddle
