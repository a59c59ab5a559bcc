// What stands between the load/store unit and its L1 data cache: where accesses wait for the cache,
// and what happens to an access that the cache refuses.
//
//   queued_l1.h         accesses pass a pipeline of the hit latency, then the tags; a refused one
//                       blocks those behind it
//   direct_l1.h         accesses pass the tags when the instruction sends them, which waits while
//                       the cache refuses
//   reexecuting_l1.h    either of them, with a queue from which refused accesses are retried
#pragma once

#include <cstdint>
#include <memory>

#include "base/types.h"
#include "sm/lsu/l1_lookup.h"

namespace heddle::sm {

class L1FrontEnd {
 public:
  L1FrontEnd(L1Lookup& l1, LsuContext& context) : l1_(l1), context_(context) {}
  virtual ~L1FrontEnd() = default;

  // Sends the next access of the instruction, or one per bank. Returns whether none is left.
  virtual bool dispatch(Op& op, OpId id, SmStats& stats) = 0;
  // Whether serve() has work.
  bool waiting() const { return waiting_; }
  // Serves accesses that wait, in every cycle of the unit.
  virtual void serve() = 0;

  // Whether dispatch() sends nothing until the cache or the re-execution queue changes.
  virtual bool is_stuck(const Op& op) const = 0;
  // Without a reply, serve() only repeats refusals before this cycle.
  virtual Cycle next_event() const = 0;
  virtual bool empty() const = 0;
  // Counts the refusals of `times` cycles of the unit in which the front end is quiet.
  virtual void repeat(std::uint64_t times) = 0;
  // The same for the instruction that is stuck.
  virtual void repeat_dispatch(SmStats& stats, std::uint64_t times) = 0;

  // Null when refused accesses are not queued.
  virtual ReexecutionQueue* reexecution() { return nullptr; }

 protected:
  L1Lookup& l1_;
  LsuContext& context_;
  bool waiting_ = false;
};

// The front end that sm.l1d_access names. reexecution_entries: of the queue for refused accesses;
// 0: none.
std::unique_ptr<L1FrontEnd> make_l1_front_end(const config::SmSpec& spec, L1Lookup& l1,
                                              LsuContext& context,
                                              std::uint32_t reexecution_entries);

}  // namespace heddle::sm
