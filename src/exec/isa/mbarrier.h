// Barrier objects in shared memory (mbarrier). Their 64 bits are those of Hopper, as far as code
// that ptxas makes of mbarrier.init, pending_count and test_wait computes with them: bits 1 to 20
// hold the arrivals of each phase, 43 to 62 those that the phase still waits for, both as
// 2^20 - count, and bit 63 the parity of the phase. Bits 21 to 42 hold the bytes that are still to
// arrive (signed).
#pragma once

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// Notifies the object at `address` of the CTA's shared memory that a lane's copies have arrived;
// `bytes` of them, if they are counted.
void arrive_later(Warp& w, const DecodedInstruction& r, int lane, Cta& cta, std::uint64_t address,
                  std::uint32_t bytes);
// The operation of a lane on an object of another CTA of the cluster, which is at `place`.
void change_remotely(Warp& w, const DecodedInstruction& r, int lane, std::uint8_t* place,
                     std::uint32_t given);

// test_wait and try_wait of machine code: the upper half of a state is given.
void wait_by_high_word(Warp& w, const DecodedInstruction& r, std::uint32_t mask);

}  // namespace heddle::exec
