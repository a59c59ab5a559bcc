#include "lab/sweep/forecast.h"
#include "config/json_text.h"

#include <algorithm>

namespace heddle::lab {
namespace {

// Finished runs before their times are used for others.
constexpr std::size_t kEnough = 3;

std::string arguments_of(const RunIdentity& identity) {
  using nlohmann::ordered_json;
  return config::json_text(ordered_json(identity.arguments));
}

std::optional<double> mean(Statement& query) {
  std::optional<double> seconds;
  while (query.step())
    if (!query.is_null(0)) seconds = query.real(0);
  return seconds;
}

}  // namespace

Forecast::Forecast(Database& database)
    : same_scheduler_(database,
                      "SELECT AVG(wall_seconds) FROM runs WHERE status = 'completed' AND "
                      "program = ? AND arguments = ? AND gpu = ? AND scheduler = ?"),
      same_gpu_(database,
                "SELECT AVG(wall_seconds) FROM runs WHERE status = 'completed' AND "
                "program = ? AND arguments = ? AND gpu = ?"),
      same_program_(database,
                    "SELECT AVG(wall_seconds) FROM runs WHERE status = 'completed' AND "
                    "program = ? AND arguments = ?") {}

std::optional<double> Forecast::expected_seconds(const RunIdentity& id) {
  const std::string arguments = arguments_of(id);
  if (const auto found =
          mean(same_scheduler_.bind(id.program, arguments, id.run.gpu, id.run.scheduler)))
    return found;
  if (const auto found = mean(same_gpu_.bind(id.program, arguments, id.run.gpu))) return found;
  return mean(same_program_.bind(id.program, arguments));
}

void RemainingTime::add(Seconds expected) {
  if (!expected) {
    ++waiting_unknown_;
    return;
  }
  ++waiting_known_.count;
  waiting_known_.expected += *expected;
}

void RemainingTime::start(const std::string& key, Seconds expected) {
  started_[key] = expected;
  if (!expected) {
    --waiting_unknown_;
    return;
  }
  --waiting_known_.count;
  waiting_known_.expected -= *expected;
}

void RemainingTime::finish(const std::string& key, double seconds) {
  const auto found = started_.find(key);
  if (found == started_.end()) return;
  ++finished_.count;
  finished_.measured += seconds;
  if (found->second) {
    ++finished_known_.count;
    finished_known_.expected += *found->second;
    finished_known_.measured += seconds;
  }
  started_.erase(found);
}

void RemainingTime::put_back(const std::string& key) {
  const auto found = started_.find(key);
  if (found == started_.end()) return;
  add(found->second);
  started_.erase(found);
}

RemainingTime::Seconds RemainingTime::corrected(Seconds expected) const {
  if (!expected) {
    if (finished_.count < kEnough) return {};
    return finished_.measured / static_cast<double>(finished_.count);
  }
  if (finished_known_.count < kEnough || finished_known_.expected <= 0) return expected;
  return *expected * finished_known_.measured / finished_known_.expected;
}

RemainingTime::Seconds RemainingTime::estimate(
    std::size_t jobs, const std::vector<std::pair<std::string, double>>& running) const {
  double work = 0, longest = 0;
  if (waiting_known_.count > 0) work += *corrected(std::max(0.0, waiting_known_.expected));
  if (waiting_unknown_ > 0) {
    const Seconds one = corrected({});
    if (!one) return {};
    work += static_cast<double>(waiting_unknown_) * *one;
  }
  for (const auto& [key, seconds] : running) {
    const auto found = started_.find(key);
    const Seconds expected = corrected(found == started_.end() ? Seconds() : found->second);
    if (!expected) return {};
    const double left = std::max(0.0, *expected - seconds);
    work += left;
    longest = std::max(longest, left);
  }
  return std::max(work / static_cast<double>(std::max<std::size_t>(jobs, 1)), longest);
}

}  // namespace heddle::lab
