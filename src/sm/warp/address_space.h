// The addresses of code, parameters and local memory in the timing model's caches. Functional
// execution does not use them.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace heddle::sm {

inline constexpr std::uint64_t kCodeBase = 0xF0000000;  // GPGPU-Sim's value
inline constexpr std::uint64_t kParameterBase = 0x00F00000;
// Kernels that run at once have their parameter blocks and their local memory apart.
inline constexpr std::uint64_t kParameterStride = 0x10000, kLocalStride = 0x01800000;

// The parameter block of the kernel with this number.
constexpr std::uint64_t parameter_base(int kernel) {
  return kParameterBase + static_cast<std::uint64_t>(kernel) * kParameterStride;
}

// Local memory is interleaved so that lanes of a warp that touch the same word touch neighbouring
// addresses: word w of thread t lies at 4 * (w * threads + t), where `threads` is the number of
// threads that the device can hold.
struct LocalLayout {
  std::uint64_t device_threads = 0;  // resident threads that the device can hold
  std::uint32_t sm = 0, sms = 1;
  std::uint32_t threads_per_cta = 32;  // padded to whole warps
  std::uint64_t first = 0;             // address of the kernel's local memory

  // thread: its number among the kernel's threads on the SM.
  Address translate(std::uint64_t offset, std::uint32_t thread) const {
    const std::uint64_t cta = sm + std::uint64_t{sms} * (thread / threads_per_cta);
    const std::uint64_t base = 4 * (threads_per_cta * cta + thread % threads_per_cta);
    return Address{first + offset / 4 * device_threads * 4 + base + offset % 4};
  }
};

}  // namespace heddle::sm
