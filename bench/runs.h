// Starts `heddle run` and reads its results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::bench {

struct Run {
  nlohmann::json results;  // run.json
  std::string output;      // what the program printed
  double wall_s = 0;       // wall-clock time of the whole run
  double user_s = 0;    // user time of the whole run, loading and the program's own work included
  double peak_mib = 0;  // resident memory
  std::uint64_t host_instructions = 0;                 // of the simulation alone; 0: not counted
  std::uint64_t total(const std::string& path) const;  // "l1d.hits" below totals; 0 when absent
};

// Runs `heddle run ARGUMENTS...` and captures its standard output. Throws std::runtime_error with
// its diagnostics when it fails.
Run run_heddle(const std::vector<std::string>& arguments);

// The same under valgrind, which counts the host instructions of the simulation of kernels. The
// count is exact whatever else the machine does; the run is about forty times slower.
Run count_instructions(const std::vector<std::string>& arguments);

// The path of a program of the build: "workloads/bfs", "bench/sgemm".
std::string built(const std::string& program);

}  // namespace heddle::bench
