#include "lab/facts.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

constexpr double kWorthShowing = 0.02;  // of all issue slots

std::uint64_t number(const ordered_json& at, const char* key) {
  const auto found = at.find(key);
  return found != at.end() && found->is_number() ? found->get<std::uint64_t>() : 0;
}

std::vector<std::pair<std::string, std::uint64_t>> numbers(const ordered_json& at,
                                                           const char* key) {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  if (const auto found = at.find(key); found != at.end())
    for (const auto& [name, count] : found->items())
      list.emplace_back(name, count.get<std::uint64_t>());
  return list;
}

HitCounts hit_counts(const ordered_json& at, const char* key) {
  const auto found = at.find(key);
  if (found == at.end()) return {};
  std::uint64_t refused = 0;
  for (const auto& [cause, count] : numbers(*found, "reservation_fails"))
    if (cause != "no_replaceable_way" && cause != "port_busy") refused += count;
  return {number(*found, "accesses"),
          number(*found, "hits"),
          number(*found, "pending_hits"),
          number(*found, "misses"),
          number(*found, "hits_same_warp"),
          number(*found, "hits_other_warp"),
          refused};
}

// {"ccws": {"a": {"b": 1}}} -> "ccws.a.b". Records of single kernels are lists and left out.
void flatten(const ordered_json& at, const std::string& prefix,
             std::map<std::string, std::uint64_t>& into) {
  for (const auto& [name, value] : at.items()) {
    if (value.is_object())
      flatten(value, prefix + name + ".", into);
    else if (value.is_number_integer())
      into[prefix + name] += value.get<std::uint64_t>();
  }
}

Facts facts_of(const ordered_json& at) {
  Facts facts;
  facts.name = plain_name(at.value("name", ""));
  facts.launches = 1;
  facts.cycles = number(at, "cycles");
  facts.thread_instructions = number(at, "thread_instructions");
  facts.warp_instructions = number(at, "warp_instructions");
  facts.l1d = hit_counts(at, "l1d");
  facts.l2 = hit_counts(at, "l2");
  if (const auto dram = at.find("dram"); dram != at.end()) {
    facts.dram_reads = number(*dram, "reads");
    facts.dram_writes = number(*dram, "writes");
    facts.row_hits = number(*dram, "row_hits");
    facts.dram_data_cycles = number(*dram, "data_cycles");
    facts.dram_active_cycles = number(*dram, "active_cycles");
  }
  facts.slots = numbers(at, "slots");
  if (const auto sm = at.find("sm"); sm != at.end()) {
    facts.sm_cycles = number(*sm, "cycles");
    facts.lsu_stalls = numbers(*sm, "lsu_stalls");
  }
  if (const auto ctas = at.find("ctas"); ctas != at.end()) {
    facts.ctas = number(*ctas, "count");
    facts.cta_cycles = static_cast<std::uint64_t>(
        ctas->value("mean_cycles", 0.0) * static_cast<double>(facts.ctas) + 0.5);
    facts.last_cta_cycles = number(*ctas, "last_cycles");
  }
  if (at.contains("last_cta_dispatched_at"))
    facts.tail_cycles = facts.cycles - std::min(facts.cycles, number(at, "last_cta_dispatched_at"));
  if (const auto policy = at.find("policy"); policy != at.end()) flatten(*policy, "", facts.policy);
  return facts;
}

void add(HitCounts& into, const HitCounts& from) {
  into.accesses += from.accesses;
  into.hits += from.hits;
  into.pending_hits += from.pending_hits;
  into.misses += from.misses;
  into.hits_same_warp += from.hits_same_warp;
  into.hits_other_warp += from.hits_other_warp;
  into.refused += from.refused;
}

void add(std::vector<std::pair<std::string, std::uint64_t>>& into,
         const std::vector<std::pair<std::string, std::uint64_t>>& from) {
  if (into.empty())
    into = from;
  else
    for (std::size_t i = 0; i < into.size() && i < from.size(); ++i)
      into[i].second += from[i].second;
}

void add(Facts& into, const Facts& from) {
  into.launches += from.launches;
  into.cycles += from.cycles;
  into.thread_instructions += from.thread_instructions;
  into.warp_instructions += from.warp_instructions;
  add(into.l1d, from.l1d);
  add(into.l2, from.l2);
  into.dram_reads += from.dram_reads;
  into.dram_writes += from.dram_writes;
  into.row_hits += from.row_hits;
  into.dram_data_cycles += from.dram_data_cycles;
  into.dram_active_cycles += from.dram_active_cycles;
  into.sm_cycles += from.sm_cycles;
  into.ctas += from.ctas;
  into.cta_cycles += from.cta_cycles;
  into.tail_cycles += from.tail_cycles;
  into.last_cta_cycles += from.last_cta_cycles;
  for (const auto& [name, value] : from.policy) into.policy[name] += value;
  add(into.slots, from.slots);
  add(into.lsu_stalls, from.lsu_stalls);
}

// In tables a use goes by its name in run.json, but for the longest.
std::string slot_label(const std::string& use) {
  return use == "instruction_buffer_empty" ? "buffer empty" : use;
}

}  // namespace

double Facts::row_hit_rate() const {
  const std::uint64_t accesses = dram_reads + dram_writes;
  return accesses ? static_cast<double>(row_hits) / static_cast<double>(accesses) : 0;
}

std::uint64_t Facts::of_policy(const std::string& what) const {
  const auto found = policy.find(what);
  return found == policy.end() ? 0 : found->second;
}

std::uint64_t Facts::slot_total() const {
  std::uint64_t sum = 0;
  for (const auto& [use, count] : slots) sum += count;
  return sum;
}

std::uint64_t Facts::slots_of(const std::string& use) const {
  for (const auto& [name_of_use, count] : slots)
    if (name_of_use == use) return count;
  return 0;
}

double Facts::share_of(const std::string& use) const {
  const std::uint64_t total = slot_total();
  return total ? static_cast<double>(slots_of(use)) / static_cast<double>(total) : 0;
}

std::vector<std::pair<std::string, std::uint64_t>> stalls(const Facts& facts) {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  for (const auto& slot : facts.slots)
    if (slot.first != "issued" && slot.second > 0) list.push_back(slot);
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

bool counts(const ordered_json& results, const ordered_json& launch) {
  return results.value("functional", false) || launch.value("simulated", "") != "functional";
}

ordered_json timed_results(const ordered_json& results) {
  ordered_json timed = results;
  timed["kernels"] = ordered_json::array();
  for (const ordered_json& kernel : results.at("kernels"))
    if (counts(results, kernel)) timed["kernels"].push_back(kernel);
  return timed;
}

Facts total_facts(const ordered_json& results) {
  Facts facts = facts_of(results.at("totals"));
  facts.launches = 0;
  facts.tail_cycles = facts.last_cta_cycles = 0;  // of single kernels only
  for (const ordered_json& kernel : results.at("kernels")) {
    if (!counts(results, kernel)) continue;
    const Facts one = facts_of(kernel);
    ++facts.launches;
    facts.tail_cycles += one.tail_cycles;
    facts.last_cta_cycles += one.last_cta_cycles;
  }
  return facts;
}

std::vector<Facts> kernel_facts(const ordered_json& results) {
  std::vector<Facts> list;
  for (const ordered_json& kernel : results.at("kernels")) {
    if (!counts(results, kernel)) continue;
    const Facts facts = facts_of(kernel);
    const auto same = std::find_if(list.begin(), list.end(),
                                   [&](const Facts& other) { return other.name == facts.name; });
    if (same == list.end())
      list.push_back(facts);
    else
      add(*same, facts);
  }
  return list;
}

std::string stall_text(const Facts& facts, std::size_t most) {
  std::string text;
  for (const auto& [use, count] : stalls(facts)) {
    const double share = facts.share_of(use);
    if (most-- == 0 || share < kWorthShowing) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", slot_label(use), 100 * share);
  }
  return text.empty() ? "-" : text;
}

}  // namespace heddle::lab
