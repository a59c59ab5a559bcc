// Classification of the loads of a program's loops, from a run with details.
#pragma once

#include "lab/compare.h"
#include "sched/limiters/load_profile.h"

namespace heddle::lab {

struct ProfileRun {
  sched::LoadProfile profile;
  int interrupted = 0;  // the signal that ended it early
};
// Runs the program under gto and keeps its output to itself. Throws ProgramFailure when it fails.
ProfileRun profile_loads(const RunRequest& request, const ReportProgress& report_progress);

// The request with the details that load_profile_of() needs, and with nothing else to watch.
RunRequest with_details(const RunRequest& request);
// results: with details.
sched::LoadProfile load_profile_of(const nlohmann::ordered_json& results);

}  // namespace heddle::lab
