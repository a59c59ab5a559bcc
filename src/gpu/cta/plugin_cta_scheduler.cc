// CTA schedulers of plug-ins (policies/plugin_call.h).
#include <utility>

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
    policy_.call("begin_kernel()", [&] { inner_->begin_kernel(start); });
  }
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    policy_.call("dispatch()", [&] { inner_->dispatch(from, to, free_slots, placements); });
  }
  bool exhausted() const override {
    return policy_.call("exhausted()", [&] { return inner_->exhausted(); });
  }
  void on_finished(const FinishedCta& cta) override {
    policy_.call("on_finished()", [&] { inner_->on_finished(cta); });
  }
  void on_epoch(Cycle now, std::span<const SmEpoch> sms, CtaControl& control) override {
    policy_.call("on_epoch()", [&] { inner_->on_epoch(now, sms, control); });
  }
  analysis::Direction direction() const override {
    return policy_.call("direction()", [&] { return inner_->direction(); });
  }
  void report_statistics(sm::PolicyReport& report) const override {
    policy_.call("report_statistics()", [&] { inner_->report_statistics(report); });
  }

 private:
  policies::PluginPolicy policy_;
  std::unique_ptr<CtaScheduler> inner_;
};

}  // namespace

void guard(CtaEntry& entry, const std::string& file) {
  entry.parse = policies::guarded_parser<PluginCtaScheduler>(
      std::move(entry.parse), policies::PluginPolicy(CtaEntry::kind.name, entry.name, file));
}

}  // namespace heddle::gpu
