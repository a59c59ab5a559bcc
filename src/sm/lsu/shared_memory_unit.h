// Accesses to shared memory: an instruction occupies the banks for its bank cycles; the data of a
// load arrive after the latency and its delay, in order.
#pragma once

#include <cstdint>

#include "base/bounded_queue.h"
#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/count/sm_stats.h"
#include "sm/issue/op.h"

namespace heddle::sm {

class SharedMemoryUnit {
 public:
  explicit SharedMemoryUnit(const config::SmSpec& spec);

  // One bank cycle of the instruction. Returns whether it was the last.
  bool dispatch(Op& op, OpId id, Cycle now, SmStats& stats);
  bool empty() const { return loads_.empty(); }
  // When the data of the first load arrive; never() without one.
  Cycle next_result() const { return loads_.empty() ? Cycle::never() : loads_.front().at; }
  OpId pop_result() { return loads_.pop().op; }

 private:
  struct Load {
    Cycle at;
    OpId op;
  };
  std::uint32_t latency_;
  BoundedQueue<Load> loads_;
  Cycle last_result_;
};

}  // namespace heddle::sm
