#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

// Greedy with a bound: issue from one warp at most `run` times in a row, then from the oldest other
// issuable warp.
class BoundedGreed final : public sm::WarpScheduler {
 public:
  struct Options {
    std::uint32_t run = 16;
    static auto parameters() {
      return std::make_tuple(number("run", &Options::run, 1, 1024, "issues",
                                    "most issues of one warp in a row", "chosen for the guide"));
    }
  };
  explicit BoundedGreed(const Options& options) : options_(options) {}

  WarpSlot pick(const sm::IssueView& view) override {
    if (view.issuable.test(greedy_) && issued_ < options_.run) return greedy_;
    WarpMask others = view.issuable;
    if (greedy_) others.reset(greedy_);
    return others.any() ? view.oldest(others) : greedy_;
  }

  sm::EventSet subscribed_events() const override { return sm::Event::issue | sm::Event::warp; }
  void on_issue(const sm::Issue& issue) override {
    issued_ = issue.warp == greedy_ ? issued_ + 1 : 1;
    greedy_ = issue.warp;
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (!event.launch && event.warp == greedy_) greedy_ = WarpSlot::none;
  }

 private:
  Options options_;
  WarpSlot greedy_ = WarpSlot::none;
  std::uint32_t issued_ = 0;  // issues of the greedy warp in a row
};

}  // namespace

PolicyEntry bounded_greed() {
  return policy<BoundedGreed>("bounded-greed", "Greedy, but at most `run` issues in a row",
                              "docs/write-a-scheduler.md");
}

}  // namespace heddle::sched
