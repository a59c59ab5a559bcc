#include "lab/sample/waves.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "gpu/kernel_result.h"
#include "stats/student.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// Of what is estimated, and of what is timed after it: half the width of the interval has this much
// more, for caches that it would have found otherwise.
constexpr double kBias = 0.01;

constexpr std::size_t kWrites = 2;

constexpr std::array<std::string_view, 10> kOfOneLaunch{
    "longest_cycles", "last_cycles",  "last_dispatched_cycles", "grid",
    "block",          "shared_bytes", "registers_per_thread",   "occupancy",
    "launch",         "start_cycle"};

// DRAM writes for a warp instruction of the CTAs that warmed the L2. While an L2 fills with dirty
// data, waves that agree write less than later ones.
double warmed_writes(const ordered_json& steady) {
  return counter_at(steady, "/warming/dram_writes") /
         counter_at(steady, "/warming/warp_instructions");
}

// Adds `weight` times every counter of the steady waves.
void grow(ordered_json& launch, const ordered_json& steady, double weight) {
  const auto multiplied = [weight](const ordered_json& value) {
    return static_cast<std::uint64_t>(std::llround(value.get<double>() * weight));
  };
  for (const auto& [key, value] : steady.items()) {
    if (is_of_one_launch(key)) continue;
    ordered_json& into = launch[key];
    if (value.is_number_integer())
      into = into.get<std::uint64_t>() + multiplied(value);
    else if (value.is_object() && into.is_object())
      grow(into, value, weight);
    else if (value.is_array() && into.is_array())
      for (std::size_t i = 0; i < std::min(into.size(), value.size()); ++i)
        if (value[i].is_number_integer())
          into[i] = into[i].get<std::uint64_t>() + multiplied(value[i]);
  }
}

// instructions: of warps, of the CTAs that these waves stand for.
void add_waves(WholeLaunch& whole, const ordered_json& steady, double instructions) {
  const double weight = instructions / steady.at("warp_instructions").get<double>();
  ordered_json counters = steady;
  for (const char* other : {"skipped_ctas", "parts", "warming"}) counters.erase(other);
  grow(whole.launch, counters, weight);
  const ordered_json& parts = steady.at("parts");
  const auto n = static_cast<double>(parts.size());
  const double ctas = counter_at(steady, "/ctas/count");
  const double skipped = counter_at(steady, "/skipped_ctas");
  // By how much the CTAs that were not timed execute more or less than those that were.
  const double irregular = std::abs(weight * ctas / skipped - 1);
  for (std::size_t c = 0; c < kSampledCounters.size(); ++c) {
    const double guessed = weight * counter_at(steady, kSampledCounters[c].place);
    double squares = 0;
    for (const ordered_json& part : parts)
      squares += std::pow(part.at(kSampledCounters[c].of_part).get<double>() * instructions /
                                  part.at("warp_instructions").get<double>() -
                              guessed,
                          2);
    const double bias = c == kWrites && steady.contains("warming")
                            ? std::abs(warmed_writes(steady) * instructions - guessed)
                            : 0;
    whole.counters[c].add(guessed, squares / (n - 1) * (1 / n + ctas / (n * skipped)), n - 1,
                          irregular * guessed + bias);
  }
}

}  // namespace

void Uncertainty::add(double guessed, double variance, double degrees, double irregular) {
  guessed_ += guessed;
  variance_ += variance;
  if (variance > 0) of_degrees_ += variance * variance / degrees;
  irregular_ += irregular;
}

void Uncertainty::add(const Uncertainty& other, double weight) {
  const double of_variance = weight * weight;
  guessed_ += weight * other.guessed_;
  variance_ += of_variance * other.variance_;
  of_degrees_ += of_variance * of_variance * other.of_degrees_;
  irregular_ += weight * other.irregular_;
}

void Uncertainty::add_alike(const Uncertainty& other, double weight) {
  const double variance = std::pow(std::sqrt(variance_) + weight * std::sqrt(other.variance_), 2);
  const double degrees = std::min(degrees_of_freedom(), other.degrees_of_freedom());
  guessed_ += weight * other.guessed_;
  variance_ = variance;
  of_degrees_ = variance_ * variance_ / degrees;
  irregular_ += weight * other.irregular_;
}

double Uncertainty::degrees_of_freedom() const {
  return of_degrees_ > 0 ? variance_ * variance_ / of_degrees_
                         : std::numeric_limits<double>::infinity();
}

double Uncertainty::bar() const {
  const double of_variance =
      variance_ > 0 ? stats::student_quantile(degrees_of_freedom()) * std::sqrt(variance_) : 0;
  return of_variance + kBias * (guessed_ + measured_later_) + irregular_;
}

bool is_of_one_launch(const std::string& member) {
  return std::find(kOfOneLaunch.begin(), kOfOneLaunch.end(), member) != kOfOneLaunch.end();
}

double counter_at(const ordered_json& launch, const char* place) {
  return launch.value(ordered_json::json_pointer(place), 0.0);
}

WholeLaunch with_all_waves(const ordered_json& launch) {
  WholeLaunch whole{launch, {}};
  if (!launch.contains("steady")) return whole;
  for (const char* part : {"steady", "untimed"}) whole.launch.erase(part);
  whole.launch["simulated"] = gpu::kTimed;
  const auto instructions = launch.at("untimed").at("warp_instructions").get<double>();
  double skipped = 0;
  for (const ordered_json& steady : launch.at("steady"))
    skipped += counter_at(steady, "/skipped_ctas");
  for (const ordered_json& steady : launch.at("steady"))
    add_waves(whole, steady, instructions * counter_at(steady, "/skipped_ctas") / skipped);
  for (const char* known : {"warp_instructions", "thread_instructions"})
    whole.launch[known] =
        launch.at(known).get<std::uint64_t>() + launch.at("untimed").at(known).get<std::uint64_t>();
  if (whole.launch.contains("energy"))
    for (ordered_json& part : whole.launch["energy"])
      part =
          part.get<double>() * counter_at(whole.launch, "/cycles") / counter_at(launch, "/cycles");
  return whole;
}

}  // namespace heddle::lab
