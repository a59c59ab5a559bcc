// Holds the number of running CTAs of each SM at a target: pauses the youngest running CTA, resumes
// the oldest paused one, and starts a new one only where none is paused. For policies that change
// the number of CTAs while they run (DYNCTA, Equalizer). A CTA that was paused for kLongestPause
// epochs runs in place of the youngest running one: it may hold a lock for which the others wait.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/cta/limited_round_robin.h"
#include "stats/fields.h"

namespace heddle::gpu {

struct RunningCtasStatistics {
  std::uint64_t epochs = 0, target_ctas = 0, raised = 0, lowered = 0, paused = 0, resumed = 0,
                exchanged = 0;
  static constexpr auto fields() {
    using S = RunningCtasStatistics;
    return std::make_tuple(
        stats::counter("epochs", stats::Unit::events, "epochs, summed over SMs", &S::epochs),
        stats::counter("target_ctas", stats::Unit::ctas,
                       "targets at the ends of epochs, summed over epochs and SMs",
                       &S::target_ctas),
        stats::counter("raised", stats::Unit::events, "targets raised by one", &S::raised),
        stats::counter("lowered", stats::Unit::events, "targets lowered by one", &S::lowered),
        stats::counter("paused", stats::Unit::ctas, "CTAs paused", &S::paused),
        stats::counter("resumed", stats::Unit::ctas,
                       "CTAs resumed; not those that resume because all CTAs of an SM are paused",
                       &S::resumed),
        stats::counter("exchanged", stats::Unit::ctas,
                       "of them, those that resumed because they were paused for long",
                       &S::exchanged));
  }
};

class RunningCtas {
 public:
  static constexpr int kLongestPause = 64;  // epochs

  explicit RunningCtas(const CtaContext& context) : round_robin_(context) {}

  void begin_kernel(const KernelStart& start, int target);
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements);
  bool exhausted() const { return round_robin_.exhausted(); }
  // A paused CTA takes the place of the one that finished.
  void on_finished(const FinishedCta& cta);

  // At an epoch: changes the target of an SM by `change`, at least 1 and at most the SM's room, and
  // pauses or resumes its CTAs.
  void change(int sm, int change, const SmEpoch& epoch, CtaControl& control);

  int target(int sm) const { return target_[static_cast<std::size_t>(sm)]; }
  int most() const { return most_; }  // CTAs that fit an SM
  const RunningCtasStatistics& statistics() const { return statistics_; }

 private:
  struct Paused {
    std::uint64_t cta;
    int epochs;  // at whose ends it was paused
  };
  // What an SM's CTAs did at the end of an epoch, and what they shall do.
  struct Lists {
    std::vector<std::uint64_t> running;
    std::vector<Paused> paused;
  };
  Lists lists_of(std::size_t sm, const SmEpoch& epoch) const;
  void pause_youngest(int sm, Lists& lists, CtaControl& control);
  void resume(int sm, std::size_t index, Lists& lists, CtaControl& control);

  LimitedRoundRobin round_robin_;
  int most_ = 1;
  CtaControl* control_ = nullptr;
  std::vector<int> target_;                  // by SM
  std::vector<std::vector<Paused>> paused_;  // by SM; oldest first
  RunningCtasStatistics statistics_;
};

}  // namespace heddle::gpu
