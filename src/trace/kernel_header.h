// What the head of a kernel's trace says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/types.h"

namespace heddle::trace {

inline constexpr std::uint32_t kOldestVersion = 3, kNewestVersion = 6;
inline constexpr std::uint32_t kMostThreads = 1024;  // of a CTA

struct KernelHeader {
  std::string name;  // mangled
  Dim3 grid{0, 0, 0}, block{0, 0, 0};
  std::uint32_t shared_bytes = 0;  // per CTA, static and dynamic
  std::uint32_t registers = 0;     // per thread
  std::uint32_t architecture = 0;  // 86: sm_86
  std::uint64_t stream = 0;
  std::uint64_t shared_base = 0, local_base = 0;  // of the windows in generic addresses
  std::uint32_t version = 0;                      // of the tracer
  bool lines = false;                             // each instruction begins with its source line

  // A line that begins with a hyphen. Unknown ones are ignored. Throws FormatError.
  void read(std::string_view line);
  // After the last line: throws FormatError for what is missing or unknown.
  void check() const;

  std::uint32_t warps() const {
    return static_cast<std::uint32_t>((block.count() + kWarpSize - 1) / kWarpSize);
  }
  // Lanes of the warp that have threads.
  LaneMask lanes(std::uint32_t warp) const;
  // Between the addresses of instructions; older machine code has 8 bytes.
  std::uint32_t instruction_bytes() const { return architecture >= 70 ? 16 : 8; }
};

}  // namespace heddle::trace
