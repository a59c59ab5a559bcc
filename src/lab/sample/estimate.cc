#include "lab/sample/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "energy/energy.h"
#include "gpu/results_json.h"
#include "stats/student.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// Of launches that are estimated: half the width of the interval has this much more, for caches
// that a launch would have found otherwise.
constexpr double kBias = 0.01;

// The counters that get a bar, in a launch and in a part of its waves, and their names in the list
// of statistics.
constexpr std::array kBars{"/cycles", "/dram/reads", "/dram/writes"};
constexpr std::array kOfPart{"cycles", "dram_reads", "dram_writes"};
constexpr std::array kBarNames{"cycles", "dram.reads", "dram.writes"};

constexpr std::size_t kWrites = 2;

// Numbers that more launches do not make larger.
constexpr std::array<std::string_view, 10> kOfOneLaunch{
    "longest_cycles", "last_cycles",  "last_dispatched_cycles", "grid",
    "block",          "shared_bytes", "registers_per_thread",   "occupancy",
    "launch",         "start_cycle"};

void multiply(ordered_json& json, double weight) {
  if (json.is_number_integer())
    json = static_cast<std::uint64_t>(std::llround(json.get<double>() * weight));
  else if (json.is_array())
    for (ordered_json& one : json) multiply(one, weight);
  else if (json.is_object())
    for (auto& [key, value] : json.items()) {
      if (std::find(kOfOneLaunch.begin(), kOfOneLaunch.end(), key) != kOfOneLaunch.end()) continue;
      if (key == "energy")
        for (ordered_json& part : value) part = part.get<double>() * weight;
      else
        multiply(value, weight);
    }
}

double counter(const ordered_json& launch, const char* place) {
  return launch.value(ordered_json::json_pointer(place), 0.0);
}

// DRAM writes for a warp instruction of the CTAs that warmed the L2. While an L2 fills with dirty
// data, waves that agree write less than later ones.
double warmed_writes(const ordered_json& steady) {
  return counter(steady, "/warming/dram_writes") / counter(steady, "/warming/warp_instructions");
}

// Adds `weight` times every counter of the steady waves.
void grow(ordered_json& launch, const ordered_json& steady, double weight) {
  for (const auto& [key, value] : steady.items()) {
    if (std::find(kOfOneLaunch.begin(), kOfOneLaunch.end(), key) != kOfOneLaunch.end()) continue;
    ordered_json& into = launch[key];
    if (value.is_number_integer())
      into = into.get<std::uint64_t>() +
             static_cast<std::uint64_t>(std::llround(value.get<double>() * weight));
    else if (value.is_object() && into.is_object())
      grow(into, value, weight);
    else if (value.is_array() && into.is_array())
      for (std::size_t i = 0; i < std::min(into.size(), value.size()); ++i)
        if (value[i].is_number_integer())
          into[i] = into[i].get<std::uint64_t>() +
                    static_cast<std::uint64_t>(std::llround(value[i].get<double>() * weight));
  }
}

}  // namespace

// The launch with all its waves, and what is known of its estimate.
ordered_json SampleEstimate::with_all_waves(const ordered_json& launch, std::size_t number) {
  const ordered_json& steady = launch.at("steady");
  const auto instructions = launch.at("untimed").at("warp_instructions").get<double>();
  const double weight = instructions / steady.at("warp_instructions").get<double>();
  ordered_json whole = launch;
  for (const char* part : {"steady", "untimed"}) whole.erase(part);
  whole["simulated"] = gpu::kTimed;
  ordered_json counters = steady;
  for (const char* other : {"skipped_waves", "parts"}) counters.erase(other);
  grow(whole, counters, weight);
  if (whole.contains("energy"))
    for (ordered_json& part : whole["energy"])
      part = part.get<double>() * counter(whole, "/cycles") / counter(launch, "/cycles");
  const ordered_json& parts = steady.at("parts");
  const auto n = static_cast<double>(parts.size());
  const double ctas = counter(steady, "/ctas/count");
  const auto grid = launch.at("grid").get<std::array<double, 3>>();
  const double skipped = grid[0] * grid[1] * grid[2] - counter(launch, "/ctas/count");
  // By how much the CTAs that were not timed execute more or less than those that were.
  const double irregular = std::abs(weight * ctas / skipped - 1);
  for (std::size_t c = 0; c < kBars.size(); ++c) {
    const double guessed = weight * counter(steady, kBars[c]);
    double squares = 0;
    for (const ordered_json& part : parts)
      squares += std::pow(part.at(kOfPart[c]).get<double>() * instructions /
                                  part.at("warp_instructions").get<double>() -
                              guessed,
                          2);
    const double bias = c == kWrites && steady.contains("warming")
                            ? std::abs(warmed_writes(steady) * instructions - guessed)
                            : 0;
    inside_[c][number] = {guessed, squares / (n - 1) * (1 / n + ctas / (n * skipped)), n - 1,
                          irregular * guessed + bias};
  }
  return whole;
}

ordered_json SampleEstimate::add(const ordered_json& launch) {
  if (weights_.empty()) {
    weights_.resize(plan_->launches().size());
    for (const SampleStratum& stratum : plan_->strata())
      for (const std::size_t i : stratum.counted) weights_[i] = stratum.weight;
    counters_.assign(kBars.size(), std::vector<double>(weights_.size()));
    inside_.assign(kBars.size(), std::vector<Inside>(weights_.size()));
  }
  const std::size_t number = next_++;
  if (number >= weights_.size() || !LaunchFacts::of(launch).is_same(plan_->launches()[number])) {
    differs_ = true;
    return nullptr;
  }
  if (launch.value("simulated", "") == "functional") return nullptr;
  const auto start = launch.at("start_cycle").get<std::uint64_t>();
  overlaps_ |= start < end_;
  end_ = start + launch.at("cycles").get<std::uint64_t>();
  if (weights_[number] == 0) return nullptr;
  ordered_json weighted =
      launch.contains("steady") ? with_all_waves(launch, number) : ordered_json(launch);
  for (std::size_t c = 0; c < kBars.size(); ++c) counters_[c][number] = counter(weighted, kBars[c]);
  for (const char* detail : {"details", "series"}) weighted.erase(detail);
  multiply(weighted, weights_[number]);
  weighted["start_cycle"] = weighted_cycles_;  // one after the other
  weighted_cycles_ += weighted.at("cycles").get<std::uint64_t>();
  sum_.add(gpu::kernel_from_json(weighted));
  return weighted;
}

std::string SampleEstimate::problem() const {
  if (differs_ || next_ != plan_->launches().size())
    return "the program launches other kernels in its functional pass, so it cannot be sampled: "
           "omit --sample";
  if (overlaps_)
    return "launches of the program run at once, so it cannot be sampled: omit --sample";
  return {};
}

bool SampleEstimate::guesses() const {
  return std::any_of(plan_->strata().begin(), plan_->strata().end(),
                     [](const SampleStratum& s) { return s.counted.size() < s.launches.size(); }) ||
         (!inside_.empty() && std::any_of(inside_[0].begin(), inside_[0].end(),
                                          [](const Inside& launch) { return launch.guessed > 0; }));
}

SampleEstimate::Estimated SampleEstimate::estimate(std::size_t which) const {
  const std::vector<double>& by_launch = counters_[which];
  Estimated all;
  double variance = 0, of_degrees = 0, guessed = 0, irregular = 0;
  for (const SampleStratum& stratum : plan_->strata()) {
    const auto counted = static_cast<double>(stratum.counted.size());
    const auto launches = static_cast<double>(stratum.launches.size());
    double sum = 0, instructions = 0;
    for (const std::size_t i : stratum.counted) {
      sum += by_launch[i];
      instructions += static_cast<double>(plan_->launches()[i].instructions);
    }
    all.value += stratum.weight * sum;
    for (const std::size_t i : stratum.counted) {
      const Inside& inside = inside_[which][i];
      const double one = stratum.weight * stratum.weight * inside.variance;
      variance += one;
      if (one > 0) of_degrees += one * one / inside.degrees;
      guessed += stratum.weight * inside.guessed;
      irregular += stratum.weight * inside.irregular;
    }
    if (stratum.counted.size() == stratum.launches.size()) continue;
    guessed += stratum.weight * sum - sum;
    double residuals = 0;
    for (const std::size_t i : stratum.counted) {
      const double share =
          instructions > 0 ? static_cast<double>(plan_->launches()[i].instructions) / instructions
                           : 1 / counted;
      residuals += std::pow(by_launch[i] - sum * share, 2);
    }
    const double one = launches * (launches - counted) / counted * residuals / (counted - 1);
    variance += one;
    of_degrees += one * one / (counted - 1);
  }
  const double degrees = of_degrees > 0 ? variance * variance / of_degrees : 1;
  all.bar = stats::student_quantile(degrees) * std::sqrt(variance) + kBias * guessed + irregular;
  return all;
}

ordered_json SampleEstimate::totals(const config::GpuSpec& gpu) const {
  ordered_json totals = sum_.json(gpu);
  totals["launches"] = plan_->launches().size();
  energy::put_energy(totals, gpu, sum_.sum());
  return totals;
}

ordered_json SampleEstimate::sample() const {
  ordered_json json{{"confidence", 0.95}, {"launches", plan_->launches().size()}};
  for (std::size_t c = 0; c < kBars.size(); ++c) {
    const Estimated one = estimate(c);
    json["estimates"].push_back(
        {{"statistic", kBarNames[c]}, {"value", one.value}, {"bar", one.bar}});
  }
  for (const SampleStratum& stratum : plan_->strata()) {
    std::vector<std::size_t> numbers;  // from 1
    for (const std::size_t i : stratum.counted) numbers.push_back(i + 1);
    json["strata"].push_back({{"kernel", plan_->launches()[stratum.launches[0]].kernel},
                              {"launches", stratum.launches.size()},
                              {"counted", numbers},
                              {"weight", stratum.weight}});
  }
  return json;
}

}  // namespace heddle::lab
