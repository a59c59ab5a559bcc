// A study: workloads x GPUs x warp schedulers x CTA schedulers, with expected results. The format
// of its TOML file:
//
//   title = "..."
//   gpus = ["gtx480"]                     # of cases without gpus
//   schedulers = ["lrr", "gto", "ccws"]   # speed-ups are over the first
//   cta_schedulers = ["rr", "mapped"]     # of cases without cta_schedulers; ["rr"] by default
//   margin = 0.01                         # ">" means faster by more than this share
//   near = 0.05                           # "~" means equal within this share
//   [best_of]                             # a row with the best of several
//   "swl, best" = ["swl:warps=2", "swl:warps=8"]
//   [[case]]
//   name = "row walk"
//   program = ["patterns/row_walk", "small"]   # in the folder of programs; arguments
//   gpus = ["daws"]
//   set = ["sm.l1d.ways=4"]
//   cta_schedulers = ["rr"]
//   also = ["daws:sticky=yes"]            # further schedulers of this case
//   winners = ["daws"]                    # marked in the table
//   expected = ["daws > gto > lrr"]
//   [[case.finding]]                      # why an expectation does not hold
//   expected = "daws > gto > lrr"
//   reason = "..."
//
// A row of the results is a pair of a warp and a CTA scheduler (scheduler_pair.h): "gto" under rr,
// otherwise "gto + mapped". also, best_of, winners and expected name rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::lab {

// "A > B ~ C": every pair of neighbours is a claim about the cycles of two rows.
struct Expectation {
  std::string text;
  std::vector<std::string> names;
  std::string relations;  // one of '>' and '~' between each two names
  std::string reason;     // why it does not hold, if that is known
};

struct StudyCase {
  std::string name, gpu;
  std::vector<std::string> program, overrides, schedulers,
      winners;  // schedulers: names of all pairs that run, with those of best_of
  std::vector<Expectation> expectations;
};

struct Study {
  std::string name, title;  // name: of the file, without folder and extension
  std::vector<std::string>
      rows;  // of the table: schedulers, then best_of, then those of single cases
  std::vector<std::pair<std::string, std::vector<std::string>>> best_of;
  double margin = 0.01, near = 0.05;
  std::vector<StudyCase> cases;

  // The schedulers of a row: those of best_of, or the row itself.
  std::vector<std::string> schedulers_of(const std::string& row) const;
};

// Throws UserError, with the line if possible, for a file that is not as above.
Study read_study(const std::string& path);

}  // namespace heddle::lab
