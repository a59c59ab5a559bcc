// One program under several schedulers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

#include "lab/run.h"

namespace heddle::lab {

// "lrr,ccws:k=8,base=100,gto" -> lrr | ccws:k=8,base=100 | gto: a piece that reads key=value
// belongs to the policy before it. "all" stands for every policy of the catalogue and of the
// plug-ins. Throws UserError for an empty list and for a policy that is given twice.
std::vector<std::string> split_schedulers(const std::string& text,
                                          const std::vector<std::string>& plugins = {});
// The same for CTA schedulers.
std::vector<std::string> split_cta_schedulers(const std::string& text,
                                              const std::vector<std::string>& plugins = {});

// The same for share policies.
std::vector<std::string> split_share_policies(const std::string& text);

using ReportProgress = std::function<void(const std::string&)>;

// A program failed in a run that Heddle needs.
class ProgramFailure : public UserError {
 public:
  ProgramFailure(const std::string& message, std::string program_errors)
      : UserError(message), program_errors(std::move(program_errors)) {}
  std::string program_errors;  // what the program wrote to its standard error
};

struct Contestant {
  std::string scheduler;  // name of the pair of warp and CTA scheduler (scheduler_pair.h)
  RunOutcome outcome;
  std::string output, errors;  // the program's standard output and standard error
  const RunFigures& figures() const { return outcome.figures; }
  bool failed() const { return !outcome.usable() || outcome.exit_code() != 0; }
  std::string failure() const;  // in one line
};

// An input file of a policy, made by an earlier run.
struct PreparedFile {
  std::string name, text;
};

struct Comparison {
  RunRequest request;                   // without schedulers
  std::vector<Contestant> contestants;  // in the order of the request
  int interrupted = 0;                  // the signal that ended it early
  std::vector<PreparedFile> prepared;   // inputs of swl:best and daws-profiled

  bool failed() const;
  bool outputs_agree() const;      // among those that did not fail
  const Contestant* best() const;  // fewest cycles; null when all failed
  const Contestant* worst() const;
};

// schedulers: names of pairs (scheduler_pair.h). Runs at most `jobs` at once; 0: as many as there
// are cores. L1 hits on lines of other CTAs are counted when CTA schedulers differ. Policies that
// need an earlier run (swl:best, daws-profiled without a file) get it first, with the same program
// and arguments. report_progress may be empty.
Comparison compare(const RunRequest& request, const std::vector<std::string>& schedulers, int jobs,
                   const ReportProgress& report_progress);

// Writes DIR/compare.json, DIR/<scheduler>/run.json and the prepared files.
void write_comparison(const Comparison& comparison, const std::string& folder);

}  // namespace heddle::lab
