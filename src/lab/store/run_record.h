// A run of a study: what determines its result, how it may run, and how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/run.h"

namespace heddle::lab {

// 128-bit FNV-1a, 32 hexadecimal digits.
std::string content_hash(std::string_view text);
std::string file_hash(const std::string& path);  // of an empty text when there is no such file

// Stands between the programs of a co-run, and between their arguments, as in heddle corun.
inline constexpr const char* kNextProgram = "--";

// Everything that determines the result of a run. Names of files do not matter, their content does.
struct RunIdentity {
  std::string program;                   // as the study names it; of a co-run "A -- B"
  std::vector<std::string> arguments;    // of the program; of a co-run those of A, "--", those of B
  std::vector<std::string> corun;        // names of a co-run's programs; otherwise empty
  bool once = false;                     // of a co-run: a program that ends does not begin anew
  std::string program_hash, input_hash;  // input_hash: empty without input files
  std::string gpu;                       // preset or file
  std::vector<std::string> overrides;    // "key=value"
  std::vector<std::string> registers;    // "kernel=N"
  std::string configuration_hash;        // of the effective GPU
  std::string scheduler, cta_scheduler, share;
  std::vector<std::string> plugin_hashes;
  std::uint64_t seed = 1, limit_cycles = 0;  // limit_cycles: 0 is no limit
  bool cta_sharing = false, first_warp = false, details = false;
  std::string version, simulator_hash;

  std::string key() const;  // 32 hexadecimal digits
  // Overrides, then registers as "registers.KERNEL=N": what the store shows of both.
  std::vector<std::string> changes() const;
};

// What a run may use on the host; 0 is no limit. Limits do not determine results.
struct HostLimits {
  double seconds = 0;
  std::uint64_t memory_bytes = 0;
};

// A program of a co-run.
struct TaskProgram {
  std::vector<std::string> command;    // its path on this machine, and arguments
  std::vector<std::string> registers;  // "kernel=N": its part of identity.registers
  std::string hash;                    // of the file
};

struct SweepTask {
  std::string key;
  RunIdentity identity;
  std::string program_path;          // on this machine; of a co-run: of the first program
  std::vector<TaskProgram> corun;    // in the order of identity.corun
  std::string corun_folder;          // keeps what co-runs have in common; empty: nothing is kept
  std::vector<std::string> plugins;  // paths
  HostLimits limits;

  bool is_corun() const { return !corun.empty(); }
  // Of a co-run: without its programs (sweep/corun_task.h).
  RunRequest request() const;
  nlohmann::ordered_json to_json() const;
  static SweepTask from_json(const nlohmann::ordered_json& json);
};

// `killed`: a signal from outside ended the run; it says nothing about the program.
enum class RunStatus { completed, failed, fault, time_limit, memory_limit, killed };
std::string_view to_string(RunStatus status);  // "time limit"

struct RunRecord {
  RunStatus status = RunStatus::completed;
  std::string problem;  // in one line; empty when completed
  int exit_code = 0;
  std::string host, started;  // UTC
  double wall_seconds = 0, user_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  // What the store keeps of run.json: "totals" and "kernels"; null unless completed.
  nlohmann::ordered_json results;
  std::string run_json;  // all of it, when the task keeps details

  nlohmann::ordered_json to_json() const;
  static RunRecord from_json(const nlohmann::ordered_json& json);
};

// The totals of run.json, and of its first 1,000 launches what the table `kernels` keeps.
nlohmann::ordered_json kept_results(const nlohmann::ordered_json& run_json);
inline constexpr std::size_t kMaxKeptLaunches = 1000;

}  // namespace heddle::lab
