#include "sched/framework/policy_entry.h"
#include "sched/limiters/footprint_limiter.h"
#include "sched/limiters/load_profile.h"

namespace heddle::sched {
namespace {

struct DawsProfiledOptions : FootprintOptions {
  std::string profile{kAutomaticFile};
  std::shared_ptr<const LoadProfile> contents{};  // of the file `profile`

  static auto parameters() {
    using O = DawsProfiledOptions;
    return std::tuple_cat(std::make_tuple(file("profile", &O::profile,
                                               "the load classification, written by heddle profile",
                                               "Rogers et al., MICRO 2013")),
                          rows<O>());
  }
  void read_files() {
    if (profile != kAutomaticFile)
      contents = std::make_shared<LoadProfile>(LoadProfile::read(profile));
  }
  std::string missing_input() const {
    return contents ? ""
                    : "scheduler daws-profiled needs profile=FILE: heddle profile PROGRAM -o FILE "
                      "writes it, and heddle compare profiles automatically";
  }
};

struct ProfiledLoads final : LoopPredictor {
  std::uint32_t predict(Pc loop, int lanes) const override { return table.predict(loop, lanes); }
  Pc loop_after(Pc pc) const override { return table.loop_after(pc); }
  LoadTable table{0};
};

struct DawsProfiledState : FootprintState {
  DawsProfiledState(const DawsProfiledOptions& options, const PolicyContext& where)
      : FootprintState(options, where), loads(1) {}
  const LoopPredictor& predictor_of(int kernel) const override {
    return loads[static_cast<std::size_t>(kernel)];
  }
  std::vector<ProfiledLoads> loads;  // by number of the kernel
};

// DAWS with the load classification of an earlier run. Without a file no load is classified, and no
// load is vetoed.
class ProfiledDivergenceAwareScheduling final : public FootprintLimiter {
 public:
  using Options = DawsProfiledOptions;
  ProfiledDivergenceAwareScheduling(const Options& options, const PolicyContext& where)
      : ProfiledDivergenceAwareScheduling(
            options, shared_in_sm<DawsProfiledState>(where, options, where), where) {}

  void on_kernel(const sm::KernelEvent& event) override {
    FootprintLimiter::on_kernel(event);
    if (event.what != sm::KernelEvent::What::start) return;
    const auto kernel = static_cast<std::size_t>(event.number);
    if (profiled_->loads.size() <= kernel) profiled_->loads.resize(kernel + 1);
    if (profile_) profiled_->loads[kernel].table = profile_->table_of(*event.kernel);
  }

 private:
  ProfiledDivergenceAwareScheduling(const Options& options,
                                    std::shared_ptr<DawsProfiledState> state,
                                    const PolicyContext& where)
      : FootprintLimiter("daws-profiled", *state, where.scheduler == 0),
        profile_(options.contents),
        profiled_(std::move(state)) {}

  std::shared_ptr<const LoadProfile> profile_;
  std::shared_ptr<DawsProfiledState> profiled_;
};

}  // namespace

PolicyEntry daws_profiled() {
  return limiter<ProfiledDivergenceAwareScheduling>(
      "daws-profiled", "DAWS with the load classification of an earlier run (heddle profile)",
      "Rogers et al., MICRO 2013", "gto", {.look = 19});
}

}  // namespace heddle::sched
