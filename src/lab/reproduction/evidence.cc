#include "lab/reproduction/evidence.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "lab/reproduction/measures.h"

namespace heddle::lab {
namespace {

struct Shown {
  const char *name, *statistic;
  bool share = true;
};
constexpr Shown kShown[]{
    {"L1 hits", "l1d.hits / l1d.accesses"},
    {"hits on lines of other warps", "l1d.hits_other_warp / l1d.accesses"},
    {"L2 hits", "rates.l2_hits"},
    {"DRAM row hits", "rates.dram_row_hits"},
    {"cycles of a read beyond the L1", "read_time.mean", false},
    {"resident warps", "rates.resident_warps", false},
};
constexpr Shown kSlots[]{
    {"slots that issue", "slots.issued"},
    {"scoreboard", "slots.scoreboard"},
    {"pipeline", "slots.pipeline"},
    {"barrier", "slots.barrier"},
    {"outstanding", "slots.outstanding"},
    {"throttled", "slots.throttled"},
    {"instruction buffer empty", "slots.instruction_buffer_empty"},
    {"idle", "slots.idle"},
};

std::string share_of_slots(const char* use) {
  std::string all;
  for (const Shown& slot : kSlots) all += std::string(all.empty() ? "" : " + ") + slot.statistic;
  return std::string(use) + " / " + all;
}

// How much a value speaks for the claim; the least one contradicts it most.
double support(const ClaimDirection& direction, double value) {
  switch (direction.relation) {
    case Relation::above:
    case Relation::favours: return value;
    case Relation::below: return -value;
    default: return -std::abs(value - direction.than);
  }
}

// The statistic in the claim's run and in the one that it is compared with.
class TwoRuns {
 public:
  TwoRuns(StudyValues& values, const Measure& measure, const std::string& workload)
      : values_(values), own_(measure), other_(measure), workload_(workload) {
    own_.shown_as = other_.shown_as = ShownAs::value;
    other_.row = measure.over;
    other_workload_ = measure.other_case(workload);
  }
  std::optional<std::pair<double, double>> compare(const std::string& statistic) {
    own_.statistic = other_.statistic = statistic;
    const auto own = values_.value(own_, workload_), other = values_.value(other_, other_workload_);
    if (!own || !other) return {};
    return std::pair{*own, *other};
  }

 private:
  StudyValues& values_;
  Measure own_, other_;
  std::string workload_, other_workload_;
};

double difference(const ComparedStatistic& one) {
  if (one.share) return std::abs(one.own - one.other) / kLeastShare;
  const double greater = std::max(std::abs(one.own), std::abs(one.other));
  return greater > 0 ? std::abs(one.own - one.other) / greater / kLeastPart : 0;
}

}  // namespace

Evidence evidence_against(const Claim& of_paper, StudyValues& values) {
  Evidence evidence;
  Claim claim = of_paper;
  if (!claim.measure.against.empty()) {
    claim.measure.over = claim.measure.against;
    claim.measure.against.clear();
    claim.measure.over_statistic.clear();
    claim.measure.shown_as = ShownAs::ratio;
  }
  // Of several rows to compare with, the one that contradicts the claim most.
  const std::vector<std::string> each = std::exchange(claim.measure.over_each, {});
  std::optional<double> least;
  for (const std::string& over : each) {
    Measure pair = claim.measure;
    pair.over = over;
    const auto mean = values.mean(pair);
    if (!mean || (least && support(claim.direction, *mean) >= *least)) continue;
    least = support(claim.direction, *mean);
    claim.measure.over = over;
  }
  evidence.other = claim.measure.over;
  for (const std::string& workload :
       claim.measure.cases.empty() ? values.workloads(claim.measure.gpu) : claim.measure.cases)
    if (const auto value = values.value(claim.measure, workload))
      evidence.cases.emplace_back(workload, *value);
  if (evidence.cases.empty()) return evidence;
  evidence.workload = std::min_element(evidence.cases.begin(), evidence.cases.end(),
                                       [&](const auto& a, const auto& b) {
                                         return support(claim.direction, a.second) <
                                                support(claim.direction, b.second);
                                       })
                          ->first;
  if (evidence.cases.size() == 1) evidence.cases.clear();
  if (claim.measure.shown_as == ShownAs::value) return evidence;
  TwoRuns runs(values, claim.measure, evidence.workload);
  if (const auto cycles = runs.compare("cycles"))
    std::tie(evidence.own_cycles, evidence.other_cycles) = *cycles;
  const auto add = [&](const Shown& shown, const std::string& statistic) {
    if (const auto pair = runs.compare(statistic))
      evidence.statistics.push_back({shown.name, pair->first, pair->second, shown.share});
  };
  for (const Shown& shown : kShown) add(shown, shown.statistic);
  for (const Shown& slot : kSlots) add(slot, share_of_slots(slot.statistic));
  std::erase_if(evidence.statistics,
                [](const ComparedStatistic& one) { return difference(one) < 1; });
  std::stable_sort(evidence.statistics.begin(), evidence.statistics.end(),
                   [](const auto& a, const auto& b) { return difference(a) > difference(b); });
  if (evidence.statistics.size() > kMostStatistics) evidence.statistics.resize(kMostStatistics);
  return evidence;
}

}  // namespace heddle::lab
