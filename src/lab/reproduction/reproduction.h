// The runs that the figures of a paper need: planned, executed, counted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/originals/manifest.h"
#include "lab/reproduction/measures.h"
#include "lab/sweep.h"

namespace heddle::lab {

class Reproduction {
 public:
  // originals: run in place of Heddle's programs where they stand for one. figures: numbers; "16"
  // is also the parts "16 (a)" and "16 (b)"; empty: all of the paper. reading: of the whole list
  // (reading.h), without figures that have no claim; its claims have no readings of their own.
  // Throws UserError for a figure or a reading that the paper does not have.
  Reproduction(Paper paper, const std::vector<std::string>& figures, PaperRuns runs,
               std::vector<Original> originals, const std::string& reading = {});

  const Paper& paper() const { return paper_; }
  const std::vector<Figure>& figures() const { return figures_; }
  const PaperRuns& runs() const { return runs_; }

  // Runs what the store lacks, study by study. Returns the signal that ended it early; 0: complete.
  using RunStudy = std::function<SweepResult(const Study& study, const SweepOptions& options)>;
  int run(const SweepOptions& options, const RunStudy& run_study) const;

  std::vector<FigureResult> measure(const ResultsStore& store) const;
  // What each workload of the figures runs; empty without originals.
  std::vector<Substitution> programs() const;

  struct Cost {
    std::size_t runs = 0;
    double user_seconds = 0;
  };
  // Of all runs of the results' studies that the store has.
  Cost cost(const std::vector<FigureResult>& results, const ResultsStore& store) const;

 private:
  // A study, and the figures that read it.
  struct Wanted {
    std::string name;  // in the paper's file
    Study study;
    std::vector<Figure> figures;
  };
  // Sampled where the figure reads nothing that is not estimated.
  Study study(const std::string& name, const Figure& figure) const;
  std::vector<Wanted> studies() const;

  Paper paper_;
  std::vector<Figure> figures_;
  PaperRuns runs_;
  std::vector<Original> originals_;
  PaperReading reading_;
};

}  // namespace heddle::lab
