// What the compiler decided about the order of issue, as the machine code of sm_70 and later has it
// in every instruction. A core without a scoreboard depends on it (docs/compiler-guided-core.md).
#pragma once

#include <cstdint>

namespace heddle::isa {

// A warp has six dependence counters. An instruction raises at most two of them when it issues; it
// lowers the first when its result is written, the second when its sources are read.
inline constexpr int kDependenceCounters = 6;

struct ControlWord {
  static constexpr std::uint8_t kNone = 7;

  std::uint8_t stall_cycles = 1;           // 0 to 15, until the warp may issue again
  bool yield = false;                      // another warp should issue next
  std::uint8_t write_barrier = kNone;      // dependence counter of the result
  std::uint8_t read_barrier = kNone;       // dependence counter of the sources
  std::uint8_t wait_mask = 0;              // dependence counters that must be 0 before the issue
  std::uint8_t threshold_counter = kNone;  // this one must be at most `threshold` (DEPBAR)
  std::uint8_t threshold = 0;
  std::uint8_t reuse = 0;  // bit per operand: the register stays in the reuse cache

  bool has_counters() const { return write_barrier != kNone || read_barrier != kNone; }
  friend bool operator==(const ControlWord&, const ControlWord&) = default;
};

}  // namespace heddle::isa
