// The simulator skips cycles in which no warp can issue. Every policy gives the same results as
// when it is asked in every cycle.
#include <gtest/gtest.h>

#include "sched/catalogue.h"
#include "sched/framework/limiter.h"
#include "stats/fields.h"
#include "tests/sm/bench.h"

namespace heddle::sched {
namespace {

using isa::OpClass;
using isa::Space;

// Never lets the SM skip a cycle after a veto.
class Sleepless final : public CompositeScheduler {
 public:
  explicit Sleepless(std::unique_ptr<sm::WarpScheduler> policy) : policy_(std::move(policy)) {
    add(*policy_);
  }
  WarpSlot pick(const sm::IssueView& view) override { return policy_->pick(view); }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& i) override {
    return policy_->may_issue_second(warp, i);
  }
  Cycle wake_at(Cycle now) const override { return now; }

 private:
  std::unique_ptr<sm::WarpScheduler> policy_;
};

// Each warp loads from the same few lines repeatedly, computes, and reaches a barrier every fourth
// round. All of it is the body of a loop.
std::vector<isa::Instruction> code() {
  std::vector<isa::Instruction> all;
  for (int round = 0; round < 12; ++round) {
    all.push_back(sm::test::memory(OpClass::load, Space::global, {1}, {2}));
    all.push_back(sm::test::make(OpClass::fp_mad, {2}, {3}));
    all.push_back(sm::test::memory(OpClass::load, Space::global, {3}, {4}));
    all.push_back(sm::test::make(OpClass::alu, {4}, {1}));
    if (round % 4 == 3) {
      all.push_back(sm::test::make(OpClass::barrier));
      all.back().barrier = isa::BarrierOp::sync;
      all.push_back(sm::test::memory(OpClass::store, Space::global, {1, 4}, {}));
    }
  }
  for (isa::Instruction& i : all) i.loop = 0;
  all.front().loop_header = true;
  all.push_back(sm::test::exit());
  return all;
}

struct Outcome {
  std::uint64_t cycles;
  sm::SmStats stats;
};

Outcome run(const std::string& text, bool sleepless) {
  config::GpuSpec gpu = sm::test::gtx480();
  gpu.sm.l1d.size_bytes = 4096;
  gpu.sm.l1d.set_index = config::SetIndex::linear;
  PolicyContext context;
  context.schedulers = static_cast<int>(gpu.sm.schedulers);
  context.in_sm = std::make_shared<SharedState>();
  context.in_gpu = std::make_shared<SharedState>();
  context.l1_lines = 32;
  const auto policy = parse_policy(text);
  const auto make = [&](int scheduler) -> std::unique_ptr<sm::WarpScheduler> {
    context.scheduler = scheduler;
    auto built = policy->build(context);
    if (sleepless) built = std::make_unique<Sleepless>(std::move(built));
    return built;
  };
  const auto behave = [](WarpSlot w, exec::Step& step) {
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
      step.addresses[lane] =
          0xC0000000 + (static_cast<std::uint64_t>(w.index) * 8 + lane % 8) * 128;
  };
  sm::test::Bench bench(code(), behave, gpu, 300, make);
  isa::Kernel& kernel = bench.source.kernel_ref();
  kernel.source_lines = {{}};
  kernel.loops.push_back(
      {0, isa::Loop::kNone, 1, {}, {{0, static_cast<Pc>(kernel.instructions.size()) - 1}}});
  const std::uint64_t cycles = bench.run(3, 6, 1, 4);
  return {cycles, bench.stats()};
}

}  // namespace

TEST(SkippedCycles, DoNotChangeTheResultsOfAnyPolicy) {
  std::vector<std::string> policies{"swl:warps=2",
                                    "swl:warps=5+lrr",
                                    "ccws:cutoff=strict",
                                    "ccws+lrr",
                                    "ipaws:greedy=ccws",
                                    "ipaws:greedy=mascar",
                                    "mascar:guard=50,sat_margin=60",
                                    "mascar:entries=2,sat_margin=62",
                                    "mascar:sched=off",
                                    "mascar:reexec=off,sat_margin=60",
                                    "cawa:cache=off",
                                    "kaws:share=any_free",
                                    "two-level:max_active=2",
                                    "fetch-groups:group_size=2,switch_on=long_stall",
                                    "ps:group=1",
                                    "ps:group=2,patience=70+lrr",
                                    "ps:group=2,mode=prioritize,members=rank",
                                    "ps:group=1+ccws"};
  for (const auto& info : list_policies()) policies.push_back(info.name);
  for (const std::string& policy : policies) {
    const Outcome usual = run(policy, false), awake = run(policy, true);
    EXPECT_EQ(usual.cycles, awake.cycles) << policy;
    EXPECT_EQ(usual.stats.slots, awake.stats.slots) << policy;
    EXPECT_EQ(usual.stats.l1d.hits, awake.stats.l1d.hits) << policy;
    EXPECT_EQ(usual.stats.ctas_finished, 6u) << policy;
    EXPECT_EQ(usual.stats.thread_instructions, awake.stats.thread_instructions) << policy;
  }
}

}  // namespace heddle::sched
