// One program under several schedulers, side by side.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/run.h"

namespace heddle::lab {

// "lrr,ccws:k=8,base=100,gto" -> lrr | ccws:k=8,base=100 | gto: a piece that reads key=value
// belongs to the policy before it. "all" stands for every policy of the catalogue and of the
// plug-ins. UserError when one is given twice or none.
std::vector<std::string> split_schedulers(const std::string& text,
                                          const std::vector<std::string>& plugins = {});

struct Contestant {
  std::string scheduler;
  RunOutcome outcome;
  std::string output, errors;  // what the program wrote
  bool failed() const { return !outcome.usable() || outcome.exit_code() != 0; }
};

// A file that some policy went by.
struct PreparedFile {
  std::string name, text;
};

struct Comparison {
  RunRequest request;                   // without a scheduler
  std::vector<Contestant> contestants;  // in the order asked for
  int interrupted = 0;                  // the signal that ended it early
  std::vector<PreparedFile> prepared;  // what earlier runs found out for swl:best and daws-profiled

  bool failed() const;
  bool outputs_agree() const;      // among those that did not fail
  const Contestant* best() const;  // fewest cycles; null when all failed
  const Contestant* worst() const;
};

// At most `jobs` at once; 0: as many as there are cores. Policies that need an earlier run
// (swl:best, daws-profiled without a file) get it first, with the same program and arguments.
// say(text) hears about progress; it may be empty.
Comparison compare(const RunRequest& request, const std::vector<std::string>& schedulers, int jobs,
                   const std::function<void(const std::string&)>& say);

// DIR/compare.json, DIR/<scheduler>/run.json and the files that were prepared.
void write_comparison(const Comparison& comparison, const std::string& folder);

}  // namespace heddle::lab
