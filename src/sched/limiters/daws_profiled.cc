#include "sched/framework/policy_entry.h"
#include "sched/limiters/footprint_limiter.h"
#include "sched/limiters/load_profile.h"

namespace heddle::sched {
namespace {

struct ProfiledOptions : FootprintOptions {
  std::string profile{kFromARun};
  std::shared_ptr<const LoadProfile> read{};  // what stands there

  static auto parameters() {
    using O = ProfiledOptions;
    return std::tuple_cat(std::make_tuple(file("profile", &O::profile,
                                               "the load classification, written by heddle profile",
                                               "Rogers et al., MICRO 2013")),
                          rows<O>());
  }
  void prepare() {
    if (profile != kFromARun) read = std::make_shared<LoadProfile>(LoadProfile::read(profile));
  }
  std::string missing_input() const {
    return read ? ""
                : "scheduler daws-profiled needs profile=FILE: heddle profile PROGRAM -o FILE "
                  "writes it, heddle compare makes one by itself";
  }
};

struct ProfiledLoads final : LoopPredictor {
  std::uint32_t predict(Pc loop, int lanes) const override { return table.predict(loop, lanes); }
  Pc loop_behind(Pc pc) const override { return table.loop_behind(pc); }
  LoadTable table{0};
};

struct ProfiledState : FootprintState {
  using FootprintState::FootprintState;
  ProfiledLoads loads;
};

// DAWS with its load classification known beforehand, from another run. Without one no load is
// classified, and none waits.
class ProfiledDivergenceAware final : public FootprintLimiter {
 public:
  using Options = ProfiledOptions;
  ProfiledDivergenceAware(const Options& options, const PolicyContext& where)
      : ProfiledDivergenceAware(options, shared_in_sm<ProfiledState>(where, options, where),
                                where) {}

  void on_kernel(const sm::KernelEvent& event) override {
    FootprintLimiter::on_kernel(event);
    if (event.what == sm::KernelEvent::What::start && profile_)
      profiled_->loads.table = profile_->table_of(*event.kernel);
  }

 private:
  ProfiledDivergenceAware(const Options& options, std::shared_ptr<ProfiledState> state,
                          const PolicyContext& where)
      : FootprintLimiter("daws-profiled", *state, state->loads, where.scheduler == 0),
        profile_(options.read),
        profiled_(std::move(state)) {}

  std::shared_ptr<const LoadProfile> profile_;
  std::shared_ptr<ProfiledState> profiled_;
};

}  // namespace

PolicyEntry profiled_divergence_aware() {
  return limiter<ProfiledDivergenceAware>(
      "daws-profiled", "DAWS with the loads classified by an earlier run (heddle profile)",
      "Rogers et al., MICRO 2013");
}

}  // namespace heddle::sched
