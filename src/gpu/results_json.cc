#include "gpu/results_json.h"

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

Json dimensions(Dim3 d) { return Json::array({d.x, d.y, d.z}); }

Json figures_json(std::string_view group, const KernelResult& result, const config::GpuSpec& gpu) {
  Json json = Json::object();
  for (const Derived& one : derived_figures(group))
    std::visit([&](auto value) { json[std::string(one.name)] = value; },
               one.formula({result, gpu.clocks}));
  return json;
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

// The fields of both kernels and totals.
void put_figures(Json& into, const KernelResult& result, const config::GpuSpec& gpu) {
  into.update(figures_json(kHeadline, result, gpu));
  into[kCtas] = figures_json(kCtas, result, gpu);
  if (result.functional) return;
  // Statistics of SMs and of memory are siblings; the sums of the SMs are under "sm".
  Json sm = stats::to_json(result.sm);
  for (const char* cache : {"slots", "l1d", "constant", "texture", "instruction"}) {
    into[cache] = std::move(sm[cache]);
    sm.erase(cache);
  }
  into["sm"] = std::move(sm);
  Json memory = stats::to_json(result.memory);
  for (auto& [name, value] : memory.get_ref<Json::object_t&>()) into[name] = std::move(value);
  into[kRates] = figures_json(kRates, result, gpu);
  if (Json policy = policy_json(result.policy); !policy.empty()) into["policy"] = std::move(policy);
  if (result.cta_sharing) into["cta_sharing"] = stats::to_json(*result.cta_sharing);
  if (result.first_warp) into["first_warp"] = stats::to_json(*result.first_warp);
  into[kReadTime] = figures_json(kReadTime, result, gpu);
}

// How many launches, and which share of instructions, the totals cover.
Json simulated_json(const std::vector<KernelResult>& results) {
  std::uint64_t timed = 0, truncated = 0, functional = 0, instructions = 0, all = 0;
  for (const KernelResult& r : results) {
    ++(r.functional ? functional : r.truncated ? truncated : timed);
    all += r.thread_instructions + r.untimed_thread_instructions;
    if (!r.functional) instructions += r.thread_instructions;
  }
  return {{kTimed, timed},
          {kTruncated, truncated},
          {kFunctional, functional},
          {"timed_share", ratio(instructions, all)}};
}

Json totals_of(const std::vector<KernelResult>& launches, const KernelResult& total,
               const config::GpuSpec& gpu) {
  Json totals{{"launches", launches.size()}, {"simulated", simulated_json(launches)}};
  put_figures(totals, total, gpu);
  if (Json details = details_totals_json(launches); !details.empty())
    totals["details"] = std::move(details);
  return totals;
}

}  // namespace

Json kernel_json(const KernelResult& result, const config::GpuSpec& gpu) {
  Json kernel{{"name", result.name},
              {"display_name", demangle(result.name)},
              {"simulated", result.simulated()},
              {"module", result.module},
              {"grid", dimensions(result.grid)},
              {"block", dimensions(result.block)},
              {"registers_per_thread", result.registers_per_thread},
              {"shared_bytes", result.shared_bytes}};
  if (!result.functional) {
    kernel["occupancy"] = {{"ctas_per_sm", result.occupancy.ctas},
                           {"warps_per_sm", result.occupancy.warps},
                           {"limiter", result.occupancy.limiter}};
    kernel["start_cycle"] = result.start.value;
    kernel["last_cta_dispatched_at"] = result.ctas.last_dispatch;
  }
  if (result.compared_addresses) kernel["compared_addresses"] = *result.compared_addresses;
  if (result.parent) {
    kernel["launch"] = result.launch;
    kernel["parent_launch"] = result.parent;
  }
  if (result.truncated)
    kernel["untimed"] = {{"thread_instructions", result.untimed_thread_instructions},
                         {"warp_instructions", result.untimed_warp_instructions}};
  put_figures(kernel, result, gpu);
  if (result.details) kernel["details"] = details_json(result);
  if (!result.series.empty()) kernel["series"] = series_json(result);
  return kernel;
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
  Json kernels = Json::array();
  for (const auto& result : launches) kernels.push_back(kernel_json(result, gpu));
  return {{"totals", totals_of(launches, total, gpu)}, {"kernels", std::move(kernels)}};
}

Json totals_json(const Device& device) {
  Json totals = totals_of(device.results(), sum_of(device.results()), device.spec());
  if (device.copy_engines().enabled()) totals["copy_engines"] = copies_json(device.copy_engines());
  return {{"totals", std::move(totals)}};
}

Json results_json(const Device& device) {
  Json json = totals_json(device);
  Json& kernels = json["kernels"] = Json::array();
  for (const auto& result : device.results()) kernels.push_back(kernel_json(result, device.spec()));
  return json;
}

std::string results_text(const Device& device) {
  return config::json_text(results_json(device), 1);
}

}  // namespace heddle::gpu
