// Control words for code that has none: PTX. Each instruction gets the stall cycles, dependence
// counters and waits that the latencies of the machine demand, across branches, too.
#pragma once

#include <span>

#include "isa/kernel.h"
#include "sm/warp/instruction_timing.h"

namespace heddle::sm {

// Results that arrive later than this after the issue have a dependence counter: a stall counter
// has four bits.
inline constexpr std::uint32_t kLongestStall = 15;
// Whether an instruction has no fixed latency that stall cycles could cover.
bool has_variable_latency(const InstructionTiming& timing);

// Fills in InstructionTiming::control of every instruction.
void compute_control_words(const isa::Kernel& kernel, std::uint32_t predicate_latency,
                           std::span<InstructionTiming> timing);

}  // namespace heddle::sm
