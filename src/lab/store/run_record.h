// A run of a study: what determines its result, how it may run, and how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "config/json_fields.h"
#include "lab/run.h"
#include "lab/store/row.h"

namespace heddle::lab {

// 128-bit FNV-1a, 32 hexadecimal digits.
std::string content_hash(std::string_view text);
std::string file_hash(const std::string& path);  // of an empty text when there is no such file

// Stands between the programs of a co-run, and between their arguments, as in heddle corun.
inline constexpr const char* kNextProgram = "--";

// The names of a field of a run's identity; nullptr: it is not there.
struct FieldPlaces {
  const char* task;              // in the file of a task
  const char* key = nullptr;     // in what the key is the hash of
  const char* column = nullptr;  // in the table `runs`
  // Older tasks lack it. Runs that do not use it keep the key that they had before it existed.
  bool newer = false;
};

// An archive of places as one of the fields of a task.
template <class Archive>
struct TaskFields {
  Archive& archive;
  template <class Value>
  void operator()(const FieldPlaces& at, Value& value) {
    at.newer ? archive.newer(at.task, value) : archive(at.task, value);
  }
};

// An archive of places as one of the columns of a row.
template <class Archive>
struct Columns {
  Archive& archive;
  template <class Value>
  void operator()(const FieldPlaces& at, Value& value) {
    // A struct has no column.
    if constexpr (!config::HasFields<Value, config::JsonWriter<nlohmann::json>>)
      if (at.column) archive(at.column, value);
  }
};

// Everything that determines the result of a run. Names of files do not matter, their content does.
struct RunIdentity {
  std::string program;                   // as the study names it; of a co-run "A -- B"
  std::vector<std::string> arguments;    // of the program; of a co-run those of A, "--", those of B
  std::vector<std::string> corun;        // names of a co-run's programs; otherwise empty
  bool once = false;                     // of a co-run: a program that ends does not begin anew
  bool sample = false;                   // its values are estimates (lab/sample)
  std::string program_hash, input_hash;  // input_hash: empty without input files
  std::string configuration_hash;        // of the effective GPU
  std::vector<std::string> plugin_hashes;
  std::string version, simulator_hash;
  RunRequest run;  // without program and plug-ins; the fields below are those that studies set

  // In the order of the key.
  template <class Self, class Archive>
  static void places(Self& self, Archive& archive) {
    auto& run = self.run;
    archive({"program", nullptr, "program"}, self.program);
    archive({"simulator_hash", "simulator", "simulator_hash"}, self.simulator_hash);
    archive({"program_hash", "program", "program_hash"}, self.program_hash);
    archive({"arguments", "arguments", "arguments"}, self.arguments);
    archive({"input_hash", "inputs"}, self.input_hash);
    archive({"configuration_hash", "configuration", "configuration_hash"}, self.configuration_hash);
    archive({"scheduler", "scheduler", "scheduler"}, run.scheduler);
    archive({"cta_scheduler", "cta_scheduler", "cta_scheduler"}, run.cta_scheduler);
    archive({"share", "share", "share"}, run.share);
    archive({"plugin_hashes", "plugins", "plugins"}, self.plugin_hashes);
    archive({"seed", "seed", "seed"}, run.seed);
    archive({"limit_cycles", "limit_cycles", "limit_cycles"}, run.timed.limit_cycles);
    archive({"cta_sharing", "cta_sharing"}, run.watch.cta_sharing);
    archive({"details", "details"}, run.watch.details);
    archive({"registers", "registers", nullptr, true}, run.registers);
    archive({"first_warp", "first_warp", nullptr, true}, run.watch.first_warp);
    archive({"profile_arguments", "profile_arguments", nullptr, true}, run.profile_arguments);
    archive({"isa", "isa", nullptr, true}, run.isa);
    archive({"sample", "sample", nullptr, true}, self.sample);
    archive({"launches", "launches", nullptr, true}, run.timed.range);
    archive({"corun", nullptr, nullptr, true}, self.corun);
    archive({"once", nullptr, nullptr, true}, self.once);
    archive({"gpu", nullptr, "gpu"}, run.gpu);
    archive({"overrides"}, run.overrides);
    archive({"version", nullptr, "version"}, self.version);
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    TaskFields<Archive> in_task{archive};
    places(self, in_task);
  }
  template <class Self, class Archive>
  static void columns(Self& self, Archive& archive) {
    Columns<Archive> in_table{archive};
    places(self, in_table);
  }

  std::string key() const;  // 32 hexadecimal digits
  // Overrides, then registers as "registers.KERNEL=N" and the kind of code as "isa=sass", unless it
  // is auto: what the store shows of all.
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
  std::vector<std::string> registers;  // "kernel=N": its part of identity.run.registers
  std::string hash;                    // of the file

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("command", self.command)("registers", self.registers)("hash", self.hash);
  }
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

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("key", self.key)("identity", self.identity)("program_path", self.program_path);
    archive.newer("corun", self.corun).newer("corun_folder", self.corun_folder);
    archive("plugins", self.plugins)("limit_seconds", self.limits.seconds);
    archive("limit_memory_bytes", self.limits.memory_bytes);
  }
};

// `killed`: a signal from outside ended the run; it says nothing about the program.
enum class RunStatus { completed, failed, fault, time_limit, memory_limit, killed };
std::string_view to_string(RunStatus status);                  // "time limit"
bool from_string(const std::string& name, RunStatus& status);  // false: the name is unknown
void to_json(nlohmann::ordered_json& json, RunStatus status);
void from_json(const nlohmann::ordered_json& json, RunStatus& status);

struct RunRecord {
  RunStatus status = RunStatus::completed;
  std::string problem;  // in one line; empty when completed
  int exit_code = 0;
  std::string host, started;  // UTC
  double wall_seconds = 0, user_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  // What the store keeps of run.json: "totals", "kernels" and "sample"; null unless completed.
  nlohmann::ordered_json results;
  // All of it, when the task keeps details; of a part of a run: what the whole needs of it
  // (measured_run.h).
  std::string run_json;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("status", self.status)("problem", self.problem)("exit_code", self.exit_code);
    archive("host", self.host)("started", self.started)("wall_seconds", self.wall_seconds);
    archive("user_seconds", self.user_seconds);
    archive("peak_memory_bytes", self.peak_memory_bytes);
    archive("results", self.results)("run_json", self.run_json);
  }
  template <class Self, class Archive>
  static void columns(Self& self, Archive& archive) {
    archive("status", self.status)("problem", or_null(self.problem))("exit_code", self.exit_code);
    archive("host", self.host)("started", self.started)("wall_seconds", self.wall_seconds);
    archive("user_seconds", self.user_seconds)("peak_memory_bytes", self.peak_memory_bytes);
  }
};

// The totals of run.json, what is known of estimates, and of its first 1,000 launches what the
// table `kernels` keeps.
nlohmann::ordered_json kept_results(const nlohmann::ordered_json& run_json);
inline constexpr std::size_t kMaxKeptLaunches = 1000;

}  // namespace heddle::lab
