#include "gpu/nested/waiting_calls.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "exec/isa/device_calls.h"
#include "exec/state/launch.h"

namespace heddle::gpu {

void WaitingCalls::serve() {
  std::vector<exec::Warp*> calls = std::exchange(calls_, {});
  const auto sm_of = [](const exec::Warp& w) { return w.machine->view.sm; };
  std::stable_sort(calls.begin(), calls.end(), [&](const exec::Warp* a, const exec::Warp* b) {
    return std::pair{a->now, sm_of(*a)} < std::pair{b->now, sm_of(*b)};
  });
  for (exec::Warp* const w : calls) {
    if (exec::serve_device_call(*w, runtime_))
      resumed_.push_back(sm_of(*w));
    else
      waiting_.push_back(w);
  }
  release();
}

void WaitingCalls::release() {
  std::erase_if(waiting_, [&](exec::Warp* w) {
    if (!order_.is_idle(w->machine->launch.grid_id, w->cta->linear)) return false;
    check_invariant(exec::serve_device_call(*w, runtime_), "a CTA without pending launches waits");
    resumed_.push_back(w->machine->view.sm);
    return true;
  });
}

}  // namespace heddle::gpu
