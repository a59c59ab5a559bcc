// Barrier objects in shared memory (mbarrier). What PTX leaves to the machine is their 64 bits:
// arrivals that the phase still waits for in bits 0 to 19, arrivals that each phase waits for in 20
// to 39, bytes that are still to come in 40 to 60 (signed), and the phase above.
#pragma once

#include "exec/isa/record.h"

namespace heddle::exec {

// Those that follow copies: they act when the copies have come.
constexpr bool is_mbarrier_arrival(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::cp_async_arrive || i.opcode == ptx::Opcode::bulk_load;
}
// The object at `address` of shared memory hears that a lane's copies have come; `bytes` of them,
// if they are counted.
void arrive_later(Warp& w, const Record& r, int lane, std::uint64_t address, std::uint32_t bytes);

}  // namespace heddle::exec
