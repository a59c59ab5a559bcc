// A CTA scheduler outside Heddle's tree: only some SMs get CTAs.
#include "gpu/cta/plugin.h"

namespace {

using namespace heddle::gpu;

class FewSms final : public CtaScheduler {
 public:
  struct Options {
    std::uint32_t sms = 1;
    static auto parameters() {
      return std::make_tuple(heddle::policies::number(
          "sms", &Options::sms, 1, 1024, "SMs", "SMs that get CTAs, from SM 0 on", "this example"));
    }
  };
  explicit FewSms(const Options& options) : options_(options) {}

  void begin_kernel(const KernelStart& start) override {
    next_ = 0;
    count_ = start.grid.count();
  }
  void dispatch(heddle::Cycle from, heddle::Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    for (heddle::Cycle at = from; at < to; ++at)
      for (std::size_t sm = 0; sm < free_slots.size() && sm < options_.sms; ++sm) {
        if (free_slots[sm] == 0 || exhausted()) continue;
        placements.push_back({static_cast<int>(sm), next_++, at});
        --free_slots[sm];
      }
  }
  bool exhausted() const override { return next_ == count_; }

 private:
  Options options_;
  std::uint64_t next_ = 0, count_ = 0;
};

CtaEntry few_sms() {
  return cta_scheduler<FewSms>("few-sms", "Only the first `sms` SMs get CTAs",
                               "examples/my-policy");
}

}  // namespace

HEDDLE_CTA_PLUGIN(few_sms)
