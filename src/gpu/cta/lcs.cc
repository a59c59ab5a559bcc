// Lazy CTA scheduling (Lee et al., HPCA 2014). A kernel begins with as many CTAs as fit, under a
// greedy warp order. When its first CTA ends, the warp instructions that each CTA of that SM has
// issued say how many CTAs the program uses: ceil(sum / largest). From then on an SM with so many
// CTAs gets no new one. The warp order should be gto.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gpu/cta/cta_entry.h"
#include "gpu/cta/limited_round_robin.h"

namespace heddle::gpu {
namespace {

enum class Decides { first_sm, each_sm };
enum class Rounding { up, down };

struct LcsStatistics {
  std::uint64_t decisions = 0, limits_below_maximum = 0;
  static constexpr auto fields() {
    using S = LcsStatistics;
    return std::make_tuple(
        stats::counter("decisions", stats::Unit::events, "limits decided", &S::decisions),
        stats::counter("limits_below_maximum", stats::Unit::events,
                       "of them, those below the number of CTAs that fit an SM",
                       &S::limits_below_maximum));
  }
};

class LazyCtaScheduling final : public CtaScheduler {
 public:
  struct Options {
    Decides decides = Decides::first_sm;
    Rounding rounding = Rounding::up;
    static auto parameters() {
      return std::make_tuple(
          policies::choice("decides", &Options::decides, {"first_sm", "each_sm"},
                           "whose first finished CTA decides a limit: the first of the GPU for all "
                           "SMs, or the first of each SM for this SM",
                           "first_sm: an interpretation of Lee et al., HPCA 2014"),
          policies::choice("rounding", &Options::rounding, {"up", "down"},
                           "rounding of issued instructions over those of the CTA with most",
                           "up: an interpretation of Lee et al., HPCA 2014"));
    }
  };
  using Statistics = LcsStatistics;
  static std::vector<stats::FieldInfo> records() {
    return {
        {"limits",
         "",
         "a limit: the SM that decided, the cycle from the kernel's start, the limit, the "
         "number of CTAs that fit, and the warp instructions that each CTA of the SM had issued",
         {}}};
  }

  LazyCtaScheduling(const Options& options, const CtaContext& context)
      : options_(options), round_robin_(context) {}

  Needs needs() const override { return {.issue_counts = true}; }
  void begin_kernel(const KernelStart& start) override {
    most_ = start.ctas_per_sm;
    start_ = start.now;
    decided_.assign(static_cast<std::size_t>(start.sms), false);
    decisions_.clear();
    round_robin_.begin_kernel(start, most_);
  }
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    round_robin_.dispatch(from, to, free_slots, placements);
  }
  bool exhausted() const override { return round_robin_.exhausted(); }
  void on_finished(const FinishedCta& cta) override {
    round_robin_.on_finished(cta);
    if (decided_[static_cast<std::size_t>(cta.sm)]) return;
    decide(cta);
  }
  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("lcs", statistics_);
    if (!report.wants_records()) return;
    for (const Decision& d : decisions_)
      report.record("lcs", "limits")
          .put("sm", static_cast<std::uint64_t>(d.sm))
          .put("cycle", d.cycle)
          .put("limit", static_cast<std::uint64_t>(d.limit))
          .put("maximum", static_cast<std::uint64_t>(most_))
          .put("issued", d.issued);
  }

 private:
  struct Decision {
    int sm;
    std::uint64_t cycle;
    int limit;
    std::vector<std::uint64_t> issued;
  };

  int limit_for(const std::vector<std::uint64_t>& issued) const {
    const std::uint64_t sum = std::accumulate(issued.begin(), issued.end(), std::uint64_t{0});
    const std::uint64_t largest =
        std::max<std::uint64_t>(1, *std::max_element(issued.begin(), issued.end()));
    const std::uint64_t ctas =
        options_.rounding == Rounding::up ? (sum + largest - 1) / largest : sum / largest;
    return std::clamp(static_cast<int>(ctas), 1, most_);
  }
  void decide(const FinishedCta& cta) {
    std::vector<std::uint64_t> issued{cta.issued};
    issued.insert(issued.end(), cta.others_issued.begin(), cta.others_issued.end());
    const int limit = limit_for(issued);
    if (options_.decides == Decides::each_sm) {
      decided_[static_cast<std::size_t>(cta.sm)] = true;
      round_robin_.set_limit(cta.sm, limit);
    } else {
      std::fill(decided_.begin(), decided_.end(), true);
      round_robin_.set_limits(limit);
    }
    ++statistics_.decisions;
    statistics_.limits_below_maximum += limit < most_;
    decisions_.push_back({cta.sm, cta.end - start_, limit, std::move(issued)});
  }

  Options options_;
  LimitedRoundRobin round_robin_;
  int most_ = 1;
  Cycle start_;
  std::vector<bool> decided_;  // by SM
  std::vector<Decision> decisions_;
  LcsStatistics statistics_;
};

std::string limits(const policies::Counted& run) {
  if (run.at("lcs.decisions") == 0) return {};
  return fmt::format("{} decided {} limits of CTAs, {} of them below what fits an SM.",
                     run.scheduler, run.at("lcs.decisions"), run.at("lcs.limits_below_maximum"));
}

}  // namespace

CtaEntry lcs() {
  return cta_scheduler<LazyCtaScheduling>(
      "lcs", "Lazy: the first CTA's end decides how many CTAs an SM gets", "Lee et al., HPCA 2014",
      {.sentence = limits});
}

}  // namespace heddle::gpu
