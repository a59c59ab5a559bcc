// Shared by bulk copies and copies of tensors.
#pragma once

#include "exec/state/decoded_instruction.h"
#include "exec/state/machine.h"

namespace heddle::exec {

inline void begin_bulk_step(Warp& w) {
  if (!w.step) return;
  w.step->space = isa::Space::global;
  w.step->bulk_ranges.clear();
}

// Copies to shared memory and completes the bytes at the mbarrier of each lane. copy(w, r, lane,
// address in shared memory) returns the bytes.
using CopyToShared = std::uint32_t (*)(Warp& w, const DecodedInstruction& r, int lane,
                                       std::uint64_t shared);
void load_in_bulk(Warp& w, const DecodedInstruction& r, std::uint32_t mask, CopyToShared copy);

Handler tensor_copy_handler(const ptx::Instruction& instruction);

}  // namespace heddle::exec
