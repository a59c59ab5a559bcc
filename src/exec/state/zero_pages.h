// Zeroed memory that takes no space until it is accessed.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostics.h"

namespace heddle::exec {

class ZeroPages {
 public:
  ZeroPages() = default;
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;
  ~ZeroPages() {
    if (memory_) munmap(memory_, bytes_);
  }

  // Call it once.
  void reserve(std::size_t bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw UserError("cannot reserve " + std::to_string(bytes) +
                      " bytes of address space for memory of the simulated program");
    memory_ = static_cast<std::uint8_t*>(memory);
    bytes_ = bytes;
  }
  std::uint8_t* data() const { return memory_; }

 private:
  std::uint8_t* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace heddle::exec
