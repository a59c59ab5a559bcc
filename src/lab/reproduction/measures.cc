#include "lab/reproduction/measures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/demangle.h"
#include "lab/sweep/corun_task.h"
#include "stats/geometric_mean.h"

namespace heddle::lab {
namespace {

constexpr const char *kCycles = "cycles", *kLongestLaunch = "longest";
constexpr std::string_view kOption = "scheduler.";

std::optional<double> mean_of(const std::vector<double>& values, Mean mean) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  const auto sum_of = [&](auto&& term) {
    double sum = 0;
    for (const double value : values) sum += term(value);
    return sum;
  };
  const double least = *std::min_element(values.begin(), values.end());
  switch (mean) {
    case Mean::geometric: {  // 0 when a value is 0
      if (least < 0) return {};
      stats::GeometricMean geometric;
      for (const double value : values) geometric.add(value);
      if (std::isnan(geometric.value())) return {};  // of 0 and infinity
      return geometric.value();
    }
    case Mean::harmonic:
      if (least < 0) return {};
      return count / sum_of([](double value) { return 1 / value; });
    case Mean::arithmetic: return sum_of([](double value) { return value; }) / count;
    case Mean::maximum: return *std::max_element(values.begin(), values.end());
    case Mean::minimum: return least;
    case Mean::median: {
      std::vector<double> sorted = values;
      std::sort(sorted.begin(), sorted.end());
      return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    }
    case Mean::farthest:
      return *std::max_element(values.begin(), values.end(), [](double a, double b) {
        return std::abs(a - 1) < std::abs(b - 1);
      });
  }
  return {};
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

StudyValues::StudyValues(const ResultsStore& store, const std::string& study) : store_(store) {
  const StoredStudy found = store.study(study);
  study_ = found.id;
  cases_ = store.cases(study_);
  for (const StoredStudy::Row& row : found.rows) members_[row.name] = row.members;
  for (const StoredCaseRun& one : store.case_runs(study_)) {
    if (!one.run_id) continue;
    runs_[{one.case_id, one.row}] = *one.run_id;
    const std::optional<StoredRun> run = store.run(*one.run_id);
    if (run && run->completed()) cycles_[run->id] = static_cast<double>(run->cycles.value_or(0));
  }
}

std::vector<std::string> StudyValues::workloads(const std::string& gpu) const {
  std::vector<std::string> names;
  for (const StoredCase& one : cases_)
    if ((gpu.empty() || one.gpu == gpu) &&
        std::find(names.begin(), names.end(), one.workload) == names.end())
      names.push_back(one.workload);
  return names;
}

std::optional<StudyValues::RunId> StudyValues::run_of(const std::string& gpu,
                                                      const std::string& workload,
                                                      const std::string& row) const {
  const auto members = members_.find(row);
  const std::vector<std::string> names = members == members_.end() || members->second.empty()
                                             ? std::vector<std::string>{row}
                                             : members->second;
  std::optional<RunId> best;
  for (const StoredCase& one : cases_) {
    if (one.workload != workload || (!gpu.empty() && one.gpu != gpu)) continue;
    for (const std::string& name : names) {
      const auto run = runs_.find({one.id, name});
      if (run == runs_.end() || !cycles_.contains(run->second)) continue;
      if (!best || cycles_.at(run->second) < cycles_.at(*best)) best = run->second;
    }
    break;  // a workload is once on a GPU
  }
  return best;
}

std::optional<StudyValues::Source> StudyValues::source_of(const Measure& measure,
                                                          const std::string& workload,
                                                          const std::string& row) const {
  const auto is_case = [&](const StoredCase& one) { return one.workload == workload; };
  const std::size_t at = workload.rfind(kProgramSeparator);
  std::string of_case = workload, program;
  if (at != std::string::npos && std::none_of(cases_.begin(), cases_.end(), is_case)) {
    of_case = workload.substr(0, at);
    program = workload.substr(at + std::string_view(kProgramSeparator).size());
  }
  const auto run = run_of(measure.gpu, of_case, row);
  if (!run) return {};
  return Source{*run, program, measure.kernel};
}

std::optional<StoredKernel> StudyValues::launch_of(const Source& source) const {
  const std::string owner =
      source.program.empty() ? std::string() : source.program + kProgramSeparator;
  std::optional<StoredKernel> chosen;
  for (const StoredKernel& one : store_.kernels(source.run)) {
    if (!one.name.starts_with(owner)) continue;
    if (source.launch ? one.launch != source.launch : chosen && one.cycles <= chosen->cycles)
      continue;
    if (source.kernel == kLongestLaunch ||
        plain_name(one.name.substr(owner.size())) == source.kernel)
      chosen = one;
  }
  return chosen;
}

// The columns of the launch and its kept values.
const StudyValues::Values& StudyValues::values_of_launch(const Source& source) {
  const auto [at, added] = launches_.try_emplace(source);
  if (!added) return at->second;
  const std::optional<StoredKernel> chosen = launch_of(source);
  if (!chosen) return at->second;
  at->second = store_.kernel_values(chosen->id);
  at->second[kCycles] = static_cast<double>(chosen->cycles);
  at->second["warp_instructions"] = static_cast<double>(chosen->warp_instructions);
  at->second["occupancy.warps_per_sm"] = static_cast<double>(chosen->warps_per_sm.value_or(0));
  at->second["occupancy.ctas_per_sm"] = static_cast<double>(chosen->ctas_per_sm.value_or(0));
  return at->second;
}

// The value of an option of the run's warp scheduler.
std::optional<double> StudyValues::option_of(RunId run, const std::string& option) const {
  const std::optional<StoredRun> found = store_.run(run);
  if (!found) return {};
  const std::string text = ":" + found->identity.run.scheduler, key = option + "=";
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    if (text[at - 1] != ':' && text[at - 1] != ',') continue;
    double value = 0;
    const char* first = text.data() + at + key.size();
    if (std::from_chars(first, text.data() + text.size(), value).ec == std::errc{}) return value;
  }
  return {};
}

std::optional<double> StudyValues::one_statistic(const Source& source, const std::string& name) {
  if (name.starts_with(kOption)) return option_of(source.run, name.substr(kOption.size()));
  if (!source.kernel.empty()) {
    const Values& values = values_of_launch(source);
    const auto value = values.find(name);
    if (value == values.end()) return {};
    return value->second;
  }
  if (name == kCycles && source.program.empty()) return cycles_.at(source.run);
  const std::string stored = source.program.empty() ? name : program_prefix(source.program) + name;
  auto found = values_.find(stored);
  if (found == values_.end())
    found = values_.emplace(stored, store_.values_of(study_, stored)).first;
  const auto value = found->second.find(source.run);
  if (value == found->second.end()) return {};
  return value->second;
}

// "a + b": none of the terms may be missing.
std::optional<double> StudyValues::sum_of(const Source& source, const std::string& terms) {
  double sum = 0;
  for (std::size_t from = 0; from <= terms.size();) {
    const std::size_t plus = std::min(terms.find('+', from), terms.size());
    const auto term = one_statistic(source, trimmed(terms.substr(from, plus - from)));
    if (!term) return {};
    sum += *term;
    from = plus + 1;
  }
  return sum;
}

std::optional<double> StudyValues::statistic(const Source& source, const std::string& expression) {
  const std::size_t slash = expression.find('/');
  const auto value = sum_of(source, expression.substr(0, slash));
  if (slash == std::string::npos || !value) return value;
  const auto divisor = sum_of(source, expression.substr(slash + 1));
  if (!divisor || *divisor == 0) return {};
  return *value / *divisor;
}

std::optional<double> StudyValues::value(const Measure& measure, const std::string& workload) {
  auto source = source_of(measure, workload, measure.row);
  const std::string& other_case = measure.other_case(workload);
  const auto other_source = measure.shown_as == ShownAs::value
                                ? std::nullopt
                                : source_of(measure, other_case, measure.over);
  // Under the row another launch of the same program may be the longest.
  if (source && other_source && measure.kernel == kLongestLaunch && other_case == workload)
    if (const auto longest = launch_of(*other_source)) source->launch = longest->launch;
  const auto own = source ? statistic(*source, measure.statistic) : std::nullopt;
  if (!own || measure.shown_as == ShownAs::value) return own;
  const std::string& of_other =
      measure.over_statistic.empty() ? measure.statistic : measure.over_statistic;
  const auto other = other_source ? statistic(*other_source, of_other) : std::nullopt;
  if (!other) return {};
  if (measure.shown_as == ShownAs::difference) return *own - *other;
  const double above = measure.shown_as == ShownAs::speed_up ? *other : *own;
  const double below = measure.shown_as == ShownAs::speed_up ? *own : *other;
  if (below != 0) return above / below;
  return above == 0 ? 1 : std::numeric_limits<double>::infinity();
}

std::optional<double> StudyValues::mean(const Measure& measure) {
  if (!measure.against.empty()) {
    Measure own = measure, other = measure;
    own.against.clear();
    other.against.clear();
    other.row = measure.against;
    const auto mean_of_own = mean(own), mean_of_other = mean(other);
    if (!mean_of_own || !mean_of_other || *mean_of_other == 0) return {};
    return *mean_of_own / *mean_of_other;
  }
  std::vector<double> values;
  Measure pair = measure;
  for (const std::string& over :
       measure.over_each.empty() ? std::vector{measure.over} : measure.over_each) {
    pair.over = over;
    for (const std::string& workload :
         measure.cases.empty() ? workloads(measure.gpu) : measure.cases) {
      const auto one = value(pair, workload);
      if (!one) return {};
      values.push_back(*one);
    }
  }
  return mean_of(values, measure.mean);
}

ClaimVerdict judge(const Claim& claim, std::optional<double> measured, double threshold) {
  if (!measured) return ClaimVerdict::not_measured;
  if (!claim.direction.holds_for(*measured, threshold)) return ClaimVerdict::does_not_hold;
  if (!claim.published || claim.direction.relation == Relation::near) return ClaimVerdict::holds;
  const double published = *claim.published;
  const bool is_effect =
      claim.measure.shown_as == ShownAs::speed_up || claim.measure.shown_as == ShownAs::ratio;
  const double margin = is_effect
                            ? std::max(kLeastEffectMargin, kEffectMargin * std::abs(published - 1))
                            : kValueMargin * std::abs(published);
  return std::abs(*measured - published) <= margin ? ClaimVerdict::holds
                                                   : ClaimVerdict::holds_in_direction;
}

bool ClaimResult::holds_in_a_reading() const {
  return verdict == ClaimVerdict::does_not_hold &&
         std::any_of(readings.begin(), readings.end(), [](const Judged& one) {
           return one.verdict == ClaimVerdict::holds ||
                  one.verdict == ClaimVerdict::holds_in_direction;
         });
}

bool FigureResult::is_measured() const {
  const auto has_value = [](const std::optional<double>& one) { return one.has_value(); };
  return std::any_of(
             values.begin(), values.end(),
             [&](const auto& row) { return std::any_of(row.begin(), row.end(), has_value); }) ||
         std::any_of(claims.begin(), claims.end(),
                     [](const ClaimResult& one) { return one.measured.has_value(); });
}

FigureResult measure_figure(const Figure& figure, const ResultsStore& store,
                            const StoredName& stored_name) {
  std::map<std::string, StudyValues> studies;
  const auto of_study = [&](const std::string& study) -> StudyValues& {
    auto found = studies.find(study);
    if (found != studies.end()) return found->second;
    const std::string name = stored_name(study);
    return studies
        .emplace(study, store.has_study(name) ? StudyValues(store, name) : StudyValues(store))
        .first->second;
  };
  StudyValues& values = of_study(figure.study);
  FigureResult result{figure, figure.measure.cases, {}, {}, {}};
  if (result.cases.empty()) result.cases = values.workloads(figure.measure.gpu);
  for (const std::string& row : figure.rows) {
    Measure measure = figure.measure;
    measure.row = row;
    std::vector<std::optional<double>>& bars = result.values.emplace_back();
    for (const std::string& workload : result.cases)
      bars.push_back(values.value(measure, workload));
    auto& means = result.means.emplace_back();
    for (const ProgramClass& one : figure.classes) {
      measure.cases = one.cases;
      means.push_back(values.mean(measure));
    }
  }
  for (const Claim& claim : figure.claims) {
    const std::optional<double> measured = values.mean(claim.measure);
    ClaimResult& judged =
        result.claims.emplace_back(ClaimResult{claim, measured, judge(claim, measured), {}, {}});
    if (judged.verdict == ClaimVerdict::does_not_hold)
      judged.evidence = evidence_against(claim, values);
    std::erase_if(judged.claim.readings, [&](const Reading& reading) {
      return !reading.study.empty() && !store.has_study(stored_name(reading.study));
    });
    for (const Reading& reading : judged.claim.readings) {
      Claim read = claim;
      read.measure = reading.measure;
      read.direction.within = reading.within.value_or(claim.direction.within);
      const auto value =
          of_study(reading.study.empty() ? figure.study : reading.study).mean(read.measure);
      judged.readings.push_back({value, judge(read, value)});
    }
  }
  return result;
}

std::map<double, std::size_t> count_by_threshold(const std::vector<FigureResult>& figures) {
  std::map<double, std::size_t> held;
  for (const double threshold : {0.01, 0.05, 0.10})
    for (const FigureResult& figure : figures)
      for (const ClaimResult& one : figure.claims)
        held[threshold] += one.claim.direction.has_threshold() && one.measured &&
                           one.claim.direction.holds_for(*one.measured, threshold);
  return held;
}

SentenceCounts count_sentences(const std::vector<FigureResult>& figures) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> sentences;  // held, all
  for (const FigureResult& figure : figures)
    for (const ClaimResult& one : figure.claims) {
      auto& [held, all] = sentences[figure.figure.number + '\n' + one.claim.sentence];
      held += one.verdict == ClaimVerdict::holds || one.verdict == ClaimVerdict::holds_in_direction;
      ++all;
    }
  SentenceCounts counts;
  for (const auto& [sentence, cells] : sentences) {
    const auto& [held, all] = cells;
    ++(held == all ? counts.whole : held ? counts.in_part : counts.none);
  }
  return counts;
}

ClaimCounts count_claims(const std::vector<FigureResult>& figures) {
  ClaimCounts counts;
  for (const FigureResult& figure : figures)
    for (const ClaimResult& one : figure.claims) {
      switch (one.verdict) {
        case ClaimVerdict::holds: ++counts.holds; break;
        case ClaimVerdict::holds_in_direction: ++counts.holds_in_direction; break;
        case ClaimVerdict::does_not_hold: ++counts.does_not_hold; break;
        case ClaimVerdict::not_measured: ++counts.not_measured; break;
      }
      counts.hold_in_a_reading += one.holds_in_a_reading();
    }
  return counts;
}

}  // namespace heddle::lab
