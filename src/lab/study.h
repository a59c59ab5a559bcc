// A study: workloads x GPUs x schedulers, and what is expected of them. Read from a TOML file:
//
//   title = "..."
//   gpus = ["gtx480"]                     # of cases that name none
//   schedulers = ["lrr", "gto", "ccws"]   # speed-ups are over the first
//   margin = 0.01                         # ">" means faster by more than this share, "~" means within `near`
//   near = 0.05
//   [best_of]                             # a row that shows the best of several
//   "swl, best" = ["swl:warps=2", "swl:warps=8"]
//   [[case]]
//   name = "row walk"
//   program = ["patterns/row_walk", "small"]   # from the folder of programs, and its arguments
//   gpus = ["daws"]
//   set = ["sm.l1d.ways=4"]
//   also = ["daws:sticky=yes"]            # schedulers of this case only
//   winners = ["daws"]                    # marked in the table
//   expect = ["daws > gto > lrr"]
//   [[case.finding]]                      # why an expectation does not hold
//   expect = "daws > gto > lrr"
//   reason = "..."
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::lab {

// "A > B ~ C": every neighbour pair is a claim about two rows' cycles.
struct Expectation {
  std::string text;
  std::vector<std::string> names;
  std::string relations;  // one of '>' and '~' between each two names
  std::string reason;     // why it does not hold, where somebody has found out
};

struct StudyCase {
  std::string name, gpu;
  std::vector<std::string> program, overrides, schedulers,
      winners;  // schedulers: all that run here, those of best_of too
  std::vector<Expectation> expectations;
};

struct Study {
  std::string name, title;  // name: the file's, without folder and ending
  std::vector<std::string>
      rows;  // of the table: schedulers, then best_of, then what single cases add
  std::vector<std::pair<std::string, std::vector<std::string>>> best_of;
  double margin = 0.01, near = 0.05;
  std::vector<StudyCase> cases;

  // The schedulers that a row stands for: itself, unless it is one of best_of.
  std::vector<std::string> schedulers_of(const std::string& row) const;
};

// UserError, located where possible, on anything that is not as above.
Study read_study(const std::string& path);

}  // namespace heddle::lab
