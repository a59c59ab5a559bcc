// Control flow of machine code, of Volta and later: every lane has a pc of its own, and lanes meet
// only where the code says so. The SIMT stack holds the groups of lanes that are at one pc, without
// reconvergence points; its top runs.
//
//   BSSY B        the running lanes will meet at BSYNC B. A convergence barrier is a mask for each
//                 lane, because lanes on different paths use one B for different meetings.
//   BSYNC B       waits for the lanes of the mask that have not ended
//   BREAK B       the others do not wait for the running lanes any more
//   WARPSYNC      waits until the named lanes are at a WARPSYNC, at whatever pc
//                 .COLLECTIVE: lanes that wait at copies of a piece of code execute one of them as
//                 one group, up to ENDCOLLECTIVE; then each continues behind its own copy
//   BAR           the warp arrives when all its lanes are at a BAR
//
// A group that waits lets the next one of the stack run. At a divergent branch the lanes that take
// it run first, as for PTX. YIELD and NANOSLEEP, and every 64th backward branch of a group, let the
// other groups run, so that lanes that spin do not stop those that they wait for.
#pragma once

#include "exec/state/machine.h"
#include "sass/instruction.h"

namespace heddle::exec {

// Of the instruction that stands for a function of the system.
ControlFunction system_call_function();
// Null for what only computes.
ControlFunction control_function(const sass::Instruction& instruction);

}  // namespace heddle::exec
