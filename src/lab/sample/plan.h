// Which launches of a program a sampled run times, so that they stand for the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::lab {

// Warp instructions of the launches before a timed one that warm the L2; most fill it with fewer.
inline constexpr std::uint64_t kWarmingInstructions = 2'000'000;

// Of a launch in the functional pass.
struct LaunchFacts {
  std::string kernel;              // its mangled name
  std::string shape;               // grid, block and shared memory
  std::uint64_t instructions = 0;  // of warps
  bool nested = false;             // a kernel has launched it

  static LaunchFacts of(const nlohmann::ordered_json& launch);
  // Do both describe the launch, except for how much it executes?
  bool is_same(const LaunchFacts& other) const {
    return kernel == other.kernel && shape == other.shape;
  }
};

// Launches of one kernel and shape that execute about as much. Numbers count from 0.
struct SampleStratum {
  std::vector<std::size_t> launches;  // that the counted ones stand for, in their order
  std::vector<std::size_t> counted;   // of them; all: nothing is estimated
  double weight = 1;                  // of each counted launch: instructions of all by counted
};

class SamplePlan {
 public:
  explicit SamplePlan(std::vector<LaunchFacts> launches);

  // Why the program cannot be sampled; empty: it is. Of a timed launch, whole waves of CTAs may not
  // be timed (gpu/engine/wave_sampling.h).
  const std::string& whole() const { return whole_; }
  const std::vector<LaunchFacts>& launches() const { return launches_; }
  const std::vector<SampleStratum>& strata() const { return strata_; }
  std::size_t timed_launches() const;
  std::uint64_t instructions() const;        // of all launches
  std::uint64_t timed_instructions() const;  // of the timed ones
  // Of kernels with this name; plain_name().
  std::size_t launches_of(const std::string& name) const;
  // The timed launches as a text of config::KernelSelection: the counted ones, and the one before
  // each, which warms the caches and is not counted.
  std::string selection() const;
  // The launches before the timed ones that warm the L2, as such a text; empty: none.
  std::string warming() const;

 private:
  void make_strata();
  void add_stratum(const std::vector<std::size_t>& similar);
  std::vector<bool> timed() const;

  std::vector<LaunchFacts> launches_;
  std::vector<SampleStratum> strata_;
  std::string whole_;
};

}  // namespace heddle::lab
