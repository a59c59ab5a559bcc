#include <tuple>

#include "sched/cta_table.h"
#include "sched/policy_entry.h"
#include "sm/mechanisms.h"

namespace heddle::sched {
namespace {

// Instructions that each CTA of an SM has issued.
struct Progress {
  CtaTable ctas;
  std::array<std::uint64_t, kMaxWarpsPerSm> issued{};

  void launch(const sm::WarpEvent& event) {
    bool arrived = false;
    const int cta = ctas.launch(event, arrived);
    if (arrived) issued[static_cast<std::size_t>(cta)] = 0;
  }
};

// Kernel-aware warp scheduling: oldest first until the kernel's last CTA has been dispatched; from then on the CTAs that progressed
// least come first, so that the last ones end sooner. A warp whose own scheduler's latch is taken may issue through another scheduler.
class KernelAware final : public sm::WarpScheduler {
 public:
  struct Options {
    bool order = true, sharing = true;
    sm::SharingRule share = sm::SharingRule::exactly_one;
    static auto parameters() {
      using O = Options;
      const char* const paper = "Vo and Kim, JIPS 2021";
      return std::make_tuple(
          choice("order", &O::order, {"off", "on"}, "whether CTAs that progressed least come first at the kernel's end; off: oldest first", paper),
          choice("sharing", &O::sharing, {"off", "on"}, "whether schedulers issue each other's warps", paper),
          choice("share", &O::share, {"exactly_one", "any_free"},
                 "who takes a warp: the only scheduler whose unit can take an instruction, or each such one; only when it issued nothing",
                 "exactly_one: the paper's figure 4; any_free: an interpretation"));
    }
  };
  KernelAware(const Options& options, const PolicyContext& where) : options_(options), progress_(shared_in_sm<Progress>(where)) {}

  void attach(sm::Mechanisms& machine) override {
    if (options_.sharing) machine.share_warps(options_.share);
  }
  WarpSlot pick(const sm::IssueView& view) override {
    if (!tail_ || !options_.order) return view.oldest(view.issuable);
    WarpSlot best;
    std::tuple<std::uint64_t, std::uint32_t, std::uint32_t> lowest;
    view.issuable.for_each([&](WarpSlot w) {
      const int cta = progress_->ctas.of(w);
      const auto place = cta < 0 ? std::tuple{std::uint64_t{0}, 0u, 0u}
                                 : std::tuple{progress_->issued[static_cast<std::size_t>(cta)], ~progress_->ctas[cta].age,
                                              view.age[static_cast<std::size_t>(w.index)]};
      if (best && lowest <= place) return;
      best = w;
      lowest = place;
    });
    return best;
  }
  sm::EventSet listens() const override { return sm::Event::issue | sm::Event::warp | sm::Event::kernel; }
  void on_issue(const sm::Issue& issue) override {
    if (const int cta = progress_->ctas.of(issue.warp); cta >= 0) ++progress_->issued[static_cast<std::size_t>(cta)];
  }
  void on_warp(const sm::WarpEvent& event) override {
    if (event.launch) progress_->launch(event);
    else progress_->ctas.exit(event.warp);
  }
  void on_kernel(const sm::KernelEvent& event) override { tail_ = event.what == sm::KernelEvent::What::last_cta_dispatched; }

 private:
  Options options_;
  std::shared_ptr<Progress> progress_;  // of the SM
  bool tail_ = false;
};

}  // namespace

PolicyEntry kernel_aware() {
  return policy<KernelAware>("kaws", "Oldest first; at the kernel's end the CTAs that progressed least; shared warps", "Vo and Kim, JIPS 2021");
}

}  // namespace heddle::sched
