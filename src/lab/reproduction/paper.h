// A paper's figures and claims, as data beside the studies that measure them. The format of
// experiments/PAPER/paper.toml:
//
//   title = "..."                          # of the paper
//   source = "Lee et al., HPCA 2016"
//   gpu = "ipaws"                          # of the figures, unless they name another
//   labels = {lrr = "RR", "ipaws:recover=no" = "iPAWS without Recover"}   # the paper's names
//   [[figure]]
//   number = "11"                          # --figure 11
//   title = "..."
//   study = "figure_11"                    # figure_11.toml in this folder (lab/study.h)
//   rows = ["lrr", "gto", "ipaws"]         # of the study, in the paper's order
//   cases = ["SC", "LPS"]                  # names of cases, in the paper's order; all by default
//   statistic = "cycles"                   # what the bars show, see Measure
//   over = "gto"
//   shown_as = "speed-up"
//   over_cases = {"BFS, 8 MiB" = "BFS"}    # the value of `over` is that of another case
//   over_statistic = "..."                 # of `over`: shares of a common base
//   mean = "arithmetic"                    # of the last column
//   note = "..."                           # what a reader must know
//   [[figure.published]]                   # a value that the paper prints
//   row = "lrr"
//   case = "SC"                            # left out: of the mean
//   value = 4.3
//   source = "section 5.2, text"
//   [[figure.claim]]                       # a sentence of the paper; keys of a measure, and:
//   text = "..."
//   source = "section 5.2"
//   row = "lrr"
//   direction = "> 1"                      # what must hold of the measured value: >, < or ~
//   within = 0.25                          # of ~: by which share it may differ (of "~ 0": by how
//                                          # much); 0.05 by default
//   published = 1.43                       # when the paper prints a value
//   over_each = ["lrr", "gto"]             # instead of over: the mean takes every case over each
//   against = "gto"                        # compares the mean of the row with that of this row
//   reason = "..."                         # why it does not hold, or what was tried
//   [[figure.claim.reading]]               # another reading of what the paper does not say;
//   text = "rows of 4000 elements"         # keys of a measure (by default the claim's), row, and:
//   within = 0.1                           # the claim's by default
//   study = "../ctamap_readings"           # the figure's by default
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/study.h"

namespace heddle::lab {

// maximum and minimum: of the programs, for "up to" and "all".
enum class Mean : std::uint8_t { geometric, arithmetic, harmonic, maximum, minimum };
enum class ShownAs : std::uint8_t {
  speed_up,    // value of `over` by value of the row: of cycles, more is better
  ratio,       // value of the row by value of `over`
  value,       // of the row alone
  difference,  // value of the row less value of `over`
};

// A value of every case, and their mean.
struct Measure {
  std::string statistic =
      "cycles";  // of the results store, or sums and a quotient of them: "a + b / c";
                 // scheduler.OPTION is an option of the run's warp scheduler
  // Empty: of the whole run. Otherwise of the launch with the most cycles, among all ("longest") or
  // among those of the kernel with this name. Further statistics: occupancy.warps_per_sm,
  // .ctas_per_sm.
  std::string kernel;
  std::string row, over;                          // over: empty for ShownAs::value
  std::string over_case;                          // the value of `over` is that of this case,
  std::map<std::string, std::string> over_cases;  // or of this one, by case; otherwise of the same
  std::string over_statistic;  // of `over`; empty: the same, so that equal runs have 1
  std::string against;         // the mean is over that of this row; empty: it is not compared
  // Instead of `over`, which is the first of them: the mean takes every case over each of these
  // rows.
  std::vector<std::string> over_each;
  ShownAs shown_as = ShownAs::speed_up;
  Mean mean = Mean::geometric;
  std::string gpu;
  // Workloads, or "CASE: PROGRAM" for a program of a co-run; empty: all cases of the study.
  std::vector<std::string> cases;

  // The case whose value of `over` a value of this case is compared with.
  const std::string& other_case(const std::string& workload) const;
};

struct PublishedValue {
  std::string row, workload;  // workload: empty for the mean
  double value = 0;
  std::string source;  // where the paper prints it, or how it was read
};

struct ClaimDirection {
  static constexpr double kNear = 0.05, kMargin = 0.01;
  char relation = '>';    // '>', '<', or '~': within a share
  double than = 1;        // more or less than 1 by at least kMargin, as in studies
  double within = kNear;  // of `than`, or from 0
  bool holds_for(double value) const;
};

// The claim's value where something that the paper does not say is read in another way.
struct Reading {
  std::string text, study;  // study: empty for the figure's
  Measure measure;
  std::optional<double> within;  // instead of the claim's
};

struct Claim {
  std::string text, source, reason;  // reason: empty when none is known
  Measure measure;
  ClaimDirection direction;
  std::optional<double> published;
  std::vector<Reading> readings;
};

struct Figure {
  std::string number, title, study, note;
  std::vector<std::string> rows;
  Measure measure;  // its row is empty
  std::vector<PublishedValue> published;
  std::vector<Claim> claims;

  std::optional<double> published_for(const std::string& row, const std::string& workload) const;
};

struct Paper {
  std::string name, title, source;  // name: of its folder
  std::string folder;
  std::map<std::string, std::string> labels;
  std::vector<Figure> figures;

  const std::string& label_of(const std::string& row) const;
};

// Throws UserError, with file and line, for a file that is not as above.
Paper read_paper(const std::string& folder);
// A study of the paper by its name in the file. size: "small", as the file says, or "paper": its
// programs run with the arguments that the case gives for it, or at full instead of small.
Study paper_study(const Paper& paper, const std::string& study, const std::string& size);
// The studies of the figure and of its claims' readings, once each.
std::vector<std::string> studies_of(const Figure& figure);
// The names of the papers in a folder of experiments: its folders with a paper.toml. Sorted.
std::vector<std::string> list_papers(const std::string& experiments);

}  // namespace heddle::lab
