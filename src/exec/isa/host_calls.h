// Calls of device code that the host executes: vprintf, malloc and free, __assertfail.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// Executes the call for the lanes in `mask`. False when it must execute again later: the heap is
// shared by all SMs, so malloc and free act at the end of the window.
bool call_host(Warp& w, const DecodedInstruction& r, std::uint32_t mask);
[[noreturn]] void fail_assertion(Warp& w, const DecodedInstruction& r, std::uint32_t mask);

// At the end of a window: executes this SM's heap requests in their order, and hands over its
// printed text.
void serve_host_calls(Machine& machine);

}  // namespace heddle::exec
