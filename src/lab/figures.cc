#include "lab/figures.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "gpu/active_cycles.h"
#include "gpu/cta/cta_policy.h"
#include "lab/scheduler_pair.h"
#include "mem/cache_stats.h"
#include "stats/ratio.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;
using stats::ratio;

std::uint64_t number(const ordered_json& at, const char* key) {
  const auto found = at.find(key);
  return found != at.end() && found->is_number() ? found->get<std::uint64_t>() : 0;
}

// A breakdown, by the index of its buckets' names.
template <std::size_t N>
std::array<std::uint64_t, N> breakdown(const ordered_json& at, const char* key,
                                       const std::array<std::string_view, N>& names) {
  std::array<std::uint64_t, N> counts{};
  if (const auto found = at.find(key); found != at.end())
    for (std::size_t i = 0; i < N; ++i) counts[i] = number(*found, std::string(names[i]).c_str());
  return counts;
}

// Full while memory below is slow; the other causes are of the cache itself.
bool waits_for_memory(mem::FailCause cause) {
  switch (cause) {
    case mem::FailCause::mshr_full:
    case mem::FailCause::merge_full:
    case mem::FailCause::miss_queue_full: return true;
    case mem::FailCause::no_replaceable_way:
    case mem::FailCause::port_busy: return false;
  }
  return false;
}

CacheFigures cache_figures(const ordered_json& at, const char* key) {
  const auto found = at.find(key);
  if (found == at.end()) return {};
  CacheFigures cache{number(*found, "accesses"),
                     number(*found, "hits"),
                     number(*found, "pending_hits"),
                     number(*found, "misses"),
                     number(*found, "hits_same_warp"),
                     number(*found, "hits_other_warp"),
                     0};
  const auto fails = breakdown(*found, "reservation_fails", mem::kFailCauseNames);
  for (std::size_t i = 0; i < fails.size(); ++i)
    if (waits_for_memory(static_cast<mem::FailCause>(i)))
      cache.memory_reservation_fails += fails[i];
  return cache;
}

// {"ccws": {"a": {"b": 1}}} -> "ccws.a.b". Lists are records of single kernels and are left out.
void read_policy(const ordered_json& at, const std::string& prefix,
                 std::map<std::string, std::uint64_t>& counters) {
  for (const auto& [name, value] : at.items()) {
    if (value.is_object())
      read_policy(value, prefix + name + ".", counters);
    else if (value.is_number_integer())
      counters[prefix + name] += value.get<std::uint64_t>();
  }
}

WeightedMean mean(const ordered_json& at, const char* group, const char* name, double weight) {
  const auto found = at.find(group);
  return found == at.end() ? WeightedMean{}
                           : WeightedMean{weight * found->value(name, 0.0), weight};
}

void read_ctas(const ordered_json& at, CtaFigures& figures) {
  const auto ctas = at.find("ctas");
  if (ctas == at.end()) return;
  figures.count = number(*ctas, "count");
  figures.cycles = static_cast<std::uint64_t>(
      std::llround(ctas->value("mean_cycles", 0.0) * static_cast<double>(figures.count)));
  figures.last_cycles = number(*ctas, "last_cycles");
}

void read_sm(const ordered_json& at, KernelFigures& figures) {
  const auto sm = at.find("sm");
  if (sm == at.end()) return;
  figures.resident.sm_cycles = number(*sm, "cycles");
  figures.resident.warp_cycles = number(*sm, "resident_warp_cycles");
  figures.lsu_stalls = breakdown(*sm, "lsu_stalls", sm::kLsuStallNames);
  figures.coalescing.accesses = number(*sm, "coalesced_accesses");
  if (const auto counts = sm->find("accesses_per_instruction"); counts != sm->end())
    for (const auto& count : *counts) figures.coalescing.instructions += count.get<std::uint64_t>();
}

void read_means(const ordered_json& at, KernelFigures& figures) {
  const auto weight = static_cast<double>(figures.cycles);
  figures.dram.bank_parallelism = mean(at, "rates", "dram_bank_parallelism", weight);
  figures.dram.bandwidth = mean(at, "rates", "dram_bandwidth", weight);
  figures.resident.warps = mean(at, "rates", "resident_warps", weight);
  figures.lanes_per_instruction = mean(at, "rates", "lanes_per_instruction", weight);
  figures.read_time = {
      mean(at, "read_time", "mean", weight), mean(at, "read_time", "network_down", weight),
      mean(at, "read_time", "l2", weight),   mean(at, "read_time", "dram_queue", weight),
      mean(at, "read_time", "dram", weight), mean(at, "read_time", "network_up", weight)};
}

void read_energy(const ordered_json& at, EnergyFigures& figures) {
  const auto energy = at.find("energy");
  if (energy == at.end()) return;
  for (const auto& [name, value] : energy->items()) {
    if (name == "total_nj")
      figures.total_nj = value.get<double>();
    else
      figures.parts_nj.emplace_back(name.substr(0, name.size() - 3), value.get<double>());
  }
}

sm::CtaSharingStats cta_sharing(const ordered_json& at) {
  sm::CtaSharingStats sharing;
  std::apply(
      [&](const auto&... field) {
        ((sharing.*field.member = number(at, std::string(field.name).c_str())), ...);
      },
      sm::CtaSharingStats::fields());
  return sharing;
}

// at: "totals" or one launch.
KernelFigures kernel_figures(const ordered_json& at) {
  KernelFigures figures;
  figures.name = plain_name(at.value("name", ""));
  figures.launches = 1;
  figures.cycles = number(at, "cycles");
  figures.thread_instructions = number(at, "thread_instructions");
  figures.warp_instructions = number(at, "warp_instructions");
  figures.l1d = cache_figures(at, "l1d");
  figures.l2 = cache_figures(at, "l2");
  if (const auto dram = at.find("dram"); dram != at.end()) {
    figures.dram.reads = number(*dram, "reads");
    figures.dram.writes = number(*dram, "writes");
    figures.dram.row_hits = number(*dram, "row_hits");
  }
  figures.slots = breakdown(at, "slots", sm::kSlotUseNames);
  read_sm(at, figures);
  read_ctas(at, figures.ctas);
  if (const auto policy = at.find("policy"); policy != at.end())
    read_policy(*policy, "", figures.policy);
  if (const auto sharing = at.find("cta_sharing"); sharing != at.end())
    figures.ctas.sharing = cta_sharing(*sharing);
  if (const auto occupancy = at.find("occupancy"); occupancy != at.end())
    figures.occupancy = {number(*occupancy, "ctas_per_sm"), number(*occupancy, "warps_per_sm"),
                         occupancy->value("limiter", ""), number(at, "registers_per_thread"),
                         number(at, "shared_bytes")};
  read_means(at, figures);
  read_energy(at, figures.energy);
  return figures;
}

void add(CacheFigures& into, const CacheFigures& from) {
  into.accesses += from.accesses;
  into.hits += from.hits;
  into.pending_hits += from.pending_hits;
  into.misses += from.misses;
  into.hits_same_warp += from.hits_same_warp;
  into.hits_other_warp += from.hits_other_warp;
  into.memory_reservation_fails += from.memory_reservation_fails;
}

void add(WeightedMean& into, const WeightedMean& from) {
  into.sum += from.sum;
  into.weight += from.weight;
}

template <std::size_t N>
void add(std::array<std::uint64_t, N>& into, const std::array<std::uint64_t, N>& from) {
  for (std::size_t i = 0; i < N; ++i) into[i] += from[i];
}

void add(ReadTimeFigures& into, const ReadTimeFigures& from) {
  for (WeightedMean ReadTimeFigures::* part :
       {&ReadTimeFigures::all, &ReadTimeFigures::network_down, &ReadTimeFigures::l2,
        &ReadTimeFigures::dram_queue, &ReadTimeFigures::dram, &ReadTimeFigures::network_up})
    add(into.*part, from.*part);
}

void add(DramFigures& into, const DramFigures& from) {
  for (std::uint64_t DramFigures::* counter :
       {&DramFigures::reads, &DramFigures::writes, &DramFigures::row_hits})
    into.*counter += from.*counter;
  add(into.bank_parallelism, from.bank_parallelism);
  add(into.bandwidth, from.bandwidth);
}

void add(CtaFigures& into, const CtaFigures& from) {
  into.count += from.count;
  into.cycles += from.cycles;
  into.last_cycles += from.last_cycles;
  if (!from.sharing) return;
  if (!into.sharing) into.sharing.emplace();
  into.sharing->add(*from.sharing);
}

void add(ResidencyFigures& into, const ResidencyFigures& from) {
  into.sm_cycles += from.sm_cycles;
  into.warp_cycles += from.warp_cycles;
  add(into.warps, from.warps);
}

void add(EnergyFigures& into, const EnergyFigures& from) {
  into.total_nj += from.total_nj;
  if (into.parts_nj.empty()) into.parts_nj.assign(from.parts_nj.size(), {"", 0.0});
  for (std::size_t i = 0; i < std::min(into.parts_nj.size(), from.parts_nj.size()); ++i) {
    into.parts_nj[i].first = from.parts_nj[i].first;
    into.parts_nj[i].second += from.parts_nj[i].second;
  }
}

void add(KernelFigures& into, const KernelFigures& from) {
  for (std::uint64_t KernelFigures::* counter :
       {&KernelFigures::launches, &KernelFigures::thread_instructions,
        &KernelFigures::warp_instructions})
    into.*counter += from.*counter;
  add(into.l1d, from.l1d);
  add(into.l2, from.l2);
  add(into.dram, from.dram);
  into.coalescing.accesses += from.coalescing.accesses;
  into.coalescing.instructions += from.coalescing.instructions;
  add(into.ctas, from.ctas);
  add(into.resident, from.resident);
  for (const auto& [name, value] : from.policy) into.policy[name] += value;
  add(into.slots, from.slots);
  add(into.lsu_stalls, from.lsu_stalls);
  add(into.lanes_per_instruction, from.lanes_per_instruction);
  add(into.read_time, from.read_time);
  add(into.energy, from.energy);
}

// Static energy is in proportion to the cycles.
void count_static_energy_once(KernelFigures& kernel) {
  if (!kernel.overlap()) return;
  for (auto& [part, nanojoules] : kernel.energy.parts_nj) {
    if (part != "static") continue;
    const double repeated = nanojoules * (1 - ratio(kernel.cycles, kernel.launch_cycles));
    nanojoules -= repeated;
    kernel.energy.total_nj -= repeated;
  }
}

// The times of several launches.
class LaunchTimes {
 public:
  void add(const ordered_json& launch) {
    const Cycle start{number(launch, "start_cycle")};
    const std::uint64_t cycles = number(launch, "cycles");
    active_.add(start, cycles);
    sum_ += cycles;
    if (!launch.contains("last_cta_dispatched_at")) return;
    const std::uint64_t at = std::min(cycles, number(launch, "last_cta_dispatched_at"));
    tails_.add(start + at, cycles - at);
  }
  std::uint64_t active() const { return active_.count(); }
  void put_sums(KernelFigures& into) const {
    into.launch_cycles = sum_;
    into.ctas.tail_cycles = tails_.count();
  }

 private:
  gpu::ActiveCycles active_, tails_;
  std::uint64_t sum_ = 0;
};

void read_simulated(const ordered_json& totals, RunFigures& run) {
  const auto found = totals.find("simulated");
  if (found == totals.end()) return;
  run.timed_launches = number(*found, "timed");
  run.truncated_launches = number(*found, "truncated");
  run.functional_launches = number(*found, "functional");
  run.timed_share = found->value("timed_share", 0.0);
}

// Those that are included, and what the totals have of them.
void read_launches(const ordered_json& results, const EachLaunch& each_launch, RunFigures& run) {
  run.total.launches = 0;
  LaunchTimes times;
  std::vector<LaunchTimes> times_of_kernels;
  each_launch([&](const ordered_json& launch) {
    if (const auto compared = launch.find("compared_addresses"); compared != launch.end())
      run.compared_addresses = run.compared_addresses.value_or(0) + compared->get<std::uint64_t>();
    if (!is_included(results, launch)) return;
    const KernelFigures one = kernel_figures(launch);
    ++run.total.launches;
    run.total.ctas.last_cycles += one.ctas.last_cycles;
    const auto same =
        std::find_if(run.kernels.begin(), run.kernels.end(),
                     [&](const KernelFigures& kernel) { return kernel.name == one.name; });
    const auto place = static_cast<std::size_t>(same - run.kernels.begin());
    if (same == run.kernels.end()) {
      run.kernels.push_back(one);
      times_of_kernels.emplace_back();
    } else {
      add(*same, one);
    }
    times.add(launch);
    times_of_kernels[place].add(launch);
  });
  times.put_sums(run.total);
  for (std::size_t i = 0; i < run.kernels.size(); ++i) {
    times_of_kernels[i].put_sums(run.kernels[i]);
    run.kernels[i].cycles = times_of_kernels[i].active();
    count_static_energy_once(run.kernels[i]);
  }
}

}  // namespace

double CacheFigures::hit_rate() const { return ratio(hits, accesses); }
double KernelFigures::ipc() const { return ratio(thread_instructions, cycles); }
double DramFigures::row_hit_rate() const { return ratio(row_hits, reads + writes); }
double CoalescingFigures::accesses_per_instruction() const { return ratio(accesses, instructions); }

std::uint64_t KernelFigures::all_slots() const {
  return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
}

double KernelFigures::share_of(sm::SlotUse use) const { return ratio(slots_of(use), all_slots()); }

std::vector<std::pair<sm::SlotUse, std::uint64_t>> lost_slots(const KernelFigures& figures) {
  std::vector<std::pair<sm::SlotUse, std::uint64_t>> list;
  for (std::size_t i = 0; i < figures.slots.size(); ++i)
    if (const auto use = static_cast<sm::SlotUse>(i);
        use != sm::SlotUse::issued && figures.slots[i] > 0)
      list.emplace_back(use, figures.slots[i]);
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

sm::LsuStall most_frequent_stall(const KernelFigures& figures) {
  const auto& stalls = figures.lsu_stalls;
  return static_cast<sm::LsuStall>(std::max_element(stalls.begin(), stalls.end()) - stalls.begin());
}

bool is_included(const ordered_json& results, const ordered_json& launch) {
  return results.value("functional", false) || launch.value("simulated", "") != "functional";
}

ordered_json included_results(const ordered_json& results) {
  ordered_json included = results;
  included["kernels"] = ordered_json::array();
  for (const ordered_json& launch : results.at("kernels"))
    if (is_included(results, launch)) included["kernels"].push_back(launch);
  return included;
}

std::uint64_t max_warps_per_sm(const ordered_json& results) {
  constexpr std::uint64_t kWarpSize = 32;
  const ordered_json::json_pointer place("/configuration/toml");
  if (!results.contains(place)) return 0;
  const toml::table gpu = toml::parse(results[place].get<std::string>());
  return gpu["sm"]["max_threads"].value_or(std::uint64_t{0}) / kWarpSize;
}

RunFigures read_figures(const ordered_json& results, std::uint64_t max_warps_per_sm) {
  return read_figures(results, max_warps_per_sm, [&](const UseLaunch& use) {
    for (const ordered_json& launch : results.at("kernels")) use(launch);
  });
}

RunFigures read_figures(const ordered_json& results, std::uint64_t max_warps_per_sm,
                        const EachLaunch& each_launch) {
  RunFigures run;
  run.gpu = results.value("gpu", "");
  run.scheduler = SchedulerPair{results.value("scheduler", ""),
                                results.value("cta_scheduler", gpu::kDefaultCtaScheduler)}
                      .name();
  run.functional = results.value("functional", false);
  run.elapsed_times = number(results, "elapsed_times");
  run.kernel_seconds = results.value(ordered_json::json_pointer("/host/kernel_seconds"), 0.0);
  run.max_warps_per_sm = max_warps_per_sm;
  if (const ordered_json::json_pointer bar("/sample/estimates/0/bar"); results.contains(bar))
    run.cycles_bar = results[bar].get<double>();
  if (results.contains("parts")) run.parts = results["parts"].size();
  read_simulated(results.at("totals"), run);
  run.total = kernel_figures(results.at("totals"));
  read_launches(results, each_launch, run);
  return run;
}

}  // namespace heddle::lab
