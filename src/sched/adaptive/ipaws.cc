#include <fmt/format.h>

#include "sched/adaptive/ipaws_kernel.h"
#include "sched/framework/kernel_parts.h"
#include "sched/framework/policy_entry.h"
#include "stats/number_text.h"
#include "stats/ratio.h"

namespace heddle::sched {
namespace {

// Issue-pattern-aware scheduling: every kernel has its phase and its decision (ipaws_kernel.h).
// Where kernels share an SM, each SM favours one of them until it follows a decision for it: all
// warps of the favoured kernel count as older than the others (section 4.3 of the paper, sCKE).
class IssuePatternAwareScheduling final : public KernelParts<IpawsKernel> {
 public:
  using Options = IpawsOptions;
  using Statistics = IpawsStatistics;
  IssuePatternAwareScheduling(const Options& options, const PolicyContext& where)
      : KernelParts(where),
        options_(options),
        where_(where),
        vote_(shared_in_gpu<PatternVote>(where)) {
    add_kernel();
  }

  void attach(sm::Mechanisms& mechanisms) override {
    mechanisms_ = &mechanisms;
    KernelParts::attach(mechanisms);
  }
  WarpSlot pick(const sm::IssueView& view) override {
    if (IpawsKernel* const only = only_part()) return only->pick(view);
    const auto favoured = static_cast<std::size_t>(favoured_kernel(table(), where_.sm));
    if (!part(favoured).adapts())
      return pick_from(view, options_.kernel_order == KernelOrder::favoured
                                 ? favoured
                                 : view.now.value % parts());
    const WarpSlot picked = pick_from(view, favoured);
    if (picked && table().number(picked) != static_cast<int>(favoured))
      part(favoured).slot_of_another_kernel(restricted(view, warps_of(favoured)));
    return picked;
  }
  void on_kernel(const sm::KernelEvent& event) override {
    while (parts() <= static_cast<std::size_t>(event.number)) add_kernel();
    KernelParts::on_kernel(event);
  }

  static std::vector<policies::HardwareCost> hardware(const PolicyContext& where) {
    const auto counters = static_cast<std::uint64_t>(where.warp_slots);
    return {{"scores", 32 * counters, "the instruction-issue score of each warp slot, 32 bits"},
            {"stalls", 32 * counters, "the issue stalls of each warp slot, 32 bits"}};
  }
  static std::vector<stats::FieldInfo> records() {
    return {
        {"decisions",
         "",
         "per SM in which a warp ended in the adapt phase: cycle from the kernel's start, degree "
         "of convexity (sum of scores over threshold), instructions, barrier time and stalls by "
         "age, of which the first `of_interest` count; `decides`: other SMs follow this SM, or it "
         "decides for itself",
         {}}};
  }

 private:
  void add_kernel() {
    const auto kernel = static_cast<int>(parts());
    PolicyContext inside = where_;
    inside.part += kernel * kPartsOfPolicy;
    add(std::make_unique<IpawsKernel>(options_, inside, kernel, table(), vote_));
    if (mechanisms_) part(parts() - 1).attach(*mechanisms_);
  }

  Options options_;
  PolicyContext where_;
  std::shared_ptr<PatternVote> vote_;
  sm::Mechanisms* mechanisms_ = nullptr;
};

// What it chose, and how long it took to decide.
std::string decision(const policies::Counted& run) {
  std::uint64_t all = 0, deciding = 0;
  for (const auto& [name, cycles] : run.counters) {
    if (!name.starts_with("ipaws.phase_cycles.")) continue;
    all += cycles;
    if (name.ends_with(".adapt") || name.ends_with(".recover")) deciding += cycles;
  }
  if (all == 0) return {};
  const std::uint64_t fair = run.at("ipaws.round_robin_kernels"),
                      greedy = run.at("ipaws.greedy_kernels");
  const double share = stats::ratio(fair, fair + greedy);
  const std::string chose = fair + greedy == 0 ? "made no decision"
                            : share == 1       ? "chose round robin"
                            : share == 0       ? "stayed greedy"
                                         : fmt::format("chose round robin in {} of its decisions",
                                                       stats::percent(share, 0));
  return fmt::format("{} {}; its phases adapt and recover took {} of the time.", run.scheduler,
                     chose, stats::percent(stats::ratio(deciding, all)));
}

}  // namespace

PolicyEntry ipaws() {
  return policy<IssuePatternAwareScheduling>(
      "ipaws", "Greedy or round robin, chosen per kernel by how evenly the greedy order issues",
      "Lee et al., HPCA 2016",
      {.look = 7,
       .topics = {Topic::own_lines, Topic::shared_lines},
       .sentence = decision,
       .bars = {{"phase_cycles", "cycles of each phase", "cycles, summed over SMs"}},
       .issue_patterns = "decisions"});
}

}  // namespace heddle::sched
