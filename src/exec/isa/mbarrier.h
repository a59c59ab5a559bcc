// Barrier objects in shared memory (mbarrier). The format of their 64 bits is machine-specific.
// Here: bits 0 to 19 hold the arrivals that the phase still waits for, 20 to 39 the arrivals of
// each phase, 40 to 60 the bytes that are still to arrive (signed), and the upper bits the phase.
#pragma once

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// Arrivals that follow copies act when the copies have arrived.
constexpr bool is_mbarrier_arrival(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::cp_async_arrive || i.opcode == ptx::Opcode::bulk_load;
}
// Notifies the object at `address` of shared memory that a lane's copies have arrived; `bytes` of
// them, if they are counted.
void arrive_later(Warp& w, const DecodedInstruction& r, int lane, std::uint64_t address,
                  std::uint32_t bytes);

}  // namespace heddle::exec
