#include "lab/sample/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "energy/energy.h"
#include "gpu/results_json.h"
#include "lab/sample/waves.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

void multiply(ordered_json& json, double weight) {
  if (json.is_number_integer())
    json = static_cast<std::uint64_t>(std::llround(json.get<double>() * weight));
  else if (json.is_array())
    for (ordered_json& one : json) multiply(one, weight);
  else if (json.is_object())
    for (auto& [key, value] : json.items()) {
      if (is_of_one_launch(key)) continue;
      if (key == "energy")
        for (ordered_json& part : value) part = part.get<double>() * weight;
      else
        multiply(value, weight);
    }
}

}  // namespace

ordered_json SampleEstimate::add(const ordered_json& launch) {
  if (weights_.empty()) {
    weights_.resize(plan_->launches().size());
    for (const SampleStratum& stratum : plan_->strata())
      for (const std::size_t i : stratum.counted) weights_[i] = stratum.weight;
    launches_.resize(weights_.size());
  }
  const std::size_t number = next_++;
  if (number >= weights_.size() || !LaunchFacts::of(launch).is_same(plan_->launches()[number])) {
    differs_ = true;
    return nullptr;
  }
  const bool later = omits_;  // than something that was not timed
  omits_ |= launch.value("simulated", "") == "functional" || launch.contains("steady");
  if (launch.value("simulated", "") == "functional") return nullptr;
  const auto start = launch.at("start_cycle").get<std::uint64_t>();
  overlaps_ |= start < end_;
  end_ = start + launch.at("cycles").get<std::uint64_t>();
  if (weights_[number] == 0) return nullptr;
  WholeLaunch whole = with_all_waves(launch);
  ordered_json weighted = std::move(whole.launch);
  for (std::size_t c = 0; c < kSampledCounters.size(); ++c) {
    Counted& one = launches_[number][c];
    one = {counter_at(weighted, kSampledCounters[c].place), whole.counters[c]};
    if (later) one.measured_later = one.value - one.omitted.guessed();
  }
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
         std::any_of(launches_.begin(), launches_.end(),
                     [](const auto& launch) { return launch[0].omitted.guessed() > 0; });
}

SampleEstimate::Estimated SampleEstimate::estimate(std::size_t which) const {
  double value = 0;
  Uncertainty all;
  std::map<std::pair<std::string, std::string>, Uncertainty> alike;  // by kernel and shape
  for (const SampleStratum& stratum : plan_->strata()) {
    const auto counted = static_cast<double>(stratum.counted.size());
    const auto launches = static_cast<double>(stratum.launches.size());
    double sum = 0, instructions = 0;
    for (const std::size_t i : stratum.counted) {
      const Counted& one = launches_[i][which];
      sum += one.value;
      all.add_measured_later(one.measured_later);
      instructions += static_cast<double>(plan_->launches()[i].instructions);
      const LaunchFacts& launch = plan_->launches()[i];
      alike[{launch.kernel, launch.shape}].add_alike(one.omitted, stratum.weight);
    }
    value += stratum.weight * sum;
    if (stratum.counted.size() == stratum.launches.size()) continue;
    double residuals = 0;
    for (const std::size_t i : stratum.counted) {
      const double share =
          instructions > 0 ? static_cast<double>(plan_->launches()[i].instructions) / instructions
                           : 1 / counted;
      residuals += std::pow(launches_[i][which].value - sum * share, 2);
    }
    all.add(stratum.weight * sum - sum,
            launches * (launches - counted) / counted * residuals / (counted - 1), counted - 1);
  }
  for (const auto& [launch, omitted] : alike) all.add(omitted, 1);
  return {value, all.bar()};
}

ordered_json SampleEstimate::totals(const config::GpuSpec& gpu) const {
  ordered_json totals = sum_.json(gpu);
  totals["launches"] = plan_->launches().size();
  energy::put_energy(totals, gpu, sum_.sum());
  return totals;
}

ordered_json SampleEstimate::sample() const {
  ordered_json json{{"confidence", 0.95}, {"launches", plan_->launches().size()}};
  for (std::size_t c = 0; c < kSampledCounters.size(); ++c) {
    const Estimated one = estimate(c);
    json["estimates"].push_back(
        {{"statistic", kSampledCounters[c].name}, {"value", one.value}, {"bar", one.bar}});
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
