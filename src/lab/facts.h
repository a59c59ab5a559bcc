// The figures that comparisons and summaries speak about, taken from the totals or a kernel of a
// run.json.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::lab {

struct HitCounts {
  std::uint64_t accesses = 0, hits = 0, pending_hits = 0, misses = 0;
  std::uint64_t hits_same_warp = 0, hits_other_warp = 0;
  std::uint64_t refused =
      0;  // tries turned away because MSHRs or the miss queue were full: memory is saturated
  // Accesses whose data were there. One merged into an outstanding fetch waited for memory, so it
  // is not among them.
  double hit_rate() const {
    return accesses ? static_cast<double>(hits) / static_cast<double>(accesses) : 0;
  }
};

struct Facts {
  std::string name;  // of the kernel, readable
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0, thread_instructions = 0, warp_instructions = 0;
  HitCounts l1d, l2;
  std::uint64_t dram_reads = 0, dram_writes = 0, row_hits = 0;
  std::uint64_t dram_data_cycles = 0, dram_active_cycles = 0;
  std::uint64_t sm_cycles = 0;
  std::uint64_t ctas = 0, cta_cycles = 0;  // their times, summed
  std::uint64_t tail_cycles =
      0;  // from the last CTA's dispatch to the kernel's end, over all launches
  std::uint64_t last_cta_cycles = 0;  // the time of the CTA that ended last, over all launches
  std::map<std::string, std::uint64_t>
      policy;  // what the policies counted: "ccws.lost_locality_hits"
  std::vector<std::pair<std::string, std::uint64_t>> lsu_stalls;  // by cause
  std::vector<std::pair<std::string, std::uint64_t>>
      slots;  // issue slots by use, in the order of the file

  double ipc() const {
    return cycles ? static_cast<double>(thread_instructions) / static_cast<double>(cycles) : 0;
  }
  double row_hit_rate() const;
  std::uint64_t of_policy(const std::string& name) const;  // 0 when it is not told
  std::uint64_t slot_total() const;
  std::uint64_t slots_of(const std::string& use) const;
  double share_of(const std::string& use) const;  // of all issue slots
};

// Was the launch, or a part of it, simulated in time? Where a run times nothing at all, figures are
// of all launches.
bool counts(const nlohmann::ordered_json& results, const nlohmann::ordered_json& launch);
// The results without the launches that were only computed.
nlohmann::ordered_json timed_results(const nlohmann::ordered_json& results);

// Slot uses other than issuing, most frequent first.
std::vector<std::pair<std::string, std::uint64_t>> stalls(const Facts& facts);
// The program's whole run.
Facts total_facts(const nlohmann::ordered_json& results);
// One entry per kernel name, launches added up, in order of first launch.
std::vector<Facts> kernel_facts(const nlohmann::ordered_json& results);

// "scoreboard 45 %, idle 12 %": the `most` largest shares of all issue slots, "-" where none is
// worth telling.
std::string stall_text(const Facts& facts, std::size_t most);

}  // namespace heddle::lab
