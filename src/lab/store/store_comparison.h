// Compares the runs of two stores, or of two versions of Heddle in one store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::lab {

// Runs of one version in one store. version: Heddle's version or the beginning of a
// simulator_hash; empty: all. Of several runs with equal requests the last one counts.
struct StoreSide {
  std::string store, version;
};

struct RunDifference {
  std::string program, arguments, gpu, overrides, scheduler, cta_scheduler, share;
  std::string before_status, after_status;
  std::int64_t before_cycles = 0, after_cycles = 0;  // 0 unless completed
  std::size_t statistics = 0;                        // that differ
  // The one with the largest relative difference.
  std::string statistic;
  double before = 0, after = 0;
};

struct StoreComparison {
  std::size_t pairs = 0, equal = 0;  // pairs of runs with equal requests
  std::size_t only_before = 0, only_after = 0;
  std::vector<RunDifference> differences;  // largest relative difference of cycles first
};

// Requests are equal when program, arguments, GPU, overrides, policies, seed and limit of cycles
// are. Statistics are compared bit for bit.
StoreComparison compare_stores(const StoreSide& before, const StoreSide& after);

}  // namespace heddle::lab
