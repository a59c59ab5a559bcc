// A study: workloads x GPUs x values of parameters x warp schedulers x CTA schedulers x share
// policies, with expected results. docs/studies.md explains the format of its TOML file:
//
//   title = "..."
//   gpus = ["gtx480"]                     # of cases without gpus
//   schedulers = ["lrr", "gto", "ccws"]   # speed-ups are over the first
//   cta_schedulers = ["rr", "mapped"]     # of cases without cta_schedulers; ["rr"] by default
//   shares = ["leftover", "spatial"]      # of cases without shares; ["leftover"] by default
//   set = ["memory.channels=6"]             # parameters of all cases
//   margin = 0.01                         # ">" means faster by more than this share
//   near = 0.05                           # "~" means equal within this share
//   watch = ["first_warp", "details"]     # further statistics of all runs, as of heddle run
//   sample = true                         # runs are sampled: their values are estimates
//   [best_of]                             # a row with the best of several
//   "swl, best" = ["swl:warps=2", "swl:warps=8"]
//   [grid]                                # every value with every other
//   seed = [1, 2]                         # of the run
//   isa = ["ptx", "sass"]                 # code that is executed, as of heddle run
//   "sm.l1d.ways" = [2, 4]
//   "sm.l1d.mshr_entries" = {from = 16, to = 64, times = 2}
//   "l1d" = {small = ["sm.l1d.size=16KiB"], large = ["sm.l1d.size=48KiB", "sm.l1d.ways=6"]}
//   [budget]                              # of each run
//   cycles = 1000000                      # the rest runs functionally
//   time = "10 min"
//   memory = "4 GiB"
//   [[program]]                           # a program of co-runs
//   name = "KMN"
//   program = ["kmeans", "small"]
//   registers = ["assign_nearest=20"]
//   full = ["full"]
//   [[exclude]]                           # runs that match all keys; * and ? as in file names
//   gpu = "gtx480"
//   scheduler = "ccws*"
//   [[case]]
//   name = "row walk"
//   group = "thrash"                      # for reports
//   program = ["patterns/row_walk", "small"]   # in the folder of programs; arguments
//   programs = ["bfs", "kmeans"]          # instead of name and program: a case each
//   sizes = ["tiny", "small"]             # a case each, with the size as last argument
//   coruns = [["KMN", "BLK"]]             # instead: a case each, KMN-BLK; they share the GPU
//   once = true                           # a program that ends does not begin anew
//   inputs = ["graph.txt"]                # files that the program opens; arguments are recognised
//   gpus = ["daws"]
//   set = ["sm.l1d.ways=4"]
//   registers = ["walk=32"]               # per thread of a kernel; they limit its occupancy
//   full = ["1024", "8"]                  # arguments at the paper's size (heddle reproduce)
//   profile = ["16384", "6"]              # arguments of the run that profiles its loads
//   original = ["rodinia/bfs", "8192"]    # the original with the inputs of program, and arguments
//   cta_schedulers = ["rr"]
//   shares = ["leftover"]
//   also = ["daws:sticky=yes"]            # further schedulers of this case
//   winners = ["daws"]                    # marked in the table
//   expected = ["daws > gto > lrr"]
//   [case.grid]                           # replaces axes of [grid] and adds others
//   [case.budget]                         # replaces [budget]
//   [[case.finding]]                      # why an expectation does not hold
//   expected = "daws > gto > lrr"
//   reason = "..."
//
// A row of the results is a combination of a warp scheduler, a CTA scheduler and a share policy
// (study_row.h). also, best_of, winners and expected name rows. Cycles of a co-run are those until
// every program has ended once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/store/run_record.h"

namespace heddle::lab {

// "A > B ~ C": every pair of neighbours is a claim about the cycles of two rows.
struct Expectation {
  std::string text;
  std::vector<std::string> names;
  std::string relations;  // one of '>' and '~' between each two names
  std::string reason;     // why it does not hold, if that is known
};

// A program of a co-run.
struct StudyProgram {
  std::string name;
  std::vector<std::string> program, registers, full;  // as of a case
};

// A workload on a GPU with values of parameters.
struct StudyCase {
  std::string name;
  std::string workload, group;  // workload: the name without GPU and parameters
  // What its runs have in common; the program is as the study names it, empty for a co-run.
  RunRequest run;
  HostLimits limits;                    // of each run
  std::vector<StudyProgram> corun;      // programs that share the GPU; otherwise empty
  bool once = false;                    // of a co-run
  bool sample = false;                  // runs are sampled
  std::vector<std::string> schedulers;  // names of all rows that run, with those of best_of
  std::vector<std::string> winners, inputs;
  std::vector<std::string> full;      // arguments at the paper's size; empty: not given
  std::vector<std::string> original;  // SUITE/NAME and arguments; empty: those of the recipes
  std::vector<std::pair<std::string, std::string>> parameters;  // values of the grid
  std::vector<Expectation> expectations;
  int line = 0;  // of its [[case]] in the file
};

struct Study {
  std::string name, title;     // name: of the file, without folder and extension
  std::string file, document;  // absolute path, content
  std::string shown_file;      // as the user gave it, for messages
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
// The same for the content of a file, which may no longer exist.
Study read_study(const std::string& path, const std::string& document);

}  // namespace heddle::lab
