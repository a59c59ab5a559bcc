// The figures of a run as values, read once from its run.json. Tables, sentences and pictures are
// made from these.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sm/count/cta_sharing.h"
#include "sm/count/sm_stats.h"
#include "sm/policy/slot_use.h"

namespace heddle::lab {

struct CacheFigures {
  std::uint64_t accesses = 0, hits = 0, pending_hits = 0, misses = 0;
  std::uint64_t hits_same_warp = 0, hits_other_warp = 0;
  // Reservation failures because the MSHRs or the miss queue were full.
  std::uint64_t memory_reservation_fails = 0;
  // Pending hits are not hits: they wait for memory.
  double hit_rate() const;
};

struct OccupancyFigures {
  std::uint64_t ctas_per_sm = 0, warps_per_sm = 0;
  std::string limiter;
  std::uint64_t registers_per_thread = 0, shared_bytes = 0;
};

// A mean over launches, weighted by their cycles.
struct WeightedMean {
  double sum = 0, weight = 0;
  double value() const { return weight > 0 ? sum / weight : 0; }
};

// Core cycles of a read beyond the L1: all of it, and its parts.
struct ReadTimeFigures {
  WeightedMean all, network_down, l2, dram_queue, dram, network_up;
};

struct DramFigures {
  std::uint64_t reads = 0, writes = 0, row_hits = 0;
  WeightedMean bank_parallelism, bandwidth;  // bandwidth: the used part
  double row_hit_rate() const;
};

// Of global and local memory instructions.
struct CoalescingFigures {
  std::uint64_t accesses = 0, instructions = 0;
  double accesses_per_instruction() const;
};

struct CtaFigures {
  std::uint64_t count = 0, cycles = 0;  // cycles: the CTAs' times added up
  // In which at least one launch was between its last CTA's start and its end.
  std::uint64_t tail_cycles = 0;
  std::uint64_t last_cycles = 0;               // time of the CTA that ended last, per launch
  std::optional<sm::CtaSharingStats> sharing;  // of runs that counted it
};

struct ResidencyFigures {
  std::uint64_t sm_cycles = 0, warp_cycles = 0;  // over all SMs
  WeightedMean warps;
};

struct EnergyFigures {
  std::vector<std::pair<std::string, double>> parts_nj;  // without the total
  double total_nj = 0;
};

// One kernel, its launches added up; or all kernels of a run.
struct KernelFigures {
  std::string name;  // demangled
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0;         // in which at least one of the launches was active
  std::uint64_t launch_cycles = 0;  // of the launches added up: more where launches overlap
  std::uint64_t thread_instructions = 0, warp_instructions = 0;
  CacheFigures l1d, l2;
  DramFigures dram;
  CoalescingFigures coalescing;
  CtaFigures ctas;
  ResidencyFigures resident;
  std::map<std::string, std::uint64_t> policy;  // counters of policies: "ccws.lost_locality_hits"
  std::array<std::uint64_t, sm::kLsuStalls> lsu_stalls{};
  std::array<std::uint64_t, sm::kSlotUses> slots{};
  OccupancyFigures occupancy;  // of the first launch
  WeightedMean lanes_per_instruction;
  ReadTimeFigures read_time;
  EnergyFigures energy;

  bool overlap() const { return launch_cycles > cycles; }  // some launches ran at once
  double ipc() const;  // thread instructions per core cycle of the whole GPU
  std::uint64_t all_slots() const;
  std::uint64_t slots_of(sm::SlotUse use) const { return slots[static_cast<std::size_t>(use)]; }
  double share_of(sm::SlotUse use) const;  // of all issue slots
};

struct RunFigures {
  std::string gpu;
  std::string scheduler;  // name of the pair of warp and CTA scheduler (scheduler_pair.h)
  bool functional = false;
  std::uint64_t elapsed_times = 0;  // answered calls of cudaEventElapsedTime
  std::uint64_t timed_launches = 0, truncated_launches = 0, functional_launches = 0;
  double timed_share = 1;     // of all thread instructions
  double kernel_seconds = 0;  // on the host
  // A sampled run's figures are estimates: half the width of the interval of 95 % for the cycles.
  std::optional<double> cycles_bar;
  std::size_t parts = 0;  // that the results are put together from; 0: the run was not cut
  // Addresses of lanes that agreed with the analysis; nothing without --check-analysis.
  std::optional<std::uint64_t> compared_addresses;
  std::uint64_t max_warps_per_sm = 0;
  KernelFigures total;
  std::vector<KernelFigures> kernels;  // by name, in the order of their first launches

  bool empty() const { return kernels.empty(); }
};

// max_warps_per_sm: of the simulated GPU.
RunFigures read_figures(const nlohmann::ordered_json& results, std::uint64_t max_warps_per_sm = 0);
// The same without "kernels" in the results: each_launch calls its argument with every launch.
using UseLaunch = std::function<void(const nlohmann::ordered_json& launch)>;
using EachLaunch = std::function<void(const UseLaunch& use)>;
RunFigures read_figures(const nlohmann::ordered_json& results, std::uint64_t max_warps_per_sm,
                        const EachLaunch& each_launch);

// Of the configuration in run.json, for results that this process did not measure.
std::uint64_t max_warps_per_sm(const nlohmann::ordered_json& results);

// Do the figures include this launch? Launches that a timed run computed functionally are left out.
bool is_included(const nlohmann::ordered_json& results, const nlohmann::ordered_json& launch);
// `results` without the launches that are not included.
nlohmann::ordered_json included_results(const nlohmann::ordered_json& results);

// Slot uses other than `issued`, most frequent first; those that never occurred are left out.
std::vector<std::pair<sm::SlotUse, std::uint64_t>> lost_slots(const KernelFigures& figures);
// The cause that kept the load/store unit busy for the most cycles.
sm::LsuStall most_frequent_stall(const KernelFigures& figures);

}  // namespace heddle::lab
