#include "exec/state/shared_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/diagnostics.h"
#include "base/round_up.h"

namespace heddle::exec {

SharedPages::~SharedPages() {
  if (file_ >= 0) close(file_);
}

SharedPages::Range SharedPages::take(std::uint64_t bytes) {
  if (bytes == 0 || bytes > image_.shared_bytes()) return {};
  if (file_ < 0 && !detached_) {
    file_ = memfd_create("heddle device memory", MFD_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(image_.shared_bytes())) != 0)
      throw UserError(std::string("cannot make memory that host and device share: ") +
                      std::strerror(errno));
  }
  const std::uint64_t size = round_up(bytes, kHostPageBytes);
  return {Address{heap_.take(size, kHostPageBytes).base}, size};
}

void SharedPages::map(const Range& pages, void* at_host, bool replace) {
  const auto offset = static_cast<off_t>(pages.base.value - image_.shared_base());
  const int how = MAP_SHARED | (replace ? MAP_FIXED : MAP_FIXED_NOREPLACE);
  const bool mapped =
      mmap(image_.host(pages.base), pages.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
           file_, offset) != MAP_FAILED &&
      mmap(at_host, pages.bytes, PROT_READ | PROT_WRITE, how, file_, offset) == at_host;
  if (!mapped)
    throw UserError(std::string("cannot share memory between host and device: ") +
                    std::strerror(errno));
}

void SharedPages::show_to_host(const Range& pages) {
  if (!detached_) map(pages, reinterpret_cast<void*>(pages.base.value), false);
}

bool SharedPages::replace(const Range& pages, std::uint8_t* original) {
  const auto offset = static_cast<off_t>(pages.base.value - image_.shared_base());
  for (std::uint64_t done = 0; done < pages.bytes;) {
    const ssize_t wrote =
        pwrite(file_, original + done, pages.bytes - done, offset + static_cast<off_t>(done));
    if (wrote <= 0) {
      heap_.give_back(pages.base.value, pages.bytes);
      return false;
    }
    done += static_cast<std::uint64_t>(wrote);
  }
  map(pages, original, true);
  return true;
}

void SharedPages::release(const Allocation& allocation) {
  const std::uint64_t base = allocation.base.value,
                      size = round_up(allocation.bytes, kHostPageBytes);
  if (allocation.adopted) {
    heap_.mark(base, 0, size);  // the addresses stay reserved: the host still uses the pages
    return;
  }
  if (detached_) {
    madvise(image_.host(allocation.base), size, MADV_DONTNEED);  // zeros
  } else {
    munmap(reinterpret_cast<void*>(base), size);
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(base - image_.shared_base()), static_cast<off_t>(size));
  }
  heap_.give_back(base, size);
}

void SharedPages::hide_from_host(const Allocation& allocation) {
  if (allocation.shared_with_host && !detached_)
    munmap(reinterpret_cast<void*>(allocation.base.value),
           round_up(allocation.bytes, kHostPageBytes));
}

bool SharedPages::find_touched(std::uint64_t& at, std::uint64_t end, std::uint64_t& bytes) const {
  if (at >= end || file_ < 0) return false;
  const std::uint64_t first = image_.shared_base();
  const off_t data = lseek(file_, static_cast<off_t>(at - first), SEEK_DATA);
  if (data < 0) return false;
  at = first + static_cast<std::uint64_t>(data);
  if (at >= end) return false;
  const auto hole = static_cast<std::uint64_t>(lseek(file_, data, SEEK_HOLE));
  bytes = std::min(first + hole, end) - at;
  return true;
}

}  // namespace heddle::exec
