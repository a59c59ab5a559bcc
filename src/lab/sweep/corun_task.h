// A co-run as a run of a study: programs that share a GPU under one share policy, beside the same
// programs alone.
#pragma once

#include "lab/corun.h"
#include "lab/store/run_record.h"

namespace heddle::lab {

CorunRequest corun_request(const SweepTask& task);

// What the store keeps of it. The totals have stp, antt and fairness; the cycles until every
// program has ended once; under "programs.NAME" the totals of each program over all its
// repetitions, with its ipc, cycles of one repetition, progress, repetitions, and ipc and cycles
// alone. The launches are those of each program's first repetition; "NAME: " comes before the
// kernel's name. "sample" has the error bars of estimates.
nlohmann::ordered_json kept_results(const Corun& corun, const std::vector<std::string>& names);

// Runs it in this process, which waits.
struct CorunEnd {
  RunRecord record;
  int interrupted = 0;  // the signal that ended it early; then the record has no result
};
CorunEnd run_corun(const SweepTask& task);

// Joins the name of a program of a co-run and that of its kernel or of a case.
inline constexpr const char* kProgramSeparator = ": ";
// Before the names of a program's statistics.
std::string program_prefix(const std::string& name);

}  // namespace heddle::lab
