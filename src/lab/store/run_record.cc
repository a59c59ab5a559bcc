#include "lab/store/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "config/json_text.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

// The version of the key's definition: a change of RunIdentity::key() increments it.
constexpr int kKeyVersion = 1;

constexpr std::array<std::string_view, 6> kStatusNames{"completed",  "failed",       "fault",
                                                       "time limit", "memory limit", "killed"};

std::string text_of(const Fnv128& hash) {
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash.value() >> 64),
                     static_cast<std::uint64_t>(hash.value()));
}

// What the key is the hash of.
struct KeyWriter {
  ordered_json determining = {{"key_version", kKeyVersion}};
  template <class Value>
  void operator()(const FieldPlaces& places, const Value& value) {
    if (places.key && !(places.newer && value == Value())) determining[places.key] = value;
  }
};

}  // namespace

std::string content_hash(std::string_view text) {
  Fnv128 hash;
  hash.add(text);
  return text_of(hash);
}

std::string file_hash(const std::string& path) {
  Fnv128 hash;
  std::ifstream file(path, std::ios::binary);
  std::string piece(1 << 20, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
    hash.add(std::string_view{piece.data(), static_cast<std::size_t>(file.gcount())});
  return text_of(hash);
}

std::string RunIdentity::key() const {
  KeyWriter writer;
  places(*this, writer);
  if (!corun.empty()) writer.determining["corun"] = {{"names", corun}, {"once", once}};
  return content_hash(config::kept_json_text(writer.determining));
}

std::vector<std::string> RunIdentity::changes() const {
  std::vector<std::string> all = run.overrides;
  for (const std::string& text : run.registers) all.push_back("registers." + text);
  if (run.isa != config::CodeKind::automatic)
    all.push_back(fmt::format("isa={}", to_string(run.isa)));
  return all;
}

RunRequest SweepTask::request() const {
  RunRequest request = identity.run;
  request.plugins = plugins;
  if (is_corun()) return request;
  request.program = identity.arguments;
  request.program.insert(request.program.begin(), program_path);
  return request;
}

std::string_view to_string(RunStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

bool from_string(const std::string& name, RunStatus& status) {
  const auto* const found = std::find(kStatusNames.begin(), kStatusNames.end(), name);
  if (found == kStatusNames.end()) return false;
  status = static_cast<RunStatus>(found - kStatusNames.begin());
  return true;
}

void to_json(ordered_json& json, RunStatus status) { json = to_string(status); }
void from_json(const ordered_json& json, RunStatus& status) {
  const auto name = json.get<std::string>();
  if (!from_string(name, status))
    throw UserError("a run's status is \"" + name + "\", which this Heddle does not know");
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
                            "l1d_misses",
                            "rates",
                            "lanes",
                            "read_time",
                            "energy",
                            "policy"})
      if (launch.contains(key)) kept[key] = launch[key];
  }
  ordered_json kept{{"totals", run_json.at("totals")}, {"kernels", std::move(kernels)}};
  if (run_json.contains("sample")) kept["sample"] = run_json["sample"];
  return kept;
}

}  // namespace heddle::lab
