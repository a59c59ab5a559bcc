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

// As in GPGPU-Sim, whose scheduler reads the buffer before it discovers that it is stale.
TEST(WarpTable, TheHeadOfAStaleBufferReadsLoadedRegistersToo) {
  EXPECT_TRUE(run_branch_over_read(1).stale);
  EXPECT_FALSE(run_branch_over_read(3).stale);
  EXPECT_FALSE(run_branch_over_read(1).correct);
}

}  // namespace heddle::sm::test
