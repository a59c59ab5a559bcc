// Divergent branches and reconvergence in compiled code, on the SIMT stack of the warp.
#pragma once

#include "exec/compiled/lane_code.h"

namespace heddle::exec {

// Where the lanes of a divergent branch go on that run first.
Pc first_path(const DecodedInstruction& r, Pc pc);
// Can compiled code diverge at the branch?
bool can_diverge(const DecodedInstruction& r, Pc pc);
// Jumps to `interpret` when the stack has to grow.
void emit_check_of_stack(LaneCode& code, Xbyak::Label& interpret);
// The lanes in LaneCode::guarded, neither none nor all active ones, take the branch: from now on
// the stack has the two paths, and the lanes of the first one are active.
void emit_divergence(LaneCode& code, const DecodedInstruction& r, Pc pc);

// The active lanes reach their reconvergence point `pc`. Goes on with those of the next entry of
// the stack: at `all` or `some` if its instruction is `pc`, too, at its compiled code otherwise.
// Jumps to `interpret` with nothing changed where that is not possible.
void emit_reconvergence(LaneCode& code, Pc pc, Xbyak::Label& all, Xbyak::Label& some,
                        Xbyak::Label& interpret);

}  // namespace heddle::exec
