// Warped-Slicer (Xu et al., ISCA 2016): the kernels share every SM. First each SM runs one kernel
// with its own number of CTAs, which gives each kernel's performance as a function of its CTAs,
// once for each kernel. Water-filling then gives the next CTA to the kernel that loses most, until
// the SM's resources end.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "gpu/share/known_kernels.h"
#include "gpu/share/resource_shares.h"
#include "gpu/share/share_entry.h"

namespace heddle::gpu {
namespace {

struct WarpedSlicerStatistics {
  std::uint64_t profiles = 0, profile_cycles = 0, sliced = 0, spatial = 0;
  static constexpr auto fields() {
    using S = WarpedSlicerStatistics;
    return std::make_tuple(
        stats::counter("profiles", stats::Unit::events, "times that kernels were profiled",
                       &S::profiles),
        stats::counter("profile_cycles", stats::Unit::cycles, "complete epochs of these profiles",
                       &S::profile_cycles),
        stats::counter("sliced", stats::Unit::events, "decisions to divide every SM", &S::sliced),
        stats::counter("spatial", stats::Unit::events,
                       "decisions to divide the SMs, because a kernel would lose too much",
                       &S::spatial));
  }
};

class WarpedSlicer final : public ShareScheduler {
 public:
  struct Options {
    std::uint32_t warmup = 5000, sample = 5000, loss = 60;
    bool scaling = false, reuse = true;
    static auto parameters() {
      return std::make_tuple(
          policies::number("warmup", &Options::warmup, 0, 10000000, "core cycles",
                           "from the start of the profile to its sample", "an interpretation"),
          policies::number("sample", &Options::sample, 100, 10000000, "core cycles",
                           "length of the sample", "an interpretation"),
          policies::number("loss", &Options::loss, 0, 100, "percent",
                           "if a kernel would lose more of its performance, the SMs are divided "
                           "instead; 100: never",
                           "an interpretation: 1.2 / kernels, for two kernels"),
          policies::choice(
              "scaling", &Options::scaling, {"no", "yes"},
              "whether the performance of an SM in the profile is scaled to the bandwidth "
              "that it would have if all SMs ran as many CTAs",
              "yes: Xu et al., ISCA 2016, by a formula that is an interpretation; no: "
              "measured, it does not gain"),
          policies::choice("reuse", &Options::reuse, {"no", "yes"},
                           "whether the profile of a kernel holds for its later launches, too",
                           "an interpretation: the paper's kernels are launched once"));
    }
  };
  using Statistics = WarpedSlicerStatistics;

  WarpedSlicer(const Options& options, const ShareContext& context)
      : options_(options), context_(context) {}

  ShareNeeds needs() const override {
    return {.epoch_cycles = std::max(100u, options_.sample / 10), .memory = options_.scaling};
  }

  void kernels_changed(std::span<const SharedKernel> kernels, Cycle now) override {
    kernels_.assign(kernels.begin(), kernels.end());
    std::sort(kernels_.begin(), kernels_.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    phase_ = kernels_.size() < 2 ? Phase::alone : Phase::profile;
    if (phase_ == Phase::alone) return;
    if (options_.reuse && std::all_of(kernels_.begin(), kernels_.end(),
                                      [this](const auto& k) { return known_.find(k) != nullptr; }))
      return decide();
    ++statistics_.profiles;
    last_ = now;
    begin_ = now + options_.warmup;
    end_ = begin_ + options_.sample;
    measured_.assign(static_cast<std::size_t>(context_.sms), {});
  }

  int most_ctas(int kernel, int sm) const override {
    switch (phase_) {
      case Phase::alone: return kNoLimit;
      case Phase::profile: return owner(sm).number == kernel ? ctas_of_profile(sm) : 0;
      case Phase::spatial: return owner(sm).number == kernel ? kNoLimit : 0;
      case Phase::sliced: break;
    }
    return limits_.at(kernel);
  }

  void on_epoch(std::span<const SharedEpoch> epochs, Cycle now) override {
    if (phase_ != Phase::profile) return;
    statistics_.profile_cycles += now - std::exchange(last_, now);
    if (now < begin_) return;
    for (const SharedEpoch& e : epochs)
      if (owner(e.sm).number == e.kernel) measured_[static_cast<std::size_t>(e.sm)].add(e);
    if (now < end_) return;
    for (const SharedKernel& k : kernels_) known_.set(k, curve_of(k));
    decide();
  }

  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("warped-slicer", statistics_);
  }

 private:
  enum class Phase { alone, profile, sliced, spatial };
  using Curve = std::vector<double>;  // performance with 1, 2, ... CTAs, relative to the best

  // What the owner of an SM did there in the sample.
  struct Measured {
    std::uint64_t warp_instructions = 0, slots = 0, lost = 0, epochs = 0;
    double dram_busy_percent = 0;  // summed over epochs
    void add(const SharedEpoch& e) {
      warp_instructions += e.warp_instructions;
      slots += e.issue_slots;
      lost += e.lost_slots;
      dram_busy_percent += e.dram_busy_percent;
      ++epochs;
    }
    // The part of the SM's time that depends on its bandwidth: slots are lost, and the DRAM is
    // busy.
    double bandwidth_bound() const {
      if (slots == 0 || epochs == 0) return 0;
      return static_cast<double>(lost) / static_cast<double>(slots) * dram_busy_percent / 100 /
             static_cast<double>(epochs);
    }
  };

  std::size_t part_of(int sm) const {
    return static_cast<std::size_t>(sm) * kernels_.size() / static_cast<std::size_t>(context_.sms);
  }
  const SharedKernel& owner(int sm) const { return kernels_[part_of(sm)]; }

  // The SMs of a kernel's part run 1 to most_ctas CTAs.
  int ctas_of_profile(int sm) const {
    int first = sm, last = sm;
    while (first > 0 && part_of(first - 1) == part_of(sm)) --first;
    while (last + 1 < context_.sms && part_of(last + 1) == part_of(sm)) ++last;
    const int most = owner(sm).most_ctas;
    return first == last ? most : 1 + (sm - first) * (most - 1) / (last - first);
  }

  // CTAs per SM of the kernel in the profile.
  double mean_ctas(const SharedKernel& k) const {
    int ctas = 0, sms = 0;
    for (int sm = 0; sm < context_.sms; ++sm)
      if (owner(sm).number == k.number) ctas += ctas_of_profile(sm), ++sms;
    return sms > 0 ? static_cast<double>(ctas) / sms : 1;
  }
  // SMs divide the bandwidth by their CTAs. If all SMs ran as many CTAs as this one, each would
  // have an equal part: mean CTAs / CTAs times as much. The part of the time that is bound by
  // bandwidth is scaled by that.
  double performance_of(int sm, double mean) const {
    const Measured& m = measured_[static_cast<std::size_t>(sm)];
    const double scale =
        options_.scaling ? 1 + m.bandwidth_bound() * (mean / ctas_of_profile(sm) - 1) : 1;
    return scale * static_cast<double>(m.warp_instructions);
  }

  // Counts of CTAs between samples are interpolated.
  Curve curve_of(const SharedKernel& k) const {
    const double mean = mean_ctas(k);
    std::map<int, std::pair<double, int>> samples;  // by CTAs: sum, SMs
    for (int sm = 0; sm < context_.sms; ++sm) {
      if (owner(sm).number != k.number) continue;
      auto& [sum, count] = samples[ctas_of_profile(sm)];
      sum += performance_of(sm, mean);
      ++count;
    }
    Curve curve;
    int from = 0;
    double at_from = 0;
    for (const auto& [ctas, sample] : samples) {
      const double value = sample.first / sample.second;
      for (int n = from + 1; n <= ctas; ++n)
        curve.push_back(at_from + (value - at_from) * (n - from) / (ctas - from));
      from = ctas;
      at_from = value;
    }
    if (curve.empty()) curve.push_back(0);  // more kernels than SMs
    const double best = *std::max_element(curve.begin(), curve.end());
    for (double& value : curve) value = best > 0 ? value / best : 1;
    return curve;
  }

  void decide() {
    Resources left = resources_of(context_.sm);
    std::vector<Curve> curves;
    std::vector<int> ctas;
    bool fits = true;
    for (const SharedKernel& k : kernels_) {
      curves.push_back(*known_.find(k));
      ctas.push_back(1);
      fits &= ctas_in(left, resources_of(k.cta)) > 0;
      if (fits) take(left, resources_of(k.cta));
    }
    const auto performance = [&](std::size_t i) {
      return curves[i][std::min(curves[i].size(), static_cast<std::size_t>(ctas[i])) - 1];
    };
    // To the smallest number of CTAs with a higher performance; 0: none fits.
    const auto next_step = [&](std::size_t i) {
      for (int n = ctas[i] + 1; n <= static_cast<int>(curves[i].size()); ++n) {
        if (static_cast<std::uint64_t>(n - ctas[i]) > ctas_in(left, resources_of(kernels_[i].cta)))
          return 0;
        if (curves[i][static_cast<std::size_t>(n) - 1] > performance(i)) return n - ctas[i];
      }
      return 0;
    };
    while (fits) {
      std::size_t worst = kernels_.size();
      for (std::size_t i = 0; i < kernels_.size(); ++i)
        if (next_step(i) > 0 && (worst == kernels_.size() || performance(i) < performance(worst)))
          worst = i;
      if (worst == kernels_.size()) break;
      for (int n = next_step(worst); n > 0; --n) {
        take(left, resources_of(kernels_[worst].cta));
        ++ctas[worst];
      }
    }
    double least = 1;
    for (std::size_t i = 0; i < kernels_.size(); ++i) least = std::min(least, performance(i));
    phase_ = fits && (1 - least) * 100 <= options_.loss ? Phase::sliced : Phase::spatial;
    ++(phase_ == Phase::sliced ? statistics_.sliced : statistics_.spatial);
    for (std::size_t i = 0; i < kernels_.size(); ++i) limits_[kernels_[i].number] = ctas[i];
  }

  Options options_;
  ShareContext context_;
  Phase phase_ = Phase::alone;
  std::vector<SharedKernel> kernels_;  // by number
  KnownKernels<Curve> known_;
  std::vector<Measured> measured_;  // by SM
  std::map<int, int> limits_;       // by kernel: CTAs on each SM
  Cycle begin_, end_;               // of the sample
  Cycle last_;                      // end of the last epoch
  WarpedSlicerStatistics statistics_;
};

}  // namespace

ShareEntry warped_slicer() {
  return share_policy<WarpedSlicer>("warped-slicer", "CTA counts by profile and water-filling",
                                    "Xu et al., ISCA 2016");
}

}  // namespace heddle::gpu
