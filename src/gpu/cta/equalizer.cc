// Equalizer (Sethia and Mahlke, MICRO 2014), the part that sets the number of CTAs. In every epoch
// the states of an SM's warps say whether the kernel is bound by memory, by arithmetic, or by
// latency; only the last one gets more CTAs. The paper also changes the clocks of SMs and memory;
// Heddle's clocks are fixed, and the actions that the paper would take are counted.
#include "gpu/cta/cta_entry.h"
#include "gpu/cta/running_ctas.h"

namespace heddle::gpu {
namespace {

struct EqualizerStatistics {
  RunningCtasStatistics ctas;
  std::uint64_t memory_epochs = 0, compute_epochs = 0;
  static constexpr auto fields() {
    using S = EqualizerStatistics;
    return std::make_tuple(
        stats::group("ctas", &S::ctas),
        stats::counter("memory_epochs", stats::Unit::events,
                       "epochs of SMs whose clock the paper would choose for memory",
                       &S::memory_epochs),
        stats::counter("compute_epochs", stats::Unit::events,
                       "epochs of SMs whose clock the paper would choose for arithmetic",
                       &S::compute_epochs));
  }
};

class Equalizer final : public CtaScheduler {
 public:
  struct Options {
    std::uint64_t epoch = 4096;
    std::uint32_t agreeing_epochs = 3;
    double bandwidth = 2;
    static auto parameters() {
      return std::make_tuple(
          policies::number("epoch", &Options::epoch, std::uint64_t{256}, std::uint64_t{1} << 20,
                           "cycles", "length of an epoch", "Sethia and Mahlke, MICRO 2014"),
          policies::number(
              "agreeing_epochs", &Options::agreeing_epochs, 1u, 100u, "epochs",
              "consecutive epochs that must want the same change of the number of CTAs",
              "Sethia and Mahlke, MICRO 2014"),
          policies::number("bandwidth", &Options::bandwidth, 0.0, 64.0, "warps",
                           "warps in excess at the memory pipeline above which memory bandwidth is "
                           "taken to be saturated",
                           "Sethia and Mahlke, MICRO 2014, algorithm 1"));
    }
  };
  using Statistics = EqualizerStatistics;

  Equalizer(const Options& options, const CtaContext& context)
      : options_(options), ctas_(context) {}

  Needs needs() const override { return {.warp_states = true, .epoch_cycles = options_.epoch}; }
  void begin_kernel(const KernelStart& start) override {
    warps_per_cta_ = start.warps_per_cta;
    wanted_.assign(static_cast<std::size_t>(start.sms), {});
    ctas_.begin_kernel(start, start.ctas_per_sm);
  }
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    ctas_.dispatch(from, to, free_slots, placements);
  }
  bool exhausted() const override { return ctas_.exhausted(); }
  void on_finished(const FinishedCta& cta) override { ctas_.on_finished(cta); }
  void on_epoch(Cycle, std::span<const SmEpoch> sms, CtaControl& control) override {
    for (std::size_t sm = 0; sm < sms.size(); ++sm)
      ctas_.change(static_cast<int>(sm), agreed_change(sm, wanted_change(sms[sm])), sms[sm],
                   control);
  }
  void report_statistics(sm::PolicyReport& report) const override {
    EqualizerStatistics all = statistics_;
    all.ctas = ctas_.statistics();
    report.counters("equalizer", all);
  }

 private:
  // What the last epochs of an SM wanted.
  struct Wanted {
    int change = 0;
    std::uint32_t epochs = 0;
  };

  // Algorithm 1. The counts are averages over the cycles of the epoch.
  int wanted_change(const SmEpoch& epoch) {
    const auto average = [&](std::uint64_t sum) {
      return epoch.cycles ? static_cast<double>(sum) / static_cast<double>(epoch.cycles) : 0;
    };
    const double memory = average(epoch.excess_memory_warps), alu = average(epoch.excess_alu_warps);
    if (memory > warps_per_cta_) {
      ++statistics_.memory_epochs;
      return -1;
    }
    if (alu > warps_per_cta_) {
      ++statistics_.compute_epochs;
    } else if (memory > options_.bandwidth) {
      ++statistics_.memory_epochs;
    } else if (epoch.active_warps == 0) {
      ++statistics_.compute_epochs;  // the other SMs still work
    } else if (average(epoch.waiting_warps) > average(epoch.active_warps) / 2) {
      ++(alu > memory ? statistics_.compute_epochs : statistics_.memory_epochs);
      return 1;
    }
    return 0;
  }
  // The change, once enough epochs in a row have wanted it.
  int agreed_change(std::size_t sm, int change) {
    Wanted& wanted = wanted_[sm];
    wanted.epochs = change == wanted.change ? wanted.epochs + 1 : 1;
    wanted.change = change;
    if (wanted.epochs < options_.agreeing_epochs) return 0;
    wanted.epochs = 0;
    return change;
  }

  Options options_;
  RunningCtas ctas_;
  int warps_per_cta_ = 1;
  std::vector<Wanted> wanted_;  // by SM
  EqualizerStatistics statistics_;
};

}  // namespace

CtaEntry equalizer() {
  return cta_scheduler<Equalizer>(
      "equalizer", "The number of running CTAs follows the states of each SM's warps",
      "Sethia and Mahlke, MICRO 2014");
}

}  // namespace heddle::gpu
