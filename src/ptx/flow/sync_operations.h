// Warp-synchronous instructions that name their members, and barriers: which of them match, so that
// lanes of a warp execute them together at different places of a kernel.
#pragma once

#include "ptx/instruction.h"

namespace heddle::ptx {

// The source that holds the member mask, or -1.
int member_source(const Instruction& instruction);

// Has the instruction a member mask, or is it a barrier of the CTA?
bool may_match(const Instruction& instruction);

// Do two such instructions of one kernel have the same opcode and qualifiers, and barriers the same
// operand for their number? An arrive matches a sync. PTX: "until all non-exited threads
// corresponding to membermask have executed shfl.sync with the same qualifiers and same membermask
// value".
bool matches(const Instruction& a, const Instruction& b);

}  // namespace heddle::ptx
