// An SM as the engine advances it: in windows of cycles. Tests of the engine stand in for it.
#pragma once

#include <vector>

#include "base/types.h"
#include "sm/cta/reported_cta.h"

namespace heddle::sm {

class WindowedSm {
 public:
  virtual ~WindowedSm() = default;
  // Simulates core cycles [from, to). Cycles in which the SM is quiescent are skipped and accounted
  // for at once.
  virtual void run(Cycle from, Cycle to) = 0;
  // run() follows soon: prefetches into the host's caches what every cycle reads.
  virtual void prefetch() const = 0;

  // Between windows. A CTA of any kernel is resident or queued.
  virtual bool has_ctas() const = 0;
  // No CTA is resident or queued, and no request of this SM, stores included, is unanswered.
  virtual bool drained() const = 0;
  // The first cycle >= from in which the SM can change without a new reply from memory; never()
  // when only a reply or a new CTA can change it. The engine may skip to it.
  virtual Cycle next_event(Cycle from) const = 0;
  virtual std::vector<FinishedCta> take_finished_ctas() = 0;  // since the last call
};

}  // namespace heddle::sm
