// Policies whose state is per kernel, while two kernels run at once.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "sched/adaptive/ipaws_state.h"
#include "sched/framework/kernel_table.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

using What = sm::KernelEvent::What;

// An SM with one scheduler. Slots 0 to 3 are for warps of kernel 0, 4 to 7 for kernel 1.
class Sm {
 public:
  Sm(const Policy& policy, int number, const std::shared_ptr<SharedState>& in_gpu)
      : policy_(build(policy, number, in_gpu)) {
    std::iota(ages_.begin(), ages_.end(), 0u);
    view_.supervised = WarpMask::all();
    view_.age = ages_;
    view_.head = heads_;
  }
  void kernel(What what, int number, const isa::Kernel* kernel = nullptr) {
    sm::KernelEvent event{what, kernel, view_.now};
    event.number = number;
    if (wants(sm::Event::kernel)) policy_->on_kernel(event);
  }
  // One warp per CTA.
  void launch(int slot, std::uint64_t cta = 0) {
    if (wants(sm::Event::cta)) policy_->on_cta({cta, 1, true, slot / 4});
    policy_->on_warp({warp(slot), ages_[slot], cta, true, view_.now, slot / 4});
    view_.live.set(warp(slot));
    view_.sm_live.set(warp(slot));
  }
  void exit(int slot) {
    view_.live.reset(warp(slot));
    view_.sm_live.reset(warp(slot));
    policy_->on_warp({warp(slot), ages_[slot], 0, false, view_.now, slot / 4});
  }
  // The slot that issues; -1: none.
  int issue(WarpMask issuable, int times = 1) {
    WarpSlot chosen;
    for (int i = 0; i < times; ++i, ++view_.now) {
      view_.valid = view_.ready = view_.issuable = issuable;
      chosen = policy_->pick(view_);
      if (chosen) policy_->on_issue({view_.now, chosen, &alu_, 0, LaneMask::all()});
    }
    return chosen.index;
  }
  std::map<std::string, std::uint64_t> counters() const {
    sm::PolicyReport report;
    policy_->report_statistics(report, view_.now);
    return {report.counters().begin(), report.counters().end()};
  }
  sm::WarpScheduler& policy() { return *policy_; }

 private:
  static std::unique_ptr<sm::WarpScheduler> build(const Policy& policy, int number,
                                                  const std::shared_ptr<SharedState>& in_gpu) {
    PolicyContext context;
    context.sm = number;
    context.in_sm = std::make_shared<SharedState>();
    context.in_gpu = in_gpu;
    return policy.build(context);
  }
  bool wants(sm::Event event) const { return policy_->subscribed_events().contains(event); }
  static inline const isa::Instruction alu_{};
  std::unique_ptr<sm::WarpScheduler> policy_;
  std::array<std::uint32_t, kMaxWarpsPerSm> ages_{};
  std::array<const isa::Instruction*, kMaxWarpsPerSm> heads_{};
  sm::IssueView view_{};
};

struct Gpu {
  std::shared_ptr<const Policy> policy;
  std::shared_ptr<SharedState> shared = std::make_shared<SharedState>();
  std::vector<std::unique_ptr<Sm>> sms;
  Gpu(const std::string& text, int count) : policy(parse_policy(text)) {
    for (int i = 0; i < count; ++i) sms.push_back(std::make_unique<Sm>(*policy, i, shared));
  }
  Sm& operator[](int sm) { return *sms[static_cast<std::size_t>(sm)]; }
  void start(int kernel) {
    for (auto& sm : sms) sm->kernel(What::start, kernel);
  }
  void end(int kernel) {
    for (auto& sm : sms) sm->kernel(What::end, kernel);
  }
  // Both kernels run; every SM holds four warps of each.
  void share_all_sms() {
    for (int k = 0; k < 2; ++k) start(k);
    for (auto& sm : sms)
      for (int slot = 0; slot < 8; ++slot) sm->launch(slot);
  }
};

// All warps of a kernel issue alike: convex. Or only its first warp: concave.
void issue_evenly(Sm& sm, int kernel) {
  for (int i = 0; i < 4; ++i) sm.issue(ready(kernel * 4 + i), 10);
}
void issue_unevenly(Sm& sm, int kernel) { sm.issue(ready(kernel * 4), 40); }

std::uint64_t decided(Sm& sm) {
  const auto c = sm.counters();
  return c.at("ipaws.greedy_kernels") + 10 * c.at("ipaws.round_robin_kernels");
}

}  // namespace

TEST(IpawsOfSeveralKernels, AnEvenSmFavoursKernel0AndAnOddOneKernel1) {
  Gpu gpu("ipaws", 2);
  gpu.share_all_sms();
  for (int cycle = 0; cycle < 3; ++cycle) {
    EXPECT_LT(gpu[0].issue(ready(1, 2, 4, 5)), 4);
    EXPECT_GE(gpu[1].issue(ready(1, 2, 4, 5)), 4);
  }
  EXPECT_EQ(gpu[0].issue(ready(6)), 6);  // its favoured kernel cannot issue
}

TEST(IpawsOfSeveralKernels, EachSmOfAPairDecidesForItsFavouredKernelAndBothFollow) {
  Gpu gpu("ipaws:recover=no", 2);
  gpu.share_all_sms();
  issue_evenly(gpu[0], 0);
  issue_unevenly(gpu[0], 1);
  issue_unevenly(gpu[1], 0);
  issue_unevenly(gpu[1], 1);
  gpu[0].exit(4);  // of kernel 1: it does not decide here
  gpu[1].exit(0);
  gpu.shared->end_window();
  EXPECT_EQ(gpu[0].issue(ready(1, 5)), 1);  // still its favoured kernel first
  EXPECT_EQ(decided(gpu[0]), 0u);
  gpu[0].exit(0);
  gpu[1].exit(4);
  gpu.shared->end_window();
  for (int sm = 0; sm < 2; ++sm) {
    gpu[sm].issue(ready(1), 1);
    gpu[sm].issue(ready(5), 1);
    EXPECT_EQ(decided(gpu[sm]), 11u) << "one greedy, one round robin";
    EXPECT_EQ(gpu[sm].issue(ready(1, 2)), 2);  // kernel 0: round robin
    EXPECT_EQ(gpu[sm].issue(ready(1, 2)), 1);
    EXPECT_EQ(gpu[sm].issue(ready(5, 6)), 5);  // kernel 1: greedy
    EXPECT_EQ(gpu[sm].issue(ready(5, 6)), 5);
  }
}

TEST(IpawsOfSeveralKernels, TheKernelsAlternateAfterTheDecision) {
  for (const bool favoured : {false, true}) {
    Gpu gpu(favoured ? "ipaws:kernel_order=favoured" : "ipaws", 1);
    gpu.share_all_sms();
    issue_unevenly(gpu[0], 0);
    gpu[0].exit(0);
    gpu.shared->end_window();
    gpu[0].issue(ready(1, 5));
    int of_kernel_1 = 0;
    for (int cycle = 0; cycle < 4; ++cycle) of_kernel_1 += gpu[0].issue(ready(1, 5)) == 5;
    EXPECT_EQ(of_kernel_1, favoured ? 0 : 2);
  }
}

TEST(IpawsOfSeveralKernels, ADecisionHoldsForAllSmsOrForThePair) {
  for (const bool pair : {false, true}) {
    Gpu gpu(pair ? "ipaws:decide_shared=pair" : "ipaws", 5);
    gpu.share_all_sms();
    issue_unevenly(gpu[2], 0);
    gpu[2].exit(0);
    gpu.shared->end_window();
    for (int sm = 0; sm < 5; ++sm) {
      gpu[sm].issue(ready(1), 1);
      // SM 4 has no partner; it belongs to the last pair.
      EXPECT_EQ(decided(gpu[sm]), !pair || sm >= 2 ? 1u : 0u) << sm;
    }
  }
}

TEST(IpawsOfSeveralKernels, AnSmThatRunsOneKernelDecidesAlone) {
  for (const bool own : {true, false}) {
    Gpu gpu(own ? "ipaws:recover=no" : "ipaws:recover=no,decide_alone=gpu", 3);
    gpu.start(0);
    gpu.start(1);
    for (int slot = 0; slot < 4; ++slot) {
      gpu[0].launch(slot);
      gpu[2].launch(slot);
      gpu[1].launch(4 + slot);
    }
    issue_evenly(gpu[0], 0);
    issue_unevenly(gpu[2], 0);
    issue_unevenly(gpu[1], 1);
    gpu[0].exit(0);
    gpu[1].exit(4);
    gpu.shared->end_window();
    gpu[2].issue(ready(1));
    gpu[1].issue(ready(5));
    EXPECT_EQ(gpu[0].issue(ready(1, 2)) + gpu[0].issue(ready(1, 2)), 3);
    EXPECT_EQ(decided(gpu[0]), 10u);
    EXPECT_EQ(decided(gpu[1]), 1u);
    EXPECT_EQ(decided(gpu[2]), own ? 0u : 10u);
    gpu[2].exit(0);
    EXPECT_EQ(decided(gpu[2]), own ? 1u : 10u) << "its own pattern is concave";
  }
}

TEST(IpawsOfSeveralKernels, StartAndEndOfAnotherKernelDoNotChangeAPhase) {
  Gpu gpu("ipaws:recover=no", 1);
  gpu.start(0);
  for (int slot = 0; slot < 4; ++slot) gpu[0].launch(slot);
  issue_evenly(gpu[0], 0);
  gpu[0].exit(0);
  gpu.shared->end_window();
  gpu[0].issue(ready(1));
  EXPECT_EQ(decided(gpu[0]), 10u);
  gpu.start(1);
  gpu[0].launch(4);
  EXPECT_EQ(gpu[0].issue(ready(1, 2)), 2);
  EXPECT_EQ(gpu[0].issue(ready(1, 2)), 1);
  gpu[0].exit(4);
  gpu.end(1);
  EXPECT_EQ(gpu[0].issue(ready(1, 2)), 2);
  EXPECT_EQ(decided(gpu[0]), 10u);
}

TEST(KawsOfSeveralKernels, ATailIsAKernelsOwnAndItsWarpsComeFirst) {
  Gpu gpu("kaws", 1);
  Sm& sm = gpu[0];
  gpu.start(0);
  gpu.start(1);
  for (int slot = 0; slot < 8; ++slot) sm.launch(slot, static_cast<std::uint64_t>(slot % 4));
  EXPECT_EQ(sm.issue(ready(0, 5)), 0);  // the oldest
  sm.kernel(What::last_cta_dispatched, 1);
  EXPECT_EQ(sm.issue(ready(0, 5)), 5);
  EXPECT_EQ(sm.issue(ready(0, 5, 6)), 6);  // its CTA has issued less
  sm.kernel(What::last_cta_dispatched, 0);
  EXPECT_EQ(sm.issue(ready(0, 1, 5)), 1);
  gpu.end(0);
  EXPECT_EQ(sm.issue(ready(0, 7)), 7);  // kernel 1 is still in its tail
}

TEST(CtaTableOfSeveralKernels, CtasOfOneNumberOfTwoKernelsDiffer) {
  CtaTable table;
  bool is_new = false;
  EXPECT_EQ(table.launch({warp(0), 0, 3, true, {}, 0}, is_new), 0);
  EXPECT_EQ(table.launch({warp(1), 1, 3, true, {}, 1}, is_new), 1);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(table.launch({warp(2), 2, 3, true, {}, 1}, is_new), 1);
  EXPECT_FALSE(is_new);
}

TEST(KernelTable, KnowsTheKernelsOfWarpsAndTheOnlyOne) {
  KernelTable table;
  EXPECT_EQ(table.sole(), 0);
  table.on_warp({warp(4), 0, 0, true, {}, 1});
  EXPECT_EQ(table.sole(), 1);
  table.on_warp({warp(0), 0, 0, true, {}, 0});
  EXPECT_EQ(table.sole(), -1);
  EXPECT_EQ(table.number(warp(4)), 1);
  table.on_warp({warp(4), 0, 0, false, {}, 1});
  EXPECT_EQ(table.sole(), 0);
  table.on_warp({warp(0), 0, 0, false, {}, 0});
  EXPECT_EQ(table.sole(), 0);  // the last one
}

// Kernel 0 has a loop; kernel 1, which starts later, has none.
TEST(PoliciesOfSeveralKernels, LoopsAndCodeAreThoseOfTheWarpsKernel) {
  isa::Kernel looping, straight;
  looping.name = "looping";
  looping.instructions.resize(20);
  looping.source_lines = straight.source_lines = {{}};
  looping.loops.push_back({4, isa::Loop::kNone, 1, {9}, {{4, 10}}});
  looping.loops[0].marked_group = 2;
  for (std::size_t pc = 4; pc < 10; ++pc) {
    looping.instructions[pc].loop = 0;
    looping.instructions[pc].op_class = isa::OpClass::load;
    looping.instructions[pc].space = isa::Space::global;
  }
  straight.name = "straight";
  straight.instructions.resize(2);
  for (const char* const text : {"daws", "ccws", "ps", "cawa", "K0=daws,K1=ps"}) {
    Gpu gpu(text, 1);
    Sm& sm = gpu[0];
    sm.kernel(What::start, 0, &looping);
    for (int slot = 0; slot < 4; ++slot) sm.launch(slot, static_cast<std::uint64_t>(slot));
    sm.kernel(What::start, 1, &straight);
    sm.launch(4);
    for (int slot = 0; slot < 4; ++slot) {
      sm.policy().on_loop({warp(slot), 0, LaneMask::all(), true});
      if (std::string(text) != "ps" && std::string(text) != "cawa")
        sm.policy().on_coalesced({warp(slot), 5, true, 4, 32, true});
    }
    const isa::Kernel* const ended = &straight;
    sm.exit(4);
    sm.kernel(What::end, 1, ended);
    if (std::string(text) == "ps") {
      sm.issue(ready(0));
      sm::PolicyReport report(sm::PolicyReport::Contents::counters_and_levels);
      sm.policy().report_statistics(report, Cycle{1});
      const std::map<std::string, std::uint64_t> levels{report.levels().begin(),
                                                        report.levels().end()};
      EXPECT_EQ(levels.at("ps.in_region_warps"), 4u) << "the end of kernel 1 changes no region";
      EXPECT_EQ(levels.at("ps.high_warps"), 2u);
    }
  }
}

}  // namespace heddle::sched
