// What the law of control words (issue/control_law.h) says of two instructions of a warp, and the
// proof that a kernel keeps it.
#pragma once

#include <cstdint>
#include <span>

#include "isa/kernel.h"
#include "sm/warp/instruction_timing.h"

namespace heddle::sm {

// Cycles from the issue to that of an instruction that needs the result.
std::uint32_t dependence_of(const InstructionTiming& timing);

// An instruction that issued before another of its warp.
struct OlderInstruction {
  const InstructionTiming* timing;
  LaneMask lanes;
  Cycle ready, guard_ready;  // of the result: never() while that is not known
  bool unread;

  // Of fixed latency: its result, and the guard that it may be, are ready in time.
  static OlderInstruction fixed(const InstructionTiming& timing, LaneMask lanes, Cycle issued,
                                std::uint32_t predicate_latency);
};

// Whether the two may share a register that the older one writes, or has yet to read.
inline bool may_need(const RegisterUse& use, const RegisterUse& older, bool unread = false) {
  return !use.masked || !older.masked || meet(older.written, use.touched) ||
         (unread && meet(older.touched, use.written));
}

// The registers with which an instruction that issues `now` breaks the law.
std::uint32_t violations(const OlderInstruction& older, const InstructionTiming& timing, Cycle now,
                         LaneMask executed);

// Of which older instructions it is proven that on every path no instruction breaks the law with
// them, however soon its control words let it issue.
ProvenLaw prove_law(const isa::Kernel& kernel, std::span<const InstructionTiming> timing,
                    std::uint32_t predicate_latency);

}  // namespace heddle::sm
