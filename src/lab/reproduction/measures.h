// The measured values of a paper's figures and claims, from the runs in a results store.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduction/evidence.h"
#include "lab/reproduction/paper.h"
#include "lab/store/results_store.h"

namespace heddle::lab {

// The runs of one study. A row of several members (best_of) has the run with the fewest cycles.
class StudyValues {
 public:
  // Throws UserError when the store has no such study.
  StudyValues(const ResultsStore& store, const std::string& study);
  // Of a study without runs.
  explicit StudyValues(const ResultsStore& store) : store_(store) {}

  // The workloads of the study's cases on the GPU (empty: on any), in their order, once each.
  std::vector<std::string> workloads(const std::string& gpu) const;
  // Of one case, or of "CASE: PROGRAM", a program of a co-run; nothing when a run of it is missing,
  // has failed, or lacks the statistic. A ratio to 0 is infinite; one of 0 to 0 is 1.
  std::optional<double> value(const Measure& measure, const std::string& workload);
  // Over the measure's cases; nothing when one of them has no value.
  std::optional<double> mean(const Measure& measure);

 private:
  using RunId = std::int64_t;
  using Values = std::map<std::string, double>;
  // What a statistic is of: a run, or a program of a co-run; all of its launches, or one.
  struct Source {
    RunId run = 0;
    std::string program;       // empty: the run
    std::string kernel;        // of the measure
    std::uint64_t launch = 0;  // counts from 1; 0: the one of the kernel with the most cycles
    auto operator<=>(const Source&) const = default;
  };
  // The workload is that of a case, or "CASE: PROGRAM" for a program of a co-run.
  std::optional<Source> source_of(const Measure& measure, const std::string& workload,
                                  const std::string& row) const;
  std::optional<RunId> run_of(const std::string& gpu, const std::string& workload,
                              const std::string& row) const;
  std::optional<double> statistic(const Source& source, const std::string& expression);
  std::optional<double> one_statistic(const Source& source, const std::string& name);
  std::optional<double> sum_of(const Source& source, const std::string& terms);
  std::optional<double> option_of(RunId run, const std::string& option) const;
  std::optional<StoredKernel> launch_of(const Source& source) const;
  const Values& values_of_launch(const Source& source);

  const ResultsStore& store_;
  std::int64_t study_ = 0;
  std::vector<StoredCase> cases_;
  std::map<std::string, std::vector<std::string>> members_;       // by row
  std::map<std::pair<std::int64_t, std::string>, RunId> runs_;    // by case and member
  std::map<RunId, double> cycles_;                                // of completed runs
  std::map<std::string, std::map<std::int64_t, double>> values_;  // by statistic, by run
  std::map<Source, Values> launches_;
};

enum class ClaimVerdict : std::uint8_t {
  holds,               // in direction, and near the published value if there is one
  holds_in_direction,  // the direction holds, the value differs
  does_not_hold,
  not_measured,
};
// How near: of speed-ups and ratios the effect counts, the distance from 1. It may differ from the
// published effect by a quarter, or by 2 points where the effect is small. Other values may differ
// by a tenth. Chosen here.
inline constexpr double kEffectMargin = 0.25, kLeastEffectMargin = 0.02, kValueMargin = 0.10;

struct Judged {
  std::optional<double> measured;
  ClaimVerdict verdict = ClaimVerdict::not_measured;
};

struct ClaimResult {
  Claim claim;
  std::optional<double> measured;
  ClaimVerdict verdict = ClaimVerdict::not_measured;
  std::vector<Judged> readings;  // in the claim's order
  Evidence evidence;             // empty unless the claim does not hold

  // The claim does not hold, but in one of its readings its direction does.
  bool holds_in_a_reading() const;
};

struct FigureResult {
  Figure figure;
  std::vector<std::string> cases;                          // of the bars
  std::vector<std::vector<std::optional<double>>> values;  // by row, by case
  std::vector<std::vector<std::optional<double>>> means;   // by row, by class
  std::vector<ClaimResult> claims;

  bool is_measured() const;  // a bar or a claim has a value
};

ClaimVerdict judge(const Claim& claim, std::optional<double> measured,
                   double threshold = ClaimDirection::kThreshold);
// The name in the store of a study of the paper.
using StoredName = std::function<std::string(const std::string& study)>;
// A study that the store lacks has no runs, and readings in it are left out.
FigureResult measure_figure(const Figure& figure, const ResultsStore& store,
                            const StoredName& stored_name);

struct ClaimCounts {
  std::size_t holds = 0, holds_in_direction = 0, does_not_hold = 0, not_measured = 0;
  std::size_t hold_in_a_reading = 0;  // of those that do not hold
  std::size_t all() const { return holds + holds_in_direction + does_not_hold + not_measured; }
};
ClaimCounts count_claims(const std::vector<FigureResult>& figures);

// Of the claims with "favours" and "neutral", those that hold by thresholds of 1, 5 and 10 %.
std::map<double, std::size_t> count_by_threshold(const std::vector<FigureResult>& figures);

// The sentences and tables of the paper by the claims made of each: all hold at least in direction,
// some, or none.
struct SentenceCounts {
  std::size_t whole = 0, in_part = 0, none = 0;
  std::size_t all() const { return whole + in_part + none; }
};
SentenceCounts count_sentences(const std::vector<FigureResult>& figures);

}  // namespace heddle::lab
