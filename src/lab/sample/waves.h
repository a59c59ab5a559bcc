// A launch of which some waves of CTAs were not timed, estimated from the waves that agree.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace heddle::lab {

// What is known of an estimated counter.
class Uncertainty {
 public:
  // guessed: the part of the counter that is not measured. variance: of this part, from so many
  // degrees of freedom. irregular: by how much it may differ besides.
  void add(double guessed, double variance, double degrees, double irregular = 0);
  // So many times another one.
  void add(const Uncertainty& other, double weight);
  // One with the same error, as of a launch with the same waves: the intervals add up.
  void add_alike(const Uncertainty& other, double weight);
  // measured: a part of the counter that was timed after something that was not.
  void add_measured_later(double measured) { measured_later_ += measured; }
  double guessed() const { return guessed_; }
  // Half the width of an interval of 95 %.
  double bar() const;

 private:
  double degrees_of_freedom() const;  // infinite without a variance
  double guessed_ = 0, variance_ = 0, of_degrees_ = 0, irregular_ = 0, measured_later_ = 0;
};

// The counters that get a bar: their names in the list of statistics, their places in a launch and
// in a part of its waves.
struct SampledCounter {
  const char* name;
  const char* place;
  const char* of_part;
};
inline constexpr std::array<SampledCounter, 3> kSampledCounters{
    {{"cycles", "/cycles", "cycles"},
     {"dram.reads", "/dram/reads", "dram_reads"},
     {"dram.writes", "/dram/writes", "dram_writes"}}};

double counter_at(const nlohmann::ordered_json& launch, const char* place);

struct WholeLaunch {
  nlohmann::ordered_json launch;                              // as if all its waves had been timed
  std::array<Uncertainty, kSampledCounters.size()> counters;  // of the waves that were not
  bool guesses() const { return counters[0].guessed() > 0; }
};
// launch: of run.json.
WholeLaunch with_all_waves(const nlohmann::ordered_json& launch);

// Numbers that more launches or waves do not make larger.
bool is_of_one_launch(const std::string& member);

}  // namespace heddle::lab
