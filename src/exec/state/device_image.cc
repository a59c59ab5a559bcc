#include "exec/state/device_image.h"

#include <sys/mman.h>

#include <string>

#include "base/diagnostics.h"
#include "base/round_up.h"

namespace heddle::exec {
namespace {

std::uint64_t possible(std::uint64_t capacity_bytes) {
  if (capacity_bytes <= kMaxMemoryBytes) return capacity_bytes;
  throw UserError("a device cannot have " + std::to_string(capacity_bytes) +
                  " bytes of memory; at most " + std::to_string(kMaxMemoryBytes) + " bytes");
}

}  // namespace

// It needs no guard pages: every access is checked first.
DeviceImage::DeviceImage(std::uint64_t capacity_bytes)
    : shared_base_(kHeapBase + round_up(possible(capacity_bytes), kHostPageBytes) +
                   kHostPageBytes) {
  for (;; shared_bytes_ /= 2) {
    void* image = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (image != MAP_FAILED) {
      madvise(image, bytes(), MADV_HUGEPAGE);  // a hint: warps access many pages alternately
      at_heap_ = static_cast<std::uint8_t*>(image) + (kHeapBase - kConstantsBase);
      return;
    }
    if (shared_bytes_ <= kLeastSharedHeapBytes)
      throw UserError("cannot reserve " + std::to_string(capacity_bytes) +
                      " bytes of address space for device memory");
  }
}

DeviceImage::~DeviceImage() { munmap(at_heap_ - (kHeapBase - kConstantsBase), bytes()); }

}  // namespace heddle::exec
