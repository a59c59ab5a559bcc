// Where a kernel of machine code has its registers: R0 ..., then UR0 ..., then the convergence
// barriers, each as the lanes that it waits for, lane by lane, then the result of BAR.RED, where
// lanes continue after a meeting (WARPSYNC.COLLECTIVE), and the two words of Rpc. Behind them are
// the rows that RZ is as a destination.
#pragma once

#include "exec/machine_code/handlers.h"

namespace heddle::exec {

inline constexpr std::uint32_t kRowBytesOfLanes = 128;
inline constexpr std::uint32_t kConvergenceBarriers = 16;

struct RegisterLayout {
  std::uint32_t registers = 0, uniform_registers = 0;

  explicit RegisterLayout(const sass::Kernel& kernel)
      : registers(kernel.registers), uniform_registers(kernel.uniform_registers) {}
  std::uint32_t uniform(std::uint32_t n) const { return registers + n; }
  std::uint32_t barrier(std::uint32_t n) const { return registers + uniform_registers + n; }
  std::uint32_t barrier_result() const { return barrier(kConvergenceBarriers); }
  std::uint32_t continuation() const { return barrier_result() + 1; }
  std::uint32_t return_pc(bool high) const { return continuation() + 1 + (high ? 1 : 0); }
  std::uint32_t rows() const { return return_pc(true) + 1; }
};
// The predicate of BAR.RED's result, behind those of handlers.h.
inline constexpr std::uint16_t kBarrierPredicate = kPredicateRows;

}  // namespace heddle::exec
