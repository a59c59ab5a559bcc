// Accesses pass the tags of the L1 data cache in the cycle in which the instruction sends them.
// When the cache refuses, the instruction stays and tries again.
#pragma once

#include "sm/lsu/l1_front_end.h"

namespace heddle::sm {

class DirectL1 : public L1FrontEnd {
 public:
  using L1FrontEnd::L1FrontEnd;

  bool dispatch(Op& op, OpId id, SmStats& stats) override;
  void serve() override {}
  bool is_stuck(const Op&) const override { return refusal_.holds(l1_.cache()); }
  Cycle next_event() const override { return Cycle::never(); }
  bool empty() const override { return true; }
  void repeat(std::uint64_t) override {}
  void repeat_dispatch(SmStats& stats, std::uint64_t times) override {
    refusal_.repeat(stats, times);
  }

 protected:
  // Sends the next access. Returns whether it left the instruction.
  virtual bool send(const Op& op, OpId id, SmStats& stats);

 private:
  Refusal refusal_;
};

}  // namespace heddle::sm
