// DYNCTA (Kayiran, Jog, Kandemir and Das, PACT 2013). Every SM changes its number of running CTAs
// by what it did in the last period: more CTAs when it was idle or waited little for memory, fewer
// when it waited much. A CTA too many is paused.
#include "gpu/cta/cta_entry.h"
#include "gpu/cta/running_ctas.h"

namespace heddle::gpu {
namespace {

enum class FirstTarget { half, all };

class DynCta final : public CtaScheduler {
 public:
  struct Options {
    std::uint64_t period = 2048, idle = 16, memory_low = 128, memory_high = 384;
    FirstTarget start = FirstTarget::half;
    static auto parameters() {
      return std::make_tuple(
          policies::number("period", &Options::period, std::uint64_t{256}, std::uint64_t{1} << 20,
                           "cycles", "length of a sampling period", "Kayiran et al., PACT 2013"),
          policies::number("idle", &Options::idle, std::uint64_t{1}, std::uint64_t{1} << 20,
                           "cycles", "idle cycles of a period from which on the SM gets a CTA more",
                           "Kayiran et al., PACT 2013 (t_idle)"),
          policies::number(
              "memory_low", &Options::memory_low, std::uint64_t{0}, std::uint64_t{1} << 20,
              "cycles",
              "cycles of a period in which all warps wait for memory; below, the SM gets "
              "a CTA more",
              "Kayiran et al., PACT 2013 (t_mem_l)"),
          policies::number(
              "memory_high", &Options::memory_high, std::uint64_t{0}, std::uint64_t{1} << 20,
              "cycles",
              "cycles of a period in which all warps wait for memory; from there on the "
              "SM gets a CTA less",
              "Kayiran et al., PACT 2013 (t_mem_h)"),
          policies::choice("start", &Options::start, {"half", "all"},
                           "CTAs of an SM at the start of a kernel: half of those that fit, or all",
                           "half: Kayiran et al., PACT 2013"));
    }
  };
  using Statistics = RunningCtasStatistics;

  DynCta(const Options& options, const CtaContext& context) : options_(options), ctas_(context) {}

  Needs needs() const override { return {.warp_states = true, .epoch_cycles = options_.period}; }
  void begin_kernel(const KernelStart& start) override {
    ctas_.begin_kernel(
        start, options_.start == FirstTarget::half ? start.ctas_per_sm / 2 : start.ctas_per_sm);
  }
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    ctas_.dispatch(from, to, free_slots, placements);
  }
  bool exhausted() const override { return ctas_.exhausted(); }
  void on_finished(const FinishedCta& cta) override { ctas_.on_finished(cta); }
  void on_epoch(Cycle, std::span<const SmEpoch> sms, CtaControl& control) override {
    for (std::size_t sm = 0; sm < sms.size(); ++sm)
      ctas_.change(static_cast<int>(sm), change_after(sms[sm]), sms[sm], control);
  }
  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("dyncta", ctas_.statistics());
  }

 private:
  int change_after(const SmEpoch& epoch) const {
    if (epoch.idle_cycles >= options_.idle) return 1;
    if (epoch.memory_cycles < options_.memory_low) return 1;
    return epoch.memory_cycles >= options_.memory_high ? -1 : 0;
  }

  Options options_;
  RunningCtas ctas_;
};

}  // namespace

CtaEntry dyncta() {
  return cta_scheduler<DynCta>(
      "dyncta", "The number of running CTAs follows the idle and memory cycles of each SM",
      "Kayiran et al., PACT 2013");
}

}  // namespace heddle::gpu
