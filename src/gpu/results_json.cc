#include "gpu/results_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/demangle.h"
#include "config/json_text.h"
#include "gpu/derived.h"
#include "gpu/observe/details_json.h"
#include "gpu/result_sum.h"
#include "stats/json.h"
#include "stats/ratio.h"

namespace heddle::gpu {
namespace {

using stats::ratio;

using Json = nlohmann::ordered_json;

constexpr std::size_t kFigures = 80;  // members of a kernel, about

std::array<std::uint32_t, 3> dimensions(Dim3 d) { return {d.x, d.y, d.z}; }

template <class Members>
void put_derived(Members& into, std::string_view group, const KernelResult& result,
                 const config::GpuSpec& gpu) {
  for (const Derived& one : derived_figures(group))
    std::visit([&](auto value) { into.add(one.name, value); }, one.formula({result, gpu}));
}

template <class Members>
void put_derived_group(Members& into, std::string_view group, const KernelResult& result,
                       const config::GpuSpec& gpu) {
  into.open(group, derived_figures(group).size());
  put_derived(into, group, result, gpu);
  into.close();
}

// "ipaws.phase_cycles.adapt" becomes policy.ipaws.phase_cycles.adapt; records of a kind are a list.
Json policy_json(const sm::PolicyReport& policy) {
  Json json = Json::object();
  const auto place = [&](const std::string& name) -> Json& {
    Json* at = &json;
    std::size_t start = 0;
    for (std::size_t dot; (dot = name.find('.', start)) != std::string::npos; start = dot + 1)
      at = &(*at)[name.substr(start, dot - start)];
    return (*at)[name.substr(start)];
  };
  for (const auto& [name, value] : policy.counters()) place(name) = value;
  for (const auto& record : policy.records()) {
    Json line = Json::object();
    for (const auto& [name, value] : record.values)
      std::visit([&](const auto& v) { line[name] = v; }, value);
    place(record.kind).push_back(std::move(line));
  }
  return json;
}

// Statistics of an SM that run.json has beside "sm".
constexpr std::string_view kBesideSm[] = {"slots",    "l1d",     "l1d_misses",
                                          "constant", "texture", "instruction"};

// The fields of both kernels and totals.
template <class Members>
void put_figures(Members& into, const KernelResult& result, const config::GpuSpec& gpu) {
  put_derived(into, kHeadline, result, gpu);
  put_derived_group(into, kCtas, result, gpu);
  if (result.functional) return;
  // Statistics of SMs and of memory are siblings; the sums of the SMs are under "sm".
  for (const std::string_view beside : kBesideSm)
    stats::put_members(into, result.sm, [&](std::string_view name) { return name == beside; });
  into.open("sm", kFigures);
  stats::put_members(into, result.sm, [](std::string_view name) {
    return std::find(std::begin(kBesideSm), std::end(kBesideSm), name) == std::end(kBesideSm);
  });
  into.close();
  stats::put_members(into, result.memory);
  put_derived_group(into, kRates, result, gpu);
  put_derived_group(into, kLanes, result, gpu);
  if (Json policy = policy_json(result.policy); !policy.empty())
    into.add("policy", std::move(policy));
  if (result.cta_sharing) stats::put_object(into, "cta_sharing", *result.cta_sharing);
  if (result.first_warp) stats::put_object(into, "first_warp", *result.first_warp);
  put_derived_group(into, kReadTime, result, gpu);
}

Json steady_json(const SteadyWaves& steady, const config::GpuSpec& gpu) {
  Json json = Json::object();
  stats::reserve_members(json, kFigures);
  stats::JsonObject into(json);
  into.add("skipped_ctas", steady.skipped_ctas);
  Json parts = Json::array();
  for (const Wave& part : steady.waves)
    parts.push_back({{"cycles", part.cycles},
                     {"warp_instructions", part.warp_instructions},
                     {"dram_reads", part.dram_reads},
                     {"dram_writes", part.dram_writes}});
  into.add("parts", std::move(parts));
  if (steady.warming_instructions > 0)
    into.add("warming", Json{{"warp_instructions", steady.warming_instructions},
                             {"dram_reads", steady.warming_dram.reads},
                             {"dram_writes", steady.warming_dram.writes}});
  put_figures(into, steady.part, gpu);
  return json;
}

// Member by member, in the order of run.json.
template <class Members>
void put_launch(Members& into, const KernelResult& result, const config::GpuSpec& gpu) {
  into.add("name", result.name);
  into.add("display_name", demangle(result.name));
  into.add("simulated", result.simulated());
  into.add("module", result.module);
  into.add("grid", dimensions(result.grid));
  into.add("block", dimensions(result.block));
  into.add("registers_per_thread", result.registers_per_thread);
  into.add("shared_bytes", result.shared_bytes);
  if (!result.functional) {
    into.open("occupancy");
    into.add("ctas_per_sm", result.occupancy.ctas);
    into.add("warps_per_sm", result.occupancy.warps);
    into.add("limiter", result.occupancy.limiter);
    into.close();
    into.add("start_cycle", result.start.value);
    into.add("last_cta_dispatched_at", result.ctas.last_dispatch);
  }
  if (result.compared_addresses) into.add("compared_addresses", *result.compared_addresses);
  if (result.parent) {
    into.add("launch", result.launch);
    into.add("parent_launch", result.parent);
  }
  if (result.truncated || !result.steady.empty()) {
    into.open("untimed");
    into.add("thread_instructions", result.untimed_thread_instructions);
    into.add("warp_instructions", result.untimed_warp_instructions);
    into.close();
  }
  put_figures(into, result, gpu);
  if (result.details) into.add("details", details_json(result));
  if (!result.series.empty()) into.add("series", series_json(result));
  if (result.steady.empty()) return;
  Json steady = Json::array();
  for (const SteadyWaves& one : result.steady) steady.push_back(steady_json(one, gpu));
  into.add("steady", std::move(steady));
}

// Names with dots, from nested objects; lists are records.
void read_policy(const Json& policy, const std::string& prefix,
                 sm::PolicyReport::Values& counters) {
  for (const auto& [name, value] : policy.items()) {
    if (value.is_object()) read_policy(value, prefix + name + ".", counters);
    if (value.is_number()) counters.emplace_back(prefix + name, value.get<std::uint64_t>());
  }
}

template <class S>
void read_optional(const Json& json, const char* name, std::optional<S>& values) {
  if (json.contains(name)) stats::read_json(json[name], values.emplace());
}

// What put_figures() has put.
void read_figures(const Json& json, KernelResult& result) {
  json.at("cycles").get_to(result.cycles);
  json.at("thread_instructions").get_to(result.thread_instructions);
  json.at("warp_instructions").get_to(result.warp_instructions);
  const Json& ctas = json.at("ctas");
  ctas.at("count").get_to(result.ctas.count);
  result.ctas.total_cycles = static_cast<std::uint64_t>(
      std::llround(ctas.at("mean_cycles").get<double>() * static_cast<double>(result.ctas.count)));
  ctas.at("longest_cycles").get_to(result.ctas.longest_cycles);
  ctas.at("last_cycles").get_to(result.ctas.last_cycles);
  ctas.at("last_dispatched_cycles").get_to(result.ctas.last_dispatched_cycles);
  if (result.functional) return;
  Json sm = json.at("sm");
  for (const std::string_view name : kBesideSm) sm[std::string(name)] = json.at(std::string(name));
  stats::read_json(sm, result.sm);
  stats::read_json(json, result.memory);
  sm::PolicyReport::Values counters;
  if (json.contains("policy")) read_policy(json["policy"], {}, counters);
  result.policy.add(counters);
  read_optional(json, "cta_sharing", result.cta_sharing);
  read_optional(json, "first_warp", result.first_warp);
}

}  // namespace

Json kernel_json(const KernelResult& result, const config::GpuSpec& gpu) {
  Json kernel = Json::object();
  stats::reserve_members(kernel, kFigures);
  stats::JsonObject members(kernel);
  put_launch(members, result, gpu);
  return kernel;
}

void put_kernel(stats::JsonText& line, const KernelResult& result, const config::GpuSpec& gpu) {
  put_launch(line, result, gpu);
}

KernelResult kernel_from_json(const Json& json) {
  KernelResult result;
  const std::string simulated = json.at("simulated");
  result.functional = simulated == kFunctional;
  result.truncated = simulated == kTruncated;
  if (!result.functional) json.at("start_cycle").get_to(result.start.value);
  if (json.contains("untimed")) {
    const Json& untimed = json.at("untimed");
    untimed.at("thread_instructions").get_to(result.untimed_thread_instructions);
    untimed.at("warp_instructions").get_to(result.untimed_warp_instructions);
  }
  read_figures(json, result);
  return result;
}

void LaunchTotals::add(const KernelResult& launch) {
  sum_.add(launch);
  details_.add(launch);
  ++(launch.functional ? functional_ : launch.truncated ? truncated_ : timed_);
  thread_instructions_ += launch.thread_instructions + launch.untimed_thread_instructions;
  if (!launch.functional) timed_instructions_ += launch.thread_instructions;
}

// "simulated": how many launches, and which share of instructions, the totals cover.
Json LaunchTotals::json(const config::GpuSpec& gpu, const KernelResult& total) const {
  Json totals{{"launches", launches()},
              {"simulated",
               {{kTimed, timed_},
                {kTruncated, truncated_},
                {kFunctional, functional_},
                {"timed_share", ratio(timed_instructions_, thread_instructions_)}}}};
  stats::reserve_members(totals, kFigures);
  stats::JsonObject members(totals);
  put_figures(members, total, gpu);
  if (Json details = details_.json(); !details.empty()) totals["details"] = std::move(details);
  return totals;
}

// Per direction, in all and by engine.
Json copies_json(const CopyEngines& engines) {
  Json json = Json::object();
  for (std::size_t d = 0; d < CopyEngines::kDirections; ++d) {
    Json& direction = json[std::string(CopyEngines::kDirectionNames[d])] =
        stats::to_json(engines.stats(d));
    direction["busy_cycles_by_engine"] = engines.busy_cycles(d);
  }
  return json;
}

Json results_json(const std::vector<KernelResult>& launches, const KernelResult& total,
                  const config::GpuSpec& gpu) {
  LaunchTotals totals;
  Json kernels = Json::array();
  for (const KernelResult& result : launches) {
    totals.add(result);
    kernels.push_back(kernel_json(result, gpu));
  }
  return {{"totals", totals.json(gpu, total)}, {"kernels", std::move(kernels)}};
}

Json totals_json(const Device& device, const LaunchTotals& launches) {
  Json totals = launches.json(device.spec());
  if (device.copy_engines().enabled()) totals["copy_engines"] = copies_json(device.copy_engines());
  return totals;
}

Json results_json(const Device& device) {
  LaunchTotals totals;
  Json kernels = Json::array();
  for (const KernelResult& result : device.results()) {
    totals.add(result);
    kernels.push_back(kernel_json(result, device.spec()));
  }
  return {{"totals", totals_json(device, totals)}, {"kernels", std::move(kernels)}};
}

std::string results_text(const Device& device) {
  return config::json_text(results_json(device), 1);
}

}  // namespace heddle::gpu
