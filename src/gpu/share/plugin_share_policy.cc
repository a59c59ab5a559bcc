// Share policies of plug-ins (policies/plugin_call.h).
#include <utility>

#include "gpu/share/catalogue.h"
#include "policies/plugin_call.h"

namespace heddle::gpu {
namespace {

class PluginShareScheduler final : public ShareScheduler {
 public:
  PluginShareScheduler(policies::PluginPolicy policy, std::unique_ptr<ShareScheduler> inner)
      : policy_(std::move(policy)), inner_(std::move(inner)) {}

  ShareNeeds needs() const override {
    return policy_.call("needs()", [&] { return inner_->needs(); });
  }
  void kernels_changed(std::span<const SharedKernel> kernels, Cycle now) override {
    policy_.call("kernels_changed()", [&] { inner_->kernels_changed(kernels, now); });
  }
  void programs_changed(std::span<const std::uint32_t> present, Cycle now) override {
    policy_.call("programs_changed()", [&] { inner_->programs_changed(present, now); });
  }
  int most_ctas(int kernel, int sm) const override {
    return policy_.call("most_ctas()", [&] { return inner_->most_ctas(kernel, sm); });
  }
  void on_epoch(std::span<const SharedEpoch> epochs, Cycle now) override {
    policy_.call("on_epoch()", [&] { inner_->on_epoch(epochs, now); });
  }
  std::uint64_t quota(int kernel, int sm) const override {
    return policy_.call("quota()", [&] { return inner_->quota(kernel, sm); });
  }
  void report_statistics(sm::PolicyReport& report) const override {
    policy_.call("report_statistics()", [&] { inner_->report_statistics(report); });
  }

 private:
  policies::PluginPolicy policy_;
  std::unique_ptr<ShareScheduler> inner_;
};

}  // namespace

void guard(ShareEntry& entry, const std::string& file) {
  entry.parse = policies::guarded_parser<PluginShareScheduler>(
      std::move(entry.parse), policies::PluginPolicy(ShareEntry::kind.name, entry.name, file));
}

}  // namespace heddle::gpu
