#include "lab/store/run_record.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "base/diagnostics.h"
#include "config/json_text.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// The version of the key's definition: a change of RunIdentity::key() increments it.
constexpr int kKeyVersion = 1;

constexpr std::array<std::string_view, 6> kStatusNames{"completed",  "failed",       "fault",
                                                       "time limit", "memory limit", "killed"};

class Fnv128 {
 public:
  void add(std::string_view text) {
    for (const char c : text) state_ = (state_ ^ static_cast<unsigned char>(c)) * kPrime;
  }
  std::string text() const {
    return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(state_ >> 64),
                       static_cast<std::uint64_t>(state_));
  }

 private:
  __extension__ using Word = unsigned __int128;
  static constexpr Word kPrime = (Word{1} << 88) + 0x13b;
  Word state_ = (Word{0x6c62272e07bb0142u} << 64) + 0x62b821756295c58du;
};

RunStatus status_of(const std::string& name) {
  for (std::size_t i = 0; i < kStatusNames.size(); ++i)
    if (kStatusNames[i] == name) return static_cast<RunStatus>(i);
  throw UserError("a run's status is \"" + name + "\", which this Heddle does not know");
}

ordered_json to_json(const RunIdentity& id) {
  return {{"program", id.program},
          {"arguments", id.arguments},
          {"corun", id.corun},
          {"once", id.once},
          {"program_hash", id.program_hash},
          {"input_hash", id.input_hash},
          {"gpu", id.gpu},
          {"overrides", id.overrides},
          {"registers", id.registers},
          {"configuration_hash", id.configuration_hash},
          {"scheduler", id.scheduler},
          {"cta_scheduler", id.cta_scheduler},
          {"share", id.share},
          {"plugin_hashes", id.plugin_hashes},
          {"seed", id.seed},
          {"limit_cycles", id.limit_cycles},
          {"cta_sharing", id.cta_sharing},
          {"first_warp", id.first_warp},
          {"details", id.details},
          {"version", id.version},
          {"simulator_hash", id.simulator_hash}};
}

RunIdentity identity_of(const ordered_json& json) {
  RunIdentity id;
  json.at("program").get_to(id.program);
  json.at("arguments").get_to(id.arguments);
  if (json.contains("corun")) json.at("corun").get_to(id.corun);
  id.once = json.value("once", false);
  json.at("program_hash").get_to(id.program_hash);
  json.at("input_hash").get_to(id.input_hash);
  json.at("gpu").get_to(id.gpu);
  json.at("overrides").get_to(id.overrides);
  if (json.contains("registers")) json.at("registers").get_to(id.registers);
  json.at("configuration_hash").get_to(id.configuration_hash);
  json.at("scheduler").get_to(id.scheduler);
  json.at("cta_scheduler").get_to(id.cta_scheduler);
  json.at("share").get_to(id.share);
  json.at("plugin_hashes").get_to(id.plugin_hashes);
  json.at("seed").get_to(id.seed);
  json.at("limit_cycles").get_to(id.limit_cycles);
  json.at("cta_sharing").get_to(id.cta_sharing);
  if (json.contains("first_warp")) json.at("first_warp").get_to(id.first_warp);
  json.at("details").get_to(id.details);
  json.at("version").get_to(id.version);
  json.at("simulator_hash").get_to(id.simulator_hash);
  return id;
}

}  // namespace

std::string content_hash(std::string_view text) {
  Fnv128 hash;
  hash.add(text);
  return hash.text();
}

std::string file_hash(const std::string& path) {
  Fnv128 hash;
  std::ifstream file(path, std::ios::binary);
  std::string piece(1 << 20, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
    hash.add({piece.data(), static_cast<std::size_t>(file.gcount())});
  return hash.text();
}

std::string RunIdentity::key() const {
  ordered_json determining = {{"key_version", kKeyVersion},
                              {"simulator", simulator_hash},
                              {"program", program_hash},
                              {"arguments", arguments},
                              {"inputs", input_hash},
                              {"configuration", configuration_hash},
                              {"scheduler", scheduler},
                              {"cta_scheduler", cta_scheduler},
                              {"share", share},
                              {"plugins", plugin_hashes},
                              {"seed", seed},
                              {"limit_cycles", limit_cycles},
                              {"cta_sharing", cta_sharing},
                              {"details", details}};
  // Left out when not used: runs without them keep the key that they had before they existed.
  if (!registers.empty()) determining["registers"] = registers;
  if (first_warp) determining["first_warp"] = true;
  if (!corun.empty()) determining["corun"] = {{"names", corun}, {"once", once}};
  return content_hash(config::kept_json_text(determining));
}

std::vector<std::string> RunIdentity::changes() const {
  std::vector<std::string> all = overrides;
  for (const std::string& text : registers) all.push_back("registers." + text);
  return all;
}

RunRequest SweepTask::request() const {
  RunRequest request;
  request.gpu = identity.gpu;
  request.overrides = identity.overrides;
  request.registers = parse_registers(identity.registers);
  request.scheduler = identity.scheduler;
  request.cta_scheduler = identity.cta_scheduler;
  request.share = identity.share;
  request.plugins = plugins;
  request.seed = identity.seed;
  request.timed.limit_cycles = identity.limit_cycles;
  request.watch.cta_sharing = identity.cta_sharing;
  request.watch.first_warp = identity.first_warp;
  request.watch.details = identity.details;
  if (is_corun()) return request;
  request.program = {program_path};
  request.program.insert(request.program.end(), identity.arguments.begin(),
                         identity.arguments.end());
  return request;
}

ordered_json SweepTask::to_json() const {
  ordered_json programs = ordered_json::array();
  for (const TaskProgram& one : corun)
    programs.push_back(
        {{"command", one.command}, {"registers", one.registers}, {"hash", one.hash}});
  return {{"key", key},
          {"identity", lab::to_json(identity)},
          {"program_path", program_path},
          {"corun", std::move(programs)},
          {"corun_folder", corun_folder},
          {"plugins", plugins},
          {"limit_seconds", limits.seconds},
          {"limit_memory_bytes", limits.memory_bytes}};
}

SweepTask SweepTask::from_json(const ordered_json& json) {
  SweepTask task;
  json.at("key").get_to(task.key);
  task.identity = identity_of(json.at("identity"));
  json.at("program_path").get_to(task.program_path);
  if (json.contains("corun"))
    for (const ordered_json& one : json.at("corun"))
      task.corun.push_back({one.at("command"), one.at("registers"), one.at("hash")});
  task.corun_folder = json.value("corun_folder", "");
  json.at("plugins").get_to(task.plugins);
  json.at("limit_seconds").get_to(task.limits.seconds);
  json.at("limit_memory_bytes").get_to(task.limits.memory_bytes);
  return task;
}

std::string_view to_string(RunStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

ordered_json RunRecord::to_json() const {
  return {{"status", to_string(status)},  {"problem", problem},
          {"exit_code", exit_code},       {"host", host},
          {"started", started},           {"wall_seconds", wall_seconds},
          {"user_seconds", user_seconds}, {"peak_memory_bytes", peak_memory_bytes},
          {"results", results},           {"run_json", run_json}};
}

RunRecord RunRecord::from_json(const ordered_json& json) {
  RunRecord record;
  record.status = status_of(json.at("status").get<std::string>());
  json.at("problem").get_to(record.problem);
  json.at("exit_code").get_to(record.exit_code);
  json.at("host").get_to(record.host);
  json.at("started").get_to(record.started);
  json.at("wall_seconds").get_to(record.wall_seconds);
  json.at("user_seconds").get_to(record.user_seconds);
  json.at("peak_memory_bytes").get_to(record.peak_memory_bytes);
  record.results = json.at("results");
  json.at("run_json").get_to(record.run_json);
  return record;
}

ordered_json kept_results(const ordered_json& run_json) {
  ordered_json kernels = ordered_json::array();
  for (const ordered_json& launch : run_json.at("kernels")) {
    if (kernels.size() == kMaxKeptLaunches) break;
    ordered_json& kept = kernels.emplace_back();
    for (const char* key : {"display_name",
                            "simulated",
                            "grid",
                            "block",
                            "registers_per_thread",
                            "shared_bytes",
                            "occupancy",
                            "start_cycle",
                            "cycles",
                            "warp_instructions",
                            "thread_instructions",
                            "ipc",
                            "slots",
                            "l1d",
                            "l2",
                            "texture",
                            "dram",
                            "rates",
                            "read_time",
                            "energy",
                            "policy"})
      if (launch.contains(key)) kept[key] = launch[key];
  }
  return {{"totals", run_json.at("totals")}, {"kernels", std::move(kernels)}};
}

}  // namespace heddle::lab
