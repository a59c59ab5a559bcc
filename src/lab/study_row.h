// A row of a study: a warp scheduler, a CTA scheduler and a share policy that run together. Its
// name is that of the pair of schedulers (scheduler_pair.h); a share policy other than leftover
// follows: "gto", "gto + mapped", "gto with spatial:first=5".
#pragma once

#include <string>
#include <vector>

#include "lab/scheduler_pair.h"

namespace heddle::lab {

inline constexpr const char* kDefaultSharePolicy = "leftover";

struct StudyRow {
  SchedulerPair pair;
  std::string share;

  std::string name() const;
  static StudyRow of(const std::string& name);
};

// The names of all combinations: by share policy, then by CTA scheduler.
std::vector<std::string> row_names(const std::vector<std::string>& schedulers,
                                   const std::vector<std::string>& cta_schedulers,
                                   const std::vector<std::string>& shares);

}  // namespace heddle::lab
