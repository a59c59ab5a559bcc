// Everything that decides a run besides the program itself. `heddle run` writes it, the CUDA
// runtime inside the simulated process reads it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/gpu_spec.h"
#include "config/timed_part.h"

namespace heddle::config {

// What is to be watched beside the statistics; nothing by default.
struct WatchSpec {
  bool details = false;          // per instruction, loop, scheduler, CTA
  std::uint32_t pattern_sm = 0;  // whose issue pattern the details hold; less than the GPU's SMs
  std::uint64_t interval = 0;    // core cycles between two rows of counters; 0: none
  std::string timeline_path;     // the recorded timeline is written here; empty: none
  std::uint64_t timeline_from = 0, timeline_to = 10000;  // core cycles of the device
};

// What `heddle check` looks for; not enabled otherwise.
struct CheckSpec {
  bool enabled = false;
  bool memory = true, races = true, init = true, barriers = true;
  bool strict = false;        // also what is customary, or harmless in practice (docs/check.md)
  bool leaks = false;         // device memory that is not freed at the end
  std::uint32_t limit = 100;  // findings that are told; more are only counted
};

struct RunSpec {
  GpuSpec gpu;
  std::string scheduler = "gto";     // policy text as given: "gto", "swl:warps=4+lrr"
  std::vector<std::string> plugins;  // shared objects with policies: absolute paths
  bool functional = false;           // no timing
  bool progress = false;             // a live line on stderr
  std::uint32_t threads = 1;
  bool share_always =
      false;  // threads share even windows with too little work to be worth it; for tests
  std::uint64_t seed = 1;
  std::map<std::string, std::uint32_t>
      registers;                     // per kernel name (plain or mangled): registers per thread
  std::vector<std::string> program;  // as started: path and arguments
  WatchSpec watch;
  CheckSpec check;
  TimedPart timed;          // of no interest to a functional run
  std::string result_path;  // run.json is written here by the simulated process

  std::string to_json() const;                        // lossless
  static RunSpec from_json(const std::string& text);  // UserError when damaged
};

// The environment variable that holds the path of the RunSpec file.
inline constexpr const char* kRunSpecVariable = "HEDDLE_RUN_SPEC";
inline constexpr const char* kParentVariable =
    "HEDDLE_PARENT";  // the process that waits for the results

}  // namespace heddle::config
