// The simulator skips cycles in which nothing changes. With every policy, on either core, each
// statistic is the same as when every cycle is simulated.
#include <gtest/gtest.h>

#include <map>

#include "sched/catalogue.h"
#include "sched/framework/limiter.h"
#include "stats/flatten.h"
#include "tests/sm/guided_bench.h"

namespace heddle::sched {
namespace {

using isa::OpClass;
using isa::Space;

// Lets the SM skip no cycle.
class EveryCycle final : public CompositeScheduler {
 public:
  explicit EveryCycle(std::unique_ptr<sm::WarpScheduler> policy) : policy_(std::move(policy)) {
    add(*policy_);
  }
  sm::EventSet subscribed_events() const override {
    return CompositeScheduler::subscribed_events() | sm::Event::cycle;
  }
  WarpSlot pick(const sm::IssueView& view) override { return policy_->pick(view); }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    return policy_->visited_before(view, among, chosen);
  }
  WarpMask visited_without_issue(WarpMask among) override {
    return policy_->visited_without_issue(among);
  }
  bool may_issue_second(WarpSlot warp, const isa::Instruction& i) override {
    return policy_->may_issue_second(warp, i);
  }
  WarpMask shareable(const sm::IssueView& view) override { return policy_->shareable(view); }

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

enum class Machine { collector, guided, guided_by_code };

config::GpuSpec spec_of(Machine machine) {
  config::GpuSpec gpu = machine == Machine::collector ? sm::test::gtx480() : sm::test::guided(2);
  gpu.sm.l1d.size_bytes = 4096;
  gpu.sm.l1d.set_index = config::SetIndex::linear;
  return gpu;
}

// Control words of machine code: those that Heddle computes, with longer stalls and yields.
void write_control_words(isa::Kernel& kernel) {
  const std::vector<isa::ControlWord> words = sm::test::words_of(kernel.instructions);
  for (std::size_t i = 0; i < words.size(); ++i) {
    isa::ControlWord& word = kernel.instructions[i].control = words[i];
    if (i % 5 == 2) word.stall_cycles = 12;
    word.yield = i % 3 == 1;
  }
  kernel.has_control_words = true;
}

using Statistics = std::map<std::string, std::uint64_t>;

// Those of the SM and of the policy.
Statistics run(const std::string& text, Machine machine, bool every_cycle) {
  const config::GpuSpec gpu = spec_of(machine);
  PolicyContext context;
  context.schedulers = static_cast<int>(gpu.sm.schedulers);
  context.in_sm = std::make_shared<SharedState>();
  context.in_gpu = std::make_shared<SharedState>();
  context.l1_lines = 32;
  const auto policy = parse_policy(text);
  const auto make = [&](int scheduler) -> std::unique_ptr<sm::WarpScheduler> {
    context.scheduler = scheduler;
    auto built = policy->build(context);
    if (every_cycle) built = std::make_unique<EveryCycle>(std::move(built));
    return built;
  };
  const auto behave = [](WarpSlot w, exec::Step& step) {
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
      step.addresses[lane] =
          0xC0000000 + (static_cast<std::uint64_t>(w.index) * 8 + lane % 8) * 128;
  };
  sm::test::Bench bench(code(), behave, gpu, 300, make);
  isa::Kernel& kernel = bench.source.kernel_ref();
  if (machine == Machine::guided_by_code) write_control_words(kernel);
  kernel.source_lines = {{}};
  kernel.loops.push_back(
      {0, isa::Loop::kNone, 1, {}, {{0, static_cast<Pc>(kernel.instructions.size()) - 1}}});
  const std::uint64_t cycles = bench.run(3, 6, 1, 4);
  Statistics all{{"end", cycles}};
  stats::flatten(bench.stats(),
                 [&](const std::string& name, std::uint64_t value) { all[name] = value; });
  sm::PolicyReport report;
  bench.sm.report(report, Cycle{cycles});
  all.insert(report.counters().begin(), report.counters().end());
  return all;
}

std::string differences(const Statistics& one, const Statistics& other) {
  std::string found;
  for (const auto& [name, value] : one)
    if (other.at(name) != value)
      found +=
          name + " " + std::to_string(value) + ", not " + std::to_string(other.at(name)) + "; ";
  return found;
}

}  // namespace

TEST(SkippedCycles, ChangeNoStatisticOfAnyPolicyOnEitherCore) {
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
  for (const std::string& policy : policies)
    for (const Machine machine : {Machine::collector, Machine::guided, Machine::guided_by_code}) {
      const Statistics usual = run(policy, machine, false), stepped = run(policy, machine, true);
      EXPECT_EQ(differences(usual, stepped), "")
          << policy << " on machine " << static_cast<int>(machine);
      EXPECT_EQ(usual.at("ctas_finished"), 6u) << policy;
    }
}

}  // namespace heddle::sched
