#include "lab/sample/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "energy/energy.h"
#include "gpu/results_json.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// Of launches that are estimated: half the width of the interval has this much more, for caches
// that a launch would have found otherwise.
constexpr double kBias = 0.01;

// The counters that get a bar, and their names in the list of statistics.
constexpr std::array kBars{"/cycles", "/dram/reads", "/dram/writes"};
constexpr std::array kBarNames{"cycles", "dram.reads", "dram.writes"};

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

// Of Student's distribution, two-sided, 95 %.
double t_quantile(double degrees) {
  constexpr std::array<std::pair<double, double>, 9> kTable{{{1, 12.706},
                                                             {2, 4.303},
                                                             {3, 3.182},
                                                             {4, 2.776},
                                                             {6, 2.447},
                                                             {8, 2.306},
                                                             {12, 2.179},
                                                             {24, 2.064},
                                                             {60, 2.0}}};
  double quantile = kTable[0].second;
  for (const auto& [from, value] : kTable)
    if (degrees >= from) quantile = value;
  return quantile;
}

}  // namespace

ordered_json SampleEstimate::add(const ordered_json& launch) {
  if (weights_.empty()) {
    weights_.resize(plan_->launches().size());
    for (const SampleStratum& stratum : plan_->strata())
      for (const std::size_t i : stratum.counted) weights_[i] = stratum.weight;
    counters_.assign(kBars.size(), std::vector<double>(weights_.size()));
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
  for (std::size_t c = 0; c < kBars.size(); ++c) counters_[c][number] = counter(launch, kBars[c]);
  ordered_json weighted = launch;
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

SampleEstimate::Estimated SampleEstimate::estimate(const std::vector<double>& by_launch) const {
  Estimated all;
  double variance = 0, of_degrees = 0, guessed = 0;
  for (const SampleStratum& stratum : plan_->strata()) {
    const auto counted = static_cast<double>(stratum.counted.size());
    const auto launches = static_cast<double>(stratum.launches.size());
    double sum = 0, instructions = 0;
    for (const std::size_t i : stratum.counted) {
      sum += by_launch[i];
      instructions += static_cast<double>(plan_->launches()[i].instructions);
    }
    all.value += stratum.weight * sum;
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
  all.bar = t_quantile(degrees) * std::sqrt(variance) + kBias * guessed;
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
    const Estimated one = estimate(counters_[c]);
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
