// Starting `heddle run` and reading what it measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::bench {

struct Run {
  nlohmann::json results;  // run.json
  std::string output;      // what the program printed
  double wall_s = 0;       // of the whole run, by the clock
  double user_s =
      0;  // user time of the whole run: the simulator, the program's own work on the host, loading
  double peak_mib = 0;                  // resident memory
  std::uint64_t host_instructions = 0;  // of the simulation alone, where they were counted
  std::uint64_t total(const std::string& path) const;  // "l1d.hits" below totals; 0 when absent
};

// heddle run ARGUMENTS..., its standard output caught. Throws std::runtime_error with its
// diagnostics when it fails.
Run run_heddle(const std::vector<std::string>& arguments);

// The same under valgrind, which counts the host's instructions while kernels are simulated: exact,
// whatever else the machine does, and about forty times slower.
Run count_instructions(const std::vector<std::string>& arguments);

// A program of the build: "workloads/bfs", "bench/sgemm".
std::string built(const std::string& program);

// The reference programs' kernels with the registers per thread that the reference was given.
struct ReferenceProgram {
  std::string name;
  int registers;
};
const std::vector<ReferenceProgram>& reference_programs();
const ReferenceProgram& reference_program(const std::string& name);

}  // namespace heddle::bench
