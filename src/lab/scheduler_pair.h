// A warp scheduler and a CTA scheduler that run together. The name of a pair is the warp scheduler
// alone when the CTA scheduler is rr, otherwise both: "gto", "gto + mapped:steal=yes".
#pragma once

#include <string>
#include <vector>

namespace heddle::lab {

struct SchedulerPair {
  std::string scheduler, cta_scheduler;

  std::string name() const;
  static SchedulerPair of(const std::string& name);
};

// The names of all pairs: every CTA scheduler with every warp scheduler, by CTA scheduler.
std::vector<std::string> pair_names(const std::vector<std::string>& schedulers,
                                    const std::vector<std::string>& cta_schedulers);

// Whether two of the pairs have different CTA schedulers.
bool differ_in_cta_scheduler(const std::vector<std::string>& names);

}  // namespace heddle::lab
