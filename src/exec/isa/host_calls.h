// What device code calls and the host does: vprintf, malloc and free, __assertfail.
#pragma once

#include "exec/state/machine.h"

namespace heddle::exec {

// Performs the call for the lanes in `mask`. False when it has to be made again later: the heap is
// shared by all SMs, so malloc and free act when the window ends.
bool call_host(Warp& w, const Record& r, std::uint32_t mask);
[[noreturn]] void fail_assertion(Warp& w, const Record& r, std::uint32_t mask);

// The window has ended: this SM's turn at the heap, in the order in which its warps asked, and its
// printed text.
void serve(Machine& machine);

}  // namespace heddle::exec
