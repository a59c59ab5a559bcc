// Everything that decides a run besides the program itself. `heddle run` writes it, the CUDA runtime inside the simulated
// process reads it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/gpu_spec.h"

namespace heddle::config {

struct RunSpec {
  GpuSpec gpu;
  std::string scheduler = "gto";          // policy text as given: "gto", "swl:warps=4+lrr"
  bool functional = false;                // no timing
  bool progress = false;                  // a live line on stderr
  std::uint32_t threads = 1;
  std::uint64_t seed = 1;
  std::map<std::string, std::uint32_t> registers;  // per kernel name (plain or mangled): registers per thread
  std::vector<std::string> program;       // as started: path and arguments
  std::string result_path;                // run.json is written here by the simulated process

  std::string to_json() const;            // lossless
  static RunSpec from_json(const std::string& text);  // UserError when damaged
};

// The environment variable that holds the path of the RunSpec file.
inline constexpr const char* kRunSpecVariable = "HEDDLE_RUN_SPEC";
inline constexpr const char* kParentVariable = "HEDDLE_PARENT";  // the process that waits for the results

}  // namespace heddle::config
