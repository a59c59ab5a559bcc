#include "lab/reproduction/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/diagnostics.h"
#include "lab/study_section.h"
#include "stats/geometric_mean.h"

namespace heddle::lab {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSurveyFile = "survey.toml";

bool has_text(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

SurveyPart read_part(const toml::table& table, const std::string& file, const Survey& survey) {
  const StudySection section(table, file, {"size", "study", "note"});
  SurveyPart part{section.text("size"), section.text("study"), section.text_or_empty("note")};
  if (!fs::exists(fs::path(survey.folder) / (part.study + ".toml")))
    section.reject_key("study", "there is no " + part.study + ".toml in " + survey.folder);
  for (const SurveyPart& other : survey.parts)
    if (other.size == part.size) section.reject(table, "there are two parts of size " + part.size);
  return part;
}

// The most speed-up of a ranked policy on a program.
double fastest(const std::vector<double>& values, const Ranked& ranked) {
  double most = 0;
  for (std::size_t p = 0; p < values.size(); ++p)
    if (ranked[p]) most = std::max(most, values[p]);
  return most;
}

// Adds larger and larger sets to `best`; `chosen` holds the members so far.
void search_sets(const SpeedupMatrix& matrix, const Ranked& ranked, std::size_t count,
                 std::size_t first, std::vector<std::size_t>& chosen, double& most,
                 std::vector<std::size_t>& best) {
  if (chosen.size() == count) {
    const double mean = best_of_set(matrix, chosen);
    if (best.empty() || mean > most) {
      most = mean;
      best = chosen;
    }
    return;
  }
  for (std::size_t p = first; p < matrix.policies.size(); ++p) {
    if (!ranked[p]) continue;
    chosen.push_back(p);
    search_sets(matrix, ranked, count, p + 1, chosen, most, best);
    chosen.pop_back();
  }
}

}  // namespace

bool Survey::is_oracle(const std::string& row) const { return has_text(oracles, row); }

bool is_survey(const std::string& folder) { return fs::exists(fs::path(folder) / kSurveyFile); }

Survey read_survey(const std::string& folder) {
  const std::string file = (fs::path(folder) / kSurveyFile).string();
  const toml::table table = read_toml_file(file);
  const StudySection section(table, file, {"title", "baseline", "oracles", "part", "left_out"});
  Survey survey;
  survey.folder = folder;
  survey.name = fs::path(folder).lexically_normal().filename().string();
  survey.title = section.text("title");
  survey.baseline = section.text("baseline");
  survey.oracles = section.texts("oracles");
  section.for_each_table("part", [&](const toml::table& one) {
    survey.parts.push_back(read_part(one, file, survey));
    const Study study = part_study(survey, survey.parts.back());
    if (!has_text(study.rows, survey.baseline))
      section.reject_key("baseline", survey.baseline + " is not a row of " + study.name);
    for (const std::string& row : survey.oracles)
      if (!has_text(study.rows, row))
        section.reject_key("oracles", row + " is not a row of " + study.name);
  });
  if (survey.parts.empty()) section.reject(table, "there is no [[part]]");
  section.for_each_table("left_out", [&](const toml::table& one) {
    const StudySection left_out(one, file, {"what", "reason"});
    survey.left_out.push_back({left_out.text("what"), left_out.text("reason")});
  });
  return survey;
}

std::vector<SurveyPart> parts_of(const Survey& survey, const std::string& size) {
  if (size.empty()) return survey.parts;
  std::string sizes;
  for (const SurveyPart& part : survey.parts) {
    if (part.size == size) return {part};
    sizes += (sizes.empty() ? "" : ", ") + part.size;
  }
  throw UserError(fmt::format("{} has no part of size {}; sizes: {}", survey.name, size, sizes));
}

Study part_study(const Survey& survey, const SurveyPart& part) {
  Study study = read_study(fs::path(survey.folder) / (part.study + ".toml"));
  study.name = survey.name + "-" + study.name;
  return study;
}

std::vector<std::string> list_surveys(const std::string& experiments) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(experiments, ignored))
    if (is_survey(entry.path().string())) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

double SpeedupMatrix::mean(std::size_t policy) const {
  stats::GeometricMean mean;
  for (const std::vector<double>& row : values) mean.add(row[policy]);
  return mean.value();
}

std::vector<PolicyScore> policy_scores(const SpeedupMatrix& matrix, const Ranked& ranked) {
  std::vector<PolicyScore> scores(matrix.policies.size());
  const double best = best_per_program(matrix, ranked);
  for (std::size_t p = 0; p < scores.size(); ++p) {
    PolicyScore& score = scores[p];
    score.mean = matrix.mean(p);
    score.least = matrix.values.empty() ? 1 : matrix.values.front()[p];
    for (const std::vector<double>& row : matrix.values) {
      score.least = std::min(score.least, row[p]);
      if (!ranked[p]) continue;
      Ranked others = ranked;
      others[p] = false;
      const double most = fastest(row, ranked);
      score.fastest += row[p] >= most;
      score.near_best += row[p] >= most * (1 - kNearBest);
      score.alone += fastest(row, others) < row[p] * (1 - kNearBest);
    }
    score.loss = 1 - score.mean / best;
  }
  return scores;
}

double best_per_program(const SpeedupMatrix& matrix, const Ranked& ranked) {
  std::vector<std::size_t> all;
  for (std::size_t p = 0; p < ranked.size(); ++p)
    if (ranked[p]) all.push_back(p);
  return best_of_set(matrix, all);
}

double best_of_set(const SpeedupMatrix& matrix, const std::vector<std::size_t>& set) {
  stats::GeometricMean mean;
  for (const std::vector<double>& row : matrix.values) {
    double most = 0;
    for (const std::size_t p : set) most = std::max(most, row[p]);
    mean.add(most);
  }
  return mean.value();
}

std::vector<std::size_t> best_set(const SpeedupMatrix& matrix, const Ranked& ranked,
                                  std::size_t count) {
  std::vector<std::size_t> best, chosen;
  double most = 0;
  search_sets(matrix, ranked, count, 0, chosen, most, best);
  return best;
}

std::size_t sensitive_programs(const SpeedupMatrix& matrix, const Ranked& ranked) {
  std::size_t count = 0;
  for (const std::vector<double>& row : matrix.values) {
    double least = fastest(row, ranked);
    const double most = least;
    for (std::size_t p = 0; p < row.size(); ++p)
      if (ranked[p]) least = std::min(least, row[p]);
    count += least < most * (1 - kNearBest);
  }
  return count;
}

namespace {

// The runs of a part: what each case took under each row, or why there is nothing.
class PartReader {
 public:
  PartReader(const Survey& survey, const Study& study, const ResultsStore& store,
             PartResult& result)
      : survey_(survey), study_(study), store_(store), result_(result) {
    const StoredStudy stored = store.study(study.name);
    cases_ = store.cases(stored.id);
    for (const StoredCaseRun& one : store.case_runs(stored.id)) {
      const std::optional<StoredRun> run = one.run_id ? store.run(*one.run_id) : std::nullopt;
      runs_[{one.case_id, one.row}] = run;
      if (!run || !counted_.insert(run->id).second) continue;
      result_.user_seconds += run->record.user_seconds;
      result_.runs += run->completed();
    }
  }

  void read() {
    for (const StoredCase& one : cases_) {
      GpuSurvey& gpu = gpu_of(one.gpu);
      std::vector<double> cycles;
      for (const std::string& policy : gpu.matrix.policies)
        if (const auto value = cycles_of(one, policy)) cycles.push_back(*value);
      if (cycles.size() < gpu.matrix.policies.size()) {
        gpu.incomplete.push_back(one.workload);
        continue;
      }
      const auto base =
          std::find(gpu.matrix.policies.begin(), gpu.matrix.policies.end(), survey_.baseline) -
          gpu.matrix.policies.begin();
      const double of_base = cycles[static_cast<std::size_t>(base)];
      for (double& value : cycles) value = of_base / value;
      gpu.matrix.programs.push_back(one.workload);
      gpu.matrix.values.push_back(std::move(cycles));
    }
  }

 private:
  GpuSurvey& gpu_of(const std::string& name) {
    for (GpuSurvey& one : result_.gpus)
      if (one.gpu == name) return one;
    GpuSurvey& gpu = result_.gpus.emplace_back();
    gpu.gpu = name;
    gpu.matrix.policies = study_.rows;
    for (const std::string& row : study_.rows) gpu.ranked.push_back(!survey_.is_oracle(row));
    return gpu;
  }

  // The fewest cycles of the row's members. A member without a result is listed, and the row has no
  // value: a best of fewer would be another row.
  std::optional<double> cycles_of(const StoredCase& one, const std::string& policy) {
    std::optional<double> fewest;
    bool complete = true;
    for (const std::string& member : study_.schedulers_of(policy)) {
      const auto found = runs_.find({one.id, member});
      if (found != runs_.end() && found->second && found->second->completed()) {
        const auto cycles = static_cast<double>(found->second->cycles.value_or(0));
        fewest = fewest ? std::min(*fewest, cycles) : cycles;
        continue;
      }
      complete = false;
      std::string reason = "not run";
      if (found != runs_.end() && found->second) {
        const RunRecord& record = found->second->record;
        reason = record.problem.empty() ? std::string(to_string(record.status)) : record.problem;
      }
      if (listed_.insert({one.id, member}).second)  // rows may share members
        result_.missing.push_back({one.workload, one.gpu, member, reason});
    }
    return complete ? fewest : std::nullopt;
  }

  const Survey& survey_;
  const Study& study_;
  const ResultsStore& store_;
  PartResult& result_;
  std::vector<StoredCase> cases_;
  std::map<std::pair<std::int64_t, std::string>, std::optional<StoredRun>> runs_;
  std::set<std::int64_t> counted_;
  std::set<std::pair<std::int64_t, std::string>> listed_;
};

}  // namespace

PartResult measure_part(const Survey& survey, const SurveyPart& part, const ResultsStore& store) {
  PartResult result;
  result.part = part;
  const Study study = part_study(survey, part);
  PartReader(survey, study, store, result).read();
  return result;
}

}  // namespace heddle::lab
