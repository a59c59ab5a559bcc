// Simultaneous multikernel (SMK; Wang et al., HPCA 2016): kernels share every SM. CTAs are assigned
// so that the kernels' dominant shares of the SM's resources are equal. Issue quotas per epoch keep
// the kernels' progress equal: a kernel's quota is proportional to the rate at which it issues
// alone. The rate is measured while the kernels run on separate SMs, once for each kernel.
// Preemption (partial context switching) is not modelled: CTAs run to their end.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "gpu/share/known_kernels.h"
#include "gpu/share/resource_shares.h"
#include "gpu/share/share_entry.h"

namespace heddle::gpu {
namespace {

enum class Quota { profiled, equal, none };

struct SmkStatistics {
  std::uint64_t profiles = 0, profile_cycles = 0, epochs = 0;
  static constexpr auto fields() {
    using S = SmkStatistics;
    return std::make_tuple(
        stats::counter("profiles", stats::Unit::events,
                       "times that kernels ran on separate SMs to measure their issue rates",
                       &S::profiles),
        stats::counter("profile_cycles", stats::Unit::cycles, "complete epochs of these times",
                       &S::profile_cycles),
        stats::counter("epochs", stats::Unit::events, "epochs of issue quotas", &S::epochs));
  }
};

class Smk final : public ShareScheduler {
 public:
  struct Options {
    std::uint32_t epoch = 1000, profile = 10000;
    Quota quota = Quota::profiled;
    bool reuse = true;
    static auto parameters() {
      return std::make_tuple(
          policies::number("epoch", &Options::epoch, 100, 1000000, "core cycles",
                           "length of an epoch of issue quotas", "an interpretation"),
          policies::number("profile", &Options::profile, 100, 10000000, "core cycles",
                           "time on separate SMs to measure the issue rates (quota=profiled)",
                           "an interpretation: the paper profiles each kernel alone"),
          policies::choice("quota", &Options::quota, {"profiled", "equal", "none"},
                           "warp instructions of a kernel per epoch: its rate alone, or all issue "
                           "slots, divided by the number of kernels; none: no quotas",
                           "profiled: Wang et al., HPCA 2016"),
          policies::choice("reuse", &Options::reuse, {"no", "yes"},
                           "whether the rate of a kernel holds for its later launches, too",
                           "an interpretation: the paper's kernels are launched once"));
    }
  };
  using Statistics = SmkStatistics;

  Smk(const Options& options, const ShareContext& context) : options_(options), context_(context) {}

  ShareNeeds needs() const override {
    return {.epoch_cycles = options_.epoch, .issue_quotas = options_.quota != Quota::none};
  }

  void kernels_changed(std::span<const SharedKernel> kernels, Cycle now) override {
    profile_end_ = Cycle{};
    kernels_.assign(kernels.begin(), kernels.end());
    std::sort(kernels_.begin(), kernels_.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    limits_ = fair_limits(kernels);
    rates_.clear();
    if (kernels.size() < 2 || options_.quota != Quota::profiled) return;
    if (options_.reuse)
      for (const SharedKernel& k : kernels)
        if (const double* const rate = known_.find(k)) rates_[k.number] = *rate;
    if (rates_.size() == kernels.size()) return;
    ++statistics_.profiles;
    profile_end_ = now + options_.profile;
    profile_start_ = measured_until_ = now;
    measured_.clear();
  }

  int most_ctas(int kernel, int sm) const override {
    if (kernels_.size() < 2) return kNoLimit;
    if (profiling()) return kernel_of(sm) == kernel ? kNoLimit : 0;
    return limits_.at(kernel);
  }

  void on_epoch(std::span<const SharedEpoch> epochs, Cycle now) override {
    ++statistics_.epochs;
    if (!profiling()) return;
    for (const SharedEpoch& e : epochs)
      if (kernel_of(e.sm) == e.kernel) measured_[e.kernel] += e.warp_instructions;
    statistics_.profile_cycles += now - std::exchange(measured_until_, now);
    if (now >= profile_end_) end_profile();
  }

  std::uint64_t quota(int kernel, int) const override {
    if (options_.quota == Quota::none || kernels_.size() < 2 || profiling()) return kNoQuota;
    double rate = static_cast<double>(context_.sm.schedulers);
    if (const auto known = rates_.find(kernel); known != rates_.end()) rate = known->second;
    const double part = rate * options_.epoch / static_cast<double>(kernels_.size());
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(part));
  }

  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("smk", statistics_);
  }

 private:
  bool profiling() const { return profile_end_ > Cycle{}; }
  int kernel_of(int sm) const {
    return kernels_[static_cast<std::size_t>(sm) % kernels_.size()].number;
  }
  void end_profile() {
    profile_end_ = Cycle{};
    for (const SharedKernel& k : kernels_) {
      std::uint64_t sms = 0;
      for (int sm = 0; sm < context_.sms; ++sm) sms += kernel_of(sm) == k.number;
      const double cycles =
          static_cast<double>((measured_until_ - profile_start_) * std::max<std::uint64_t>(sms, 1));
      rates_[k.number] = static_cast<double>(measured_[k.number]) / cycles;
      known_.set(k, rates_[k.number]);
    }
  }

  // The kernel with the smallest dominant share gets the next CTA, until none fits.
  std::map<int, int> fair_limits(std::span<const SharedKernel> kernels) const {
    const Resources whole = resources_of(context_.sm);
    Resources left = whole;
    std::map<int, int> ctas;
    for (;;) {
      const SharedKernel* next = nullptr;
      double least = 2;
      for (const SharedKernel& k : kernels) {
        const Resources cta = resources_of(k.cta);
        const double share = dominant_share(whole, cta, ctas[k.number]);
        if (ctas[k.number] >= k.most_ctas || ctas_in(left, cta) == 0 || share >= least) continue;
        next = &k;
        least = share;
      }
      if (!next) break;
      take(left, resources_of(next->cta));
      ++ctas[next->number];
    }
    for (auto& [number, count] : ctas) count = std::max(count, 1);
    return ctas;
  }

  Options options_;
  ShareContext context_;
  std::vector<SharedKernel> kernels_;  // by number
  KnownKernels<double> known_;         // rates
  std::map<int, int> limits_;          // by kernel
  std::map<int, double> rates_;        // warp instructions per cycle and SM, alone
  std::map<int, std::uint64_t> measured_;
  Cycle profile_start_, profile_end_, measured_until_;
  SmkStatistics statistics_;
};

}  // namespace

ShareEntry smk() {
  return share_policy<Smk>("smk", "equal dominant shares of every SM and issue quotas",
                           "Wang et al., HPCA 2016");
}

}  // namespace heddle::gpu
