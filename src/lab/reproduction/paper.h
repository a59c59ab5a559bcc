// A paper's figures and claims, as data beside the studies that measure them. The format of
// experiments/PAPER/paper.toml:
//
//   title = "..."                          # of the paper
//   source = "Lee et al., HPCA 2016"
//   gpu = "ipaws"                          # of the figures, unless they name another
//   own = ["ipaws", "adapt-local"]         # the paper's own policies; claims about others choose
//                                          # the machine's parameters (protocol.h)
//   labels = {lrr = "RR", "ipaws:recover=no" = "iPAWS without Recover"}   # the paper's names
//   [[parameter]]                          # what the paper does not fix, see reading.h
//   [[figure]]
//   number = "11"                          # --figure 11
//   title = "..."
//   study = "figure_11"                    # figure_11.toml in this folder (lab/study.h)
//   rows = ["lrr", "gto", "ipaws"]         # of the study, in the paper's order
//   cases = ["SC", "LPS"]                  # names of cases, in the paper's order; all by default
//   statistic = "cycles"                   # what the bars show (measure.h)
//   over = "gto"
//   shown_as = "speed-up"
//   over_cases = {"BFS, 8 MiB" = "BFS"}    # the value of `over` is that of another case
//   over_statistic = "..."                 # of `over`: shares of a common base
//   mean = "arithmetic"                    # of the last column
//   note = "..."                           # what a reader must know
//   axis = "hits of the L1"                # the statistic in plain words
//   [[figure.class]]                       # of programs: the figure has a mean of each class
//   name = "favours RR"                    # instead of one of all
//   cases = ["LPS"]
//   [[figure.published]]                   # a value that the paper prints and no claim has
//   row = "lrr"
//   case = "SC"                            # or a class; left out: of the mean
//   value = 4.3
//   source = "section 5.2, text"
//   [[figure.claim]]                       # a sentence of the paper; keys of a measure, and:
//   text = "..."
//   source = "section 5.2"
//   row = "lrr"
//   sentence = "table 2"                   # claims of one sentence or table count as one in the
//                                          # count by sentence; by default the claim's text
//   direction = "> 1"                      # what must hold of the measured value: >, < or ~,
//                                          # "favours" (more than 1), "neutral" (near 1), both by
//                                          # ClaimDirection::kThreshold, or "nearer 24 than 48"
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

#include "lab/reproduction/reading.h"
#include "lab/study.h"

namespace heddle::lab {

struct PublishedValue {
  std::string row, workload;  // workload: or a class; empty for the mean
  double value = 0;
  std::string source;  // where the paper prints it, or how it was read
};

enum class Relation : std::uint8_t {
  above,
  below,
  near,     // within a share
  favours,  // more than 1 by the threshold
  neutral,  // less than the threshold from 1
  nearer,   // nearer to `than` than to `rather`
};

struct ClaimDirection {
  static constexpr double kNear = 0.05, kMargin = 0.01;
  // Of favours and neutral: chosen here, because no paper prints it.
  static constexpr double kThreshold = 0.05;
  Relation relation = Relation::above;
  double than = 1;        // more or less than 1 by at least kMargin, as in studies
  double within = kNear;  // of `than`, or from 0
  double rather = 0;      // of nearer
  bool holds_for(double value, double threshold = kThreshold) const;
  bool has_threshold() const {
    return relation == Relation::favours || relation == Relation::neutral;
  }
};

// The claim's value where something that the paper does not say is read in another way.
struct Reading {
  std::string text, study;  // study: empty for the figure's
  Measure measure;
  std::optional<double> within;  // instead of the claim's
};

struct Claim {
  std::string text, source, reason;  // reason: empty when none is known
  std::string sentence;
  Measure measure;
  ClaimDirection direction;
  std::optional<double> published;
  std::vector<Reading> readings;
};

// Programs that have a mean of their own.
struct ProgramClass {
  std::string name;
  std::vector<std::string> cases;
};

struct Figure {
  std::string number, title, study, note, axis;
  std::vector<std::string> rows;
  Measure measure;                    // its row is empty
  std::vector<ProgramClass> classes;  // one without a name: all programs
  std::vector<PublishedValue> published;
  std::vector<Claim> claims;

  // Of a program or a class: its own, or that of the claim about this value.
  std::optional<double> published_for(const std::string& row, const std::string& name) const;
  // The row has 1 by definition.
  bool is_base(const std::string& row) const;
};

struct Paper {
  std::string name, title, source;  // name: of its folder
  std::string folder;
  std::vector<std::string> own;  // names of policies
  std::vector<OpenParameter> parameters;
  std::map<std::string, std::string> labels;
  std::vector<Figure> figures;

  const std::string& label_of(const std::string& row) const;
};

// Throws UserError, with file and line, for a file that is not as above.
Paper read_paper(const std::string& folder);
// How the programs of a paper's studies run.
struct PaperRuns {
  std::string size = "small";  // of the inputs; "paper": the paper's
  bool sample = false;         // runs are sampled, except those with watched statistics
};

// A study of the paper by its name in the file. size: "small", as the file says, or "paper": its
// programs run with the arguments that the case gives for it, or at full instead of small.
Study paper_study(const Paper& paper, const std::string& study, const std::string& size);
// The studies of the figure and of its claims' readings, once each.
std::vector<std::string> studies_of(const Figure& figure);
// The names of the papers in a folder of experiments: its folders with a paper.toml. Sorted.
std::vector<std::string> list_papers(const std::string& experiments);

}  // namespace heddle::lab
