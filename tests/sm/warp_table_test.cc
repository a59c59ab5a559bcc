#include <gtest/gtest.h>

#include "sm/policy/mechanisms.h"
#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

// Whether a stale buffer, a correct one, had a head that reads a loaded register.
struct Seen {
  bool stale = false, correct = false;
};

class ReadsLoaded final : public RoundRobin {
 public:
  explicit ReadsLoaded(Seen& seen) : seen_(seen) {}
  EventSet subscribed_events() const override { return Event::issue | Event::no_issue; }
  void attach(Mechanisms& mechanisms) override { mechanisms.track_loaded_registers(); }
  void on_no_issue(const NoIssue& event) override {
    seen_.stale |= (event.view.reads_loaded & ~event.view.valid).any();
    seen_.correct |= (event.view.reads_loaded & event.view.valid).any();
  }

 private:
  Seen& seen_;
};

// A load writes register 1; after a branch that instruction 2 makes, instruction 3 is in the buffer
// and reads `read`.
Seen run_branch_over_read(std::uint16_t read) {
  Seen seen;
  Bench bench{{memory(OpClass::load, Space::global, {}, {1}), make(OpClass::alu),
               make(OpClass::alu), make(OpClass::alu, {read}, {2}), exit()},
              [](WarpSlot, exec::Step& step) {
                if (step.pc == 2) step.next_pc = 4;
              },
              gtx480(),
              100,
              [&](int) { return std::make_unique<ReadsLoaded>(seen); }};
  bench.run();
  return seen;
}

}  // namespace

// A warp waits for its stall counter only when its dependence counters let it issue.
TEST(WarpTable, OnlyStallsAreTheStallsOfWarpsWithoutAnotherReason) {
  WarpTable warps(4, true);
  const isa::Instruction code = make(OpClass::alu);
  KernelContext kernel;
  InstructionTiming timing = timing_of(code, gtx480().sm);
  timing.control.wait_mask = 1;
  kernel.timing = &timing;
  for (const int w : {0, 1}) {
    Warp& warp = warps[WarpSlot(w)];
    warp.kernel = &kernel;
    warp.next_pc = 0;
    warp.append(0);
    warps.live.set(WarpSlot(w));
    warps.refresh(WarpSlot(w));
  }
  EXPECT_TRUE(warps.only_stalled().none());
  isa::ControlWord stall, long_stall;
  stall.stall_cycles = long_stall.stall_cycles = 9;
  long_stall.write_barrier = 0;
  warps.control.issue(WarpSlot(0), long_stall, Cycle{100});
  warps.control.issue(WarpSlot(1), stall, Cycle{100});
  for (const std::uint64_t cycle : {101, 102}) advance_control(warps, Cycle{cycle});
  // Warp 0 waits for its dependence counter, too.
  EXPECT_EQ(warps.only_stalled(), WarpMask::only(WarpSlot(1)));
}

// As in GPGPU-Sim, whose scheduler reads the buffer before it discovers that it is stale.
TEST(WarpTable, TheHeadOfAStaleBufferReadsLoadedRegistersToo) {
  EXPECT_TRUE(run_branch_over_read(1).stale);
  EXPECT_FALSE(run_branch_over_read(3).stale);
  EXPECT_FALSE(run_branch_over_read(1).correct);
}

}  // namespace heddle::sm::test
