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

// Copies to shared memory, of the CTA or of others of its cluster, and completes the bytes at the
// mbarrier of each lane there. copy(w, r, lane, address in shared memory, that memory) returns the
// bytes, which it writes there without a gap.
using CopyToShared = std::uint32_t (*)(Warp& w, const DecodedInstruction& r, int lane,
                                       std::uint64_t shared, std::uint8_t* memory);
void load_in_bulk(Warp& w, const DecodedInstruction& r, std::uint32_t mask, CopyToShared copy);
// The same with what registers of the lanes hold (STAS, REDAS).
void send_registers(Warp& w, const DecodedInstruction& r, std::uint32_t mask);
// Bytes of a store, or of a reduction of elements of this type, go to global memory.
void store_bytes(Warp& w, const DecodedInstruction& r, int lane, ptx::Type type, std::uint64_t to,
                 const std::uint8_t* from, std::uint32_t bytes);
// A load whose bytes have arrived.
void bulk_load_arrives(Warp& w, const DecodedInstruction& r, int lane, std::uint64_t object,
                       std::uint32_t bytes, std::uint32_t ranks);

Handler tensor_copy_handler(const ptx::Instruction& instruction);

}  // namespace heddle::exec
