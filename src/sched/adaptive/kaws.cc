#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sched/framework/cta_table.h"
#include "sched/framework/kernel_table.h"
#include "sched/framework/policy_entry.h"
#include "sm/policy/mechanisms.h"
#include "stats/number_text.h"

namespace heddle::sched {
namespace {

struct KawsStatistics {
  std::uint64_t tail_cycles = 0, tail_instructions = 0;
  static constexpr auto fields() {
    using S = KawsStatistics;
    return std::make_tuple(
        stats::counter(
            "tail_cycles", stats::Unit::cycles,
            "cycles from the dispatch of the last CTA to the kernel's end, summed over SMs",
            &S::tail_cycles),
        stats::counter("tail_instructions", stats::Unit::warp_instructions,
                       "warp instructions issued in these cycles", &S::tail_instructions));
  }
};

struct KawsLevels {
  std::uint64_t tail_sms = 0, least_progress = 0, most_progress = 0, resident_ctas = 0;
  static constexpr auto fields() {
    using L = KawsLevels;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("tail_sms", Unit::events, "SMs after the dispatch of the last CTA",
                       &L::tail_sms),
        stats::counter("least_progress", Unit::warp_instructions,
                       "instructions of the resident CTA that has issued least, summed over SMs",
                       &L::least_progress),
        stats::counter("most_progress", Unit::warp_instructions,
                       "instructions of the resident CTA that has issued most, summed over SMs",
                       &L::most_progress),
        stats::counter("resident_ctas", Unit::ctas, "resident CTAs, summed over SMs",
                       &L::resident_ctas));
  }
};

// The instructions that each CTA of an SM has issued. The schedulers of the SM share it.
struct Progress {
  CtaTable ctas;
  std::array<std::uint64_t, kMaxWarpsPerSm> issued{};
  std::array<Cycle, kMaxWarpsPerSm> started{};
  sm::KernelCounters<KawsStatistics> statistics;
  struct CtaTime {
    std::uint64_t cta = 0;
    Cycle started, ended;
  };
  // By the kernel's number.
  struct OfKernel {
    CtaTime last_issued, last_ended;
    bool tail = false;
    Cycle start, tail_start;
  };
  std::vector<OfKernel> kernels;
  KernelTable table;
  WarpMask tail_warps;  // of kernels in their tails

  OfKernel& of(int kernel) {
    const auto i = static_cast<std::size_t>(kernel);
    if (i >= kernels.size()) kernels.resize(i + 1);
    return kernels[i];
  }
  void find_tail_warps() {
    tail_warps = WarpMask{};
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (kernels[i].tail) tail_warps |= table.warps(static_cast<int>(i));
  }
  std::uint64_t tails() const {
    return static_cast<std::uint64_t>(
        std::count_if(kernels.begin(), kernels.end(), [](const OfKernel& k) { return k.tail; }));
  }

  void launch(const sm::WarpEvent& event) {
    bool is_new = false;
    const int cta = ctas.launch(event, is_new);
    if (!is_new) return;
    issued[static_cast<std::size_t>(cta)] = 0;
    started[static_cast<std::size_t>(cta)] = event.now;
    of(event.kernel).last_issued = {event.cta, event.now, {}};
  }
  KawsLevels levels() const {
    KawsLevels now;
    now.tail_sms += tails() > 0;
    for (int cta = 0; cta < kMaxWarpsPerSm; ++cta) {
      if (ctas[cta].warps.none()) continue;
      const std::uint64_t progress = issued[static_cast<std::size_t>(cta)];
      now.least_progress =
          now.resident_ctas++ == 0 ? progress : std::min(now.least_progress, progress);
      now.most_progress = std::max(now.most_progress, progress);
    }
    return now;
  }
  void exit(const sm::WarpEvent& event) {
    const int cta = ctas.exit(event.warp);
    if (cta < 0 || ctas[cta].warps.any()) return;
    OfKernel& k = of(event.kernel);
    k.last_ended = {ctas[cta].linear, started[static_cast<std::size_t>(cta)], event.now};
    if (k.last_ended.cta == k.last_issued.cta && k.last_ended.started == k.last_issued.started)
      k.last_issued.ended = event.now;
  }
};

// The CTA of an SM that `last_ctas` lists.
enum class LastCta : std::uint8_t { issued, ended };

// Kernel-aware warp scheduling: oldest first until the kernel's last CTA has been dispatched (the
// tail begins). In the tail the CTAs with the fewest instructions issue first, so that the last
// CTAs end sooner. A warp whose own scheduler has no free operand collector may issue through
// another scheduler.
class KernelAwareScheduling final : public sm::WarpScheduler {
 public:
  struct Options {
    bool order = true, sharing = true;
    sm::WarpSharing::Gate share = sm::WarpSharing::Gate::exactly_one;
    sm::WarpSharing::Moment share_moment = sm::WarpSharing::Moment::before_issue;
    bool share_latch = false;
    std::uint32_t share_penalty = 0;
    LastCta last_cta = LastCta::issued;
    static auto parameters() {
      using O = Options;
      const char* const paper = "Vo and Kim, JIPS 2021";
      return std::make_tuple(
          choice("order", &O::order, {"off", "on"},
                 "whether the CTAs with the fewest instructions issue first in the tail; off: "
                 "oldest first",
                 paper),
          choice("sharing", &O::sharing, {"off", "on"},
                 "whether a warp may issue through another scheduler", paper),
          choice(
              "share", &O::share, {"exactly_one", "any_free"},
              "the scheduler that issues a warp of another one: the only one with a free operand "
              "collector of the unit, or any such one; it must have nothing of its own to issue",
              "exactly_one: the paper's figure 4; any_free: an interpretation"),
          choice("share_moment", &O::share_moment, {"before_issue", "after_issue"},
                 "when sharing is decided: between decode and issue, from instruction buffers and "
                 "operand collectors; or after all schedulers have picked, from the issue latches",
                 "before_issue: the paper's section 3; after_issue: an interpretation"),
          choice(
              "share_latch", &O::share_latch, {"no", "yes"},
              "whether a scheduler whose issue latch of the unit is taken counts as one without "
              "a free operand collector",
              "no: the paper's figure 4 names the collectors; yes: an interpretation, its figure "
              "has one place"),
          number(
              "share_penalty", &O::share_penalty, 0u, 64u, "cycles",
              "additional latency of the operands of a warp that issues through another scheduler",
              "an interpretation: the paper names no cost"),
          choice("last_cta", &O::last_cta, {"issued", "ended"},
                 "the CTA that last_ctas lists: the one that the SM started last, or the one that "
                 "ended last",
                 "issued: the paper's section 4.2; ended: an interpretation"));
    }
  };
  using Statistics = KawsStatistics;
  using Levels = KawsLevels;
  KernelAwareScheduling(const Options& options, const PolicyContext& where)
      : options_(options),
        progress_(shared_in_sm<Progress>(where)),
        first_in_sm_(where.scheduler == 0),
        sm_(static_cast<std::uint64_t>(where.sm)) {}

  void attach(sm::Mechanisms& machine) override {
    if (options_.sharing)
      machine.share_warps(
          {options_.share, options_.share_moment, options_.share_latch, options_.share_penalty});
  }
  WarpSlot pick(const sm::IssueView& view) override {
    const WarpMask tail = view.issuable & progress_->tail_warps;
    if (tail.none() || !options_.order) return view.oldest(view.issuable);
    WarpSlot best;
    Rank lowest;
    tail.for_each([&](WarpSlot w) {
      const Rank its = rank(view, w);
      if (best && lowest <= its) return;
      best = w;
      lowest = its;
    });
    return best;
  }
  WarpMask visited_before(const sm::IssueView& view, WarpMask among,
                          WarpSlot chosen) const override {
    const WarpMask tail = among & progress_->tail_warps;
    if (!options_.order) return view.older(among, chosen);
    if (!progress_->tail_warps.test(chosen)) return tail | view.older(among & ~tail, chosen);
    WarpMask before;
    const Rank of_chosen = rank(view, chosen);
    tail.for_each([&](WarpSlot w) {
      if (rank(view, w) < of_chosen) before.set(w);
    });
    return before;
  }
  sm::EventSet subscribed_events() const override {
    return sm::Event::issue | sm::Event::warp | sm::Event::kernel;
  }
  void on_issue(const sm::Issue& issue) override {
    if (progress_->tail_warps.test(issue.warp))
      ++progress_->statistics.of(issue.kernel).tail_instructions;
    if (const int cta = progress_->ctas.of(issue.warp); cta >= 0)
      ++progress_->issued[static_cast<std::size_t>(cta)];
  }
  void on_warp(const sm::WarpEvent& event) override {
    progress_->table.on_warp(event);
    if (event.launch) {
      progress_->launch(event);
      progress_->tail_warps.assign(event.warp, progress_->of(event.kernel).tail);
    } else {
      progress_->exit(event);
      progress_->tail_warps.reset(event.warp);
    }
  }
  void on_kernel(const sm::KernelEvent& event) override {
    using What = sm::KernelEvent::What;
    if (!first_in_sm_) return;
    progress_->table.on_kernel(event);
    Progress::OfKernel& k = progress_->of(event.number);
    if (event.what == What::start) k.start = event.now;
    if (event.what == What::last_cta_dispatched) k.tail_start = event.now;
    if (event.what == What::end && k.tail)
      progress_->statistics.of(event.number).tail_cycles += event.now - k.tail_start;
    k.tail = event.what == What::last_cta_dispatched;
    progress_->find_tail_warps();
  }
  static std::vector<policies::HardwareCost> hardware(const PolicyContext&) {
    constexpr std::uint64_t kCtas = 32;  // of an SM of the paper's GPU
    return {{"progress", 32 * kCtas, "the instructions of each of 32 CTAs, 32 bits"}};
  }
  static std::vector<stats::FieldInfo> records() {
    return {{"last_ctas",
             "cycles",
             "per SM, the CTA that started last (last_cta=ended: that ended last): its number, its "
             "cycles, and its end, counted from the kernel's start",
             {}}};
  }
  void report_statistics(sm::PolicyReport& report, Cycle now) const override {
    if (!first_in_sm_) return;
    sm::KernelCounters<KawsStatistics> statistics = progress_->statistics;
    for (std::size_t i = 0; i < progress_->kernels.size(); ++i)
      if (const Progress::OfKernel& k = progress_->kernels[i]; k.tail && now > k.tail_start)
        statistics.of(static_cast<int>(i)).tail_cycles += now - k.tail_start;
    report.counters("kaws", statistics);
    if (report.wants_levels()) report.levels("kaws", progress_->levels());
    if (!report.wants_records()) return;
    for (std::size_t i = 0; i < progress_->kernels.size(); ++i) {
      const Progress::OfKernel& k = progress_->kernels[i];
      const Progress::CtaTime& last =
          options_.last_cta == LastCta::issued ? k.last_issued : k.last_ended;
      if (progress_->table.is_reported(static_cast<int>(i), now) && last.started >= k.start &&
          last.ended > last.started)
        report.record("kaws", "last_ctas")
            .put("sm", sm_)
            .put("cta", last.cta)
            .put("cycles", last.ended - last.started)
            .put("ended", last.ended - k.start);
    }
  }

 private:
  using Rank = std::tuple<std::uint64_t, std::uint32_t,
                          std::uint32_t>;  // in the tail: the smallest issues first
  Rank rank(const sm::IssueView& view, WarpSlot w) const {
    const int cta = progress_->ctas.of(w);
    if (cta < 0) return {};
    return {progress_->issued[static_cast<std::size_t>(cta)], ~progress_->ctas[cta].age,
            view.age[static_cast<std::size_t>(w.index)]};
  }

  Options options_;
  std::shared_ptr<Progress> progress_;  // of the SM
  bool first_in_sm_;                    // reports for the SM
  std::uint64_t sm_;
};

policies::Bar bar_of_last_cta(const policies::RecordValues& value) {
  const auto grouped = [&](const char* name) {
    return stats::grouped(static_cast<std::uint64_t>(value(name)));
  };
  return {fmt::format("SM {:.0f}, CTA {:.0f}", value("sm"), value("cta")), value("cycles"),
          fmt::format("{}, ended {}", grouped("cycles"), grouped("ended"))};
}

}  // namespace

PolicyEntry kaws() {
  return policy<KernelAwareScheduling>(
      "kaws", "Oldest first; in the tail CTAs with fewest instructions; warp sharing",
      "Vo and Kim, JIPS 2021",
      {.look = 8,
       .topics = {Topic::tail},
       .bars = {{"last_ctas", "time of the last CTA of each SM",
                 "core cycles from its start to its end; ended: from the kernel's start",
                 bar_of_last_cta}}});
}

}  // namespace heddle::sched
