// Two policies outside Heddle's tree: an order with a parameter, and a limiter that can stand over
// any order.
#include "sched/framework/plugin.h"

namespace {

using heddle::WarpMask;
using heddle::WarpSlot;
using namespace heddle::sched;

// One warp after the other: the candidate with the highest (or lowest) slot number.
class BySlot final : public heddle::sm::WarpScheduler {
 public:
  enum class First { lowest, highest };
  struct Options {
    First first = First::lowest;
    static auto parameters() {
      return std::make_tuple(choice("first", &Options::first, {"lowest", "highest"},
                                    "slot that goes first", "this example"));
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

// Loads are let through in bursts: for `on` cycles they may issue, for `off` cycles they wait.
class LoadBursts final : public Limiter {
 public:
  struct Options {
    std::uint32_t on = 64, off = 16;
    static auto parameters() {
      return std::make_tuple(
          number("on", &Options::on, 1, 1000000, "cycles", "loads may issue", "this example"),
          number("off", &Options::off, 0, 1000000, "cycles", "loads wait", "this example"));
    }
  };
  explicit LoadBursts(const Options& options) : options_(options) {}

  void limit(heddle::sm::IssueView& view) override {
    if (phase(view.now) >= options_.on) view.issuable = view.issuable & ~view.head_is_load;
  }
  // A veto that ends with time alone: the first cycle from `now` on in which loads may issue. Asked
  // after the veto, perhaps when it is over.
  heddle::Cycle wake_at(heddle::Cycle now) const override {
    return phase(now) >= options_.on ? now + (options_.on + options_.off - phase(now)) : now;
  }

 private:
  std::uint64_t phase(heddle::Cycle now) const { return now.value % (options_.on + options_.off); }
  Options options_;
};

PolicyEntry by_slot() {
  return policy<BySlot>("by-slot", "Lowest or highest slot first", "examples/my-policy");
}
PolicyEntry load_bursts() {
  return limiter<LoadBursts>("load-bursts", "Loads issue in bursts", "examples/my-policy", "lrr");
}

}  // namespace

HEDDLE_PLUGIN(by_slot, load_bursts)
