// Two policies outside Heddle's tree: an order with a parameter, and a limiter for any order.
#include "sched/framework/plugin.h"

namespace {

using heddle::WarpSlot;
using namespace heddle::sched;

// Picks the issuable warp with the lowest (or highest) slot number.
class BySlot final : public heddle::sm::WarpScheduler {
 public:
  enum class First { lowest, highest };
  struct Options {
    First first = First::lowest;
    static auto parameters() {
      return std::make_tuple(choice("first", &Options::first, {"lowest", "highest"},
                                    "slot that issues first", "this example"));
    }
  };
  explicit BySlot(const Options& options) : options_(options) {}

  WarpSlot pick(const heddle::sm::IssueView& view) override {
    if (options_.first == First::lowest) return view.issuable.lowest();
    WarpSlot last;
    view.issuable.for_each([&](WarpSlot warp) { last = warp; });
    return last;
  }

 private:
  Options options_;
};

// Loads may issue for `on` cycles, and are vetoed for the next `off` cycles.
class LoadBursts final : public Limiter {
 public:
  struct Options {
    std::uint32_t on = 64, off = 16;
    static auto parameters() {
      return std::make_tuple(number("on", &Options::on, 1, 1000000, "cycles",
                                    "time in which loads may issue", "this example"),
                             number("off", &Options::off, 0, 1000000, "cycles",
                                    "time in which loads are vetoed", "this example"));
    }
  };
  struct Statistics {
    std::uint64_t vetoes = 0;
    static constexpr auto fields() {
      return std::make_tuple(heddle::stats::counter("vetoes", heddle::stats::Unit::events,
                                                    "loads that could issue and were vetoed",
                                                    &Statistics::vetoes));
    }
  };
  explicit LoadBursts(const Options& options) : options_(options) {}

  void limit(heddle::sm::IssueView& view) override {
    if (phase(view.now) < options_.on) return;
    statistics_.add(view, view.issuable & view.head_is_load, &Statistics::vetoes);
    view.issuable = view.issuable & ~view.head_is_load;
  }
  void report_statistics(heddle::sm::PolicyReport& report, heddle::Cycle) const override {
    report.counters("load-bursts", statistics_);
  }
  // The veto ends with time, without an event: the first cycle, `now` or later, in which loads may
  // issue.
  heddle::Cycle wake_at(heddle::Cycle now) const override {
    return phase(now) >= options_.on ? now + (options_.on + options_.off - phase(now)) : now;
  }

 private:
  std::uint64_t phase(heddle::Cycle now) const { return now.value % (options_.on + options_.off); }
  Options options_;
  heddle::sm::KernelCounters<Statistics> statistics_;
};

PolicyEntry by_slot() {
  return policy<BySlot>("by-slot", "Lowest or highest slot first", "examples/my-policy");
}
PolicyEntry load_bursts() {
  return limiter<LoadBursts>("load-bursts", "Loads issue in bursts", "examples/my-policy", "lrr");
}

}  // namespace

HEDDLE_PLUGIN(by_slot, load_bursts)
