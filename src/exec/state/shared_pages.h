// The memory that the host reaches too: pages of a file, which the device's image and the host show
// at the same addresses (managed and page-locked memory), or the host where it had them before.
#pragma once

#include <cstdint>

#include "exec/services/heap.h"
#include "exec/state/allocations.h"
#include "exec/state/device_image.h"

namespace heddle::exec {

class SharedPages {
 public:
  struct Range {
    Address base;  // Address{0}: there is no room
    std::uint64_t bytes = 0;
  };

  explicit SharedPages(const DeviceImage& image)
      : image_(image), heap_(image.shared_base(), image.shared_bytes()) {}
  ~SharedPages();
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  // From now on the host does not reach the pages.
  void detach_host() { detached_ = true; }
  // The addresses of the pages; reservations of addresses are taken from them, too.
  Heap& heap() { return heap_; }
  const Heap& heap() const { return heap_; }

  Range take(std::uint64_t bytes);
  // The host and the device see the pages at their addresses.
  void show_to_host(const Range& pages);
  // The pages take the content of the host's pages from `original` on, and their place. False, with
  // the pages given back: part of them is not host memory.
  bool replace(const Range& pages, std::uint8_t* original);
  // The pages of a freed allocation. The host keeps adopted ones.
  void release(const Allocation& allocation);
  // Those of a live allocation at the end of the device; only the host's view is left.
  void hide_from_host(const Allocation& allocation);
  // Calls use(first, bytes) for the parts of the allocation that somebody has touched; the others
  // are zero.
  template <class Use>
  void for_each_touched(const Allocation& allocation, Use&& use) const {
    std::uint64_t at = allocation.base.value, bytes = 0;
    const std::uint64_t end = at + allocation.bytes;
    while (find_touched(at, end, bytes)) use(Address{at}, bytes), at += bytes;
  }

 private:
  // The next touched part at or after `at` and before `end`.
  bool find_touched(std::uint64_t& at, std::uint64_t end, std::uint64_t& bytes) const;
  void map(const Range& pages, void* at_host, bool replace);

  const DeviceImage& image_;
  Heap heap_;
  int file_ = -1;
  bool detached_ = false;
};

}  // namespace heddle::exec
