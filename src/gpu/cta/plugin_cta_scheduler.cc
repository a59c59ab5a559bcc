// CTA schedulers of plug-ins (policies/plugin_call.h).
#include <string>
#include <utility>
#include <vector>

#include "gpu/cta/catalogue.h"
#include "policies/plugin_call.h"

namespace heddle::gpu {
namespace {

class PluginCtaScheduler final : public CtaScheduler {
 public:
  PluginCtaScheduler(policies::PluginPolicy policy, std::unique_ptr<CtaScheduler> inner)
      : policy_(std::move(policy)), inner_(std::move(inner)) {}

  Needs needs() const override {
    return policy_.call("needs()", [&] { return inner_->needs(); });
  }
  void begin_kernel(const KernelStart& start) override {
    KernelStart checked = start;
    control_.inner = start.control;
    control_.sms = start.sms;
    if (start.control) checked.control = &control_;
    placed_.assign(start.grid.count(), false);
    left_ = placed_.size();
    policy_.call("begin_kernel()", [&] { inner_->begin_kernel(checked); });
  }
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    free_ = free_slots;
    next_start_.assign(free_.size(), from);
    const std::size_t before = placements.size();
    policy_.call("dispatch()", [&] { inner_->dispatch(from, to, free_slots, placements); });
    for (std::size_t i = before; i < placements.size(); ++i) check(placements[i], to);
  }
  bool exhausted() const override {
    const bool ended = policy_.call("exhausted()", [&] { return inner_->exhausted(); });
    if (ended && left_ > 0)
      policy_.refuse("exhausted()", "true, but " + std::to_string(left_) + " of " +
                                        std::to_string(placed_.size()) +
                                        " CTAs have not been placed");
    return ended;
  }
  void on_finished(const FinishedCta& cta) override {
    policy_.call("on_finished()", [&] { inner_->on_finished(cta); });
  }
  void on_epoch(Cycle now, std::span<const SmEpoch> sms, CtaControl& control) override {
    control_.inner = &control;
    policy_.call("on_epoch()", [&] { inner_->on_epoch(now, sms, control_); });
  }
  analysis::Direction direction() const override {
    return policy_.call("direction()", [&] { return inner_->direction(); });
  }
  void report_statistics(sm::PolicyReport& report) const override {
    policy_.call("report_statistics()", [&] { inner_->report_statistics(report); });
  }

 private:
  class Control final : public CtaControl {
   public:
    explicit Control(const policies::PluginPolicy& policy) : policy_(policy) {}
    void pause(int sm, std::uint64_t cta) override {
      check("pause()", sm);
      inner->pause(sm, cta);
    }
    void resume(int sm, std::uint64_t cta) override {
      check("resume()", sm);
      inner->resume(sm, cta);
    }
    CtaControl* inner = nullptr;
    int sms = 0;

   private:
    void check(const char* function, int sm) const {
      if (sm < 0 || sm >= sms)
        policy_.refuse(function, "SM " + std::to_string(sm) + " does not exist");
    }
    const policies::PluginPolicy& policy_;
  };

  void check(const Placement& placement, Cycle to) {
    const auto refuse = [&](const std::string& why) {
      policy_.refuse("dispatch()", "CTA " + std::to_string(placement.cta) + " on SM " +
                                       std::to_string(placement.sm) + " " + why);
    };
    if (placement.cta >= placed_.size())
      refuse("is outside of the grid of " + std::to_string(placed_.size()) + " CTAs");
    if (placed_[placement.cta]) refuse("has been placed before");
    const auto sm = static_cast<std::size_t>(placement.sm);
    if (sm >= free_.size()) refuse("is outside of SMs 0 to " + std::to_string(free_.size() - 1));
    if (free_[sm]-- <= 0) refuse("has no free slot there");
    if (placement.at < next_start_[sm] || placement.at >= to)
      refuse("starts in cycle " + std::to_string(placement.at.value) +
             "; the next CTA of the SM can start in cycles " +
             std::to_string(next_start_[sm].value) + " to " + std::to_string(to.value - 1));
    next_start_[sm] = placement.at + 1;
    placed_[placement.cta] = true;
    --left_;
  }

  policies::PluginPolicy policy_;
  std::unique_ptr<CtaScheduler> inner_;
  Control control_{policy_};
  std::vector<bool> placed_;  // of the grid
  std::uint64_t left_ = 0;
  // During dispatch(), by SM.
  std::vector<int> free_;
  std::vector<Cycle> next_start_;
};

}  // namespace

void guard(CtaEntry& entry, const std::string& file) {
  entry.parse = policies::guarded_parser<PluginCtaScheduler>(
      std::move(entry.parse), policies::PluginPolicy(CtaEntry::kind.name, entry.name, file));
}

}  // namespace heddle::gpu
