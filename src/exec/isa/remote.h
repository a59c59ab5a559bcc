// Accesses to the shared memory of other CTAs of the cluster, when they act.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// Between windows. A load writes its registers.
void perform_remote(Machine& machine, std::uint32_t handle);
// The SMs that hold the CTAs of the lanes, and the sectors that each is sent.
struct RemotePart {
  std::uint32_t sm = 0, sectors = 0;
};
std::vector<RemotePart> remote_parts(Machine& machine, std::uint32_t handle);
// All accesses that have not acted, because the launch continues functionally.
void perform_all_remote(Machine& machine);
// What bulk copies of the window have sent.
void deliver_sent_bytes(Machine& machine);

}  // namespace heddle::exec
