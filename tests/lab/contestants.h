// Contestants of a comparison with made-up figures.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/compare.h"

namespace heddle::lab {

using nlohmann::ordered_json;

inline ordered_json figures(std::uint64_t cycles, std::uint64_t hits, std::uint64_t scoreboard) {
  return {{"cycles", cycles},
          {"thread_instructions", 32000},
          {"warp_instructions", 1000},
          {"l1d", {{"accesses", 100}, {"hits", hits}, {"pending_hits", 0}, {"misses", 100 - hits}}},
          {"dram", {{"reads", 1000 - 5 * hits}, {"writes", 0}, {"row_hits", 100}}},
          {"slots", {{"issued", 1000}, {"idle", 50}, {"scoreboard", scoreboard}}}};
}

// A contestant with these launches: kernel names and figures.
inline Contestant contestant(const std::string& scheduler,
                             const std::vector<std::pair<std::string, ordered_json>>& kernels) {
  Contestant result;
  result.scheduler = scheduler;
  result.output = "PASS\n";
  ordered_json totals = kernels[0].second;
  std::uint64_t cycles = 0;
  for (const auto& [name, values] : kernels) {
    ordered_json kernel = values;
    kernel["name"] = name;
    if (!kernel.contains("start_cycle")) kernel["start_cycle"] = cycles;  // one after the other
    cycles += values["cycles"].get<std::uint64_t>();
    result.outcome.results["kernels"].push_back(kernel);
  }
  totals["cycles"] = cycles;
  result.outcome.results["totals"] = totals;
  result.outcome.figures = read_figures(result.outcome.results);
  return result;
}

inline Comparison two(const Contestant& first, const Contestant& second) {
  Comparison comparison;
  comparison.contestants = {first, second};
  return comparison;
}

}  // namespace heddle::lab
