// A survey: every policy on every program on several GPUs, without published values. The format of
// experiments/NAME/survey.toml:
//
//   title = "..."
//   baseline = "lrr"                  # speed-ups are over this row
//   oracles = ["Best-SWL"]            # rows that use earlier runs: shown, not ranked
//   [[part]]
//   size = "small"                    # --size small
//   study = "small"                   # small.toml in this folder (lab/study.h)
//   note = "..."                      # what a reader must know
//   [[left_out]]                      # what no part runs
//   what = "..."
//   reason = "..."
#pragma once

#include <string>
#include <vector>

#include "lab/store/results_store.h"
#include "lab/study.h"

namespace heddle::lab {

struct SurveyPart {
  std::string size, study, note;
};

struct LeftOut {
  std::string what, reason;
};

struct Survey {
  std::string name, title, baseline, folder;  // name: of the folder
  std::vector<std::string> oracles;
  std::vector<SurveyPart> parts;
  std::vector<LeftOut> left_out;

  bool is_oracle(const std::string& row) const;
};

// Is the folder that of a survey?
bool is_survey(const std::string& folder);
// Throws UserError, with file and line, for a file that is not as above.
Survey read_survey(const std::string& folder);
// The part of a size; size empty: all parts. Throws UserError when there is none.
std::vector<SurveyPart> parts_of(const Survey& survey, const std::string& size);
Study part_study(const Survey& survey, const SurveyPart& part);
// The names of the surveys in a folder of experiments. Sorted.
std::vector<std::string> list_surveys(const std::string& experiments);

// The speed-ups of policies on programs, complete: every program has a value for every policy.
struct SpeedupMatrix {
  std::vector<std::string> policies, programs;
  std::vector<std::vector<double>> values;  // by program, by policy

  // The geometric mean of a policy's speed-ups.
  double mean(std::size_t policy) const;
};

struct PolicyScore {
  double mean = 1;            // geometric, of the speed-ups over the baseline
  double least = 1;           // of them
  std::size_t fastest = 0;    // programs on which no ranked policy takes fewer cycles
  std::size_t near_best = 0;  // programs on which it is within kNear of the fastest ranked policy
  std::size_t alone = 0;      // programs on which it is ahead of every other by more than kNear
  double loss = 0;            // 1 - geometric mean of its speed over that of the best per program
};
inline constexpr double kNearBest = 0.02;

// Which of the policies compete; an oracle has mean and least only.
using Ranked = std::vector<bool>;

std::vector<PolicyScore> policy_scores(const SpeedupMatrix& matrix, const Ranked& ranked);
// The geometric mean of the best ranked policy of each program.
double best_per_program(const SpeedupMatrix& matrix, const Ranked& ranked);
// The ranked policies, `count` of them, whose best per program has the highest geometric mean. The
// first such set in the order of the policies.
std::vector<std::size_t> best_set(const SpeedupMatrix& matrix, const Ranked& ranked,
                                  std::size_t count);
double best_of_set(const SpeedupMatrix& matrix, const std::vector<std::size_t>& set);
// Programs on which some ranked policies differ by more than kNearBest.
std::size_t sensitive_programs(const SpeedupMatrix& matrix, const Ranked& ranked);

struct GpuSurvey {
  std::string gpu;
  SpeedupMatrix matrix;
  Ranked ranked;
  std::vector<std::string> incomplete;  // programs with a missing run; they are not in the matrix
};

struct MissingRun {
  std::string program, gpu, policy, reason;
};

struct PartResult {
  SurveyPart part;
  std::vector<GpuSurvey> gpus;  // in the order of the study
  std::vector<MissingRun> missing;
  std::size_t runs = 0;     // completed
  double user_seconds = 0;  // of the runs
};

// Throws UserError when the store does not have the study.
PartResult measure_part(const Survey& survey, const SurveyPart& part, const ResultsStore& store);

}  // namespace heddle::lab
