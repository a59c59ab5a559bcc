// `heddle profile`: what a run says about the loads of a program's loops.
#pragma once

#include <functional>
#include <string>

#include "lab/run.h"
#include "sched/limiters/load_profile.h"

namespace heddle::lab {

struct ProfileRun {
  sched::LoadProfile profile;
  int interrupted = 0;
};
// Runs the program quietly under the request's scheduler. UserError when it fails.
ProfileRun profile_loads(const RunRequest& request,
                         const std::function<void(const std::string&)>& say);

// From results that hold details.
sched::LoadProfile load_profile_of(const nlohmann::ordered_json& results);

// The verb: the program's output on standard output, a table of loops and loads on standard error,
// the profile in `file`.
int write_profile(const RunRequest& request, const std::string& file, bool quiet);

}  // namespace heddle::lab
