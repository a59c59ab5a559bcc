#include "lab/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

struct SlotWords { const char *use, *label, *phrase; };
constexpr double kWorthShowing = 0.005;  // smaller shares would read as 0 %
constexpr std::array<SlotWords, 7> kSlotWords{{
    {"issued", "issued", "issuing"},
    {"idle", "idle", "with no instruction to consider"},
    {"instruction_buffer_empty", "fetch", "waiting for instruction fetch"},
    {"barrier", "barrier", "waiting at barriers"},
    {"scoreboard", "operands", "waiting for operands still in flight"},
    {"pipeline", "pipeline", "blocked by busy units or memory pipelines"},
    {"throttled", "throttled", "held back by the policy"},
}};

std::uint64_t number(const ordered_json& at, const char* key) {
  const auto found = at.find(key);
  return found != at.end() && found->is_number() ? found->get<std::uint64_t>() : 0;
}

HitCounts hit_counts(const ordered_json& at, const char* key) {
  const auto found = at.find(key);
  if (found == at.end()) return {};
  return {number(*found, "accesses"), number(*found, "hits"), number(*found, "pending_hits"), number(*found, "misses")};
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
  }
  if (const auto slots = at.find("slots"); slots != at.end())
    for (const auto& [use, count] : slots->items()) facts.slots.emplace_back(use, count.get<std::uint64_t>());
  return facts;
}

void add(HitCounts& into, const HitCounts& from) {
  into.accesses += from.accesses;
  into.hits += from.hits;
  into.pending_hits += from.pending_hits;
  into.misses += from.misses;
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
  if (into.slots.empty()) into.slots = from.slots;
  else
    for (std::size_t i = 0; i < into.slots.size() && i < from.slots.size(); ++i) into.slots[i].second += from.slots[i].second;
}

const SlotWords* words_of(const std::string& use) {
  for (const SlotWords& words : kSlotWords)
    if (use == words.use) return &words;
  return nullptr;
}

}  // namespace

double Facts::row_hit_rate() const {
  const std::uint64_t accesses = dram_reads + dram_writes;
  return accesses ? static_cast<double>(row_hits) / static_cast<double>(accesses) : 0;
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

std::vector<std::pair<std::string, std::uint64_t>> stalls(const Facts& facts) {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  for (const auto& slot : facts.slots)
    if (slot.first != "issued" && slot.second > 0) list.push_back(slot);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

Facts total_facts(const ordered_json& results) {
  Facts facts = facts_of(results.at("totals"));
  facts.launches = results.at("kernels").size();
  return facts;
}

std::vector<Facts> kernel_facts(const ordered_json& results) {
  std::vector<Facts> list;
  for (const ordered_json& kernel : results.at("kernels")) {
    const Facts facts = facts_of(kernel);
    const auto same = std::find_if(list.begin(), list.end(), [&](const Facts& other) { return other.name == facts.name; });
    if (same == list.end()) list.push_back(facts);
    else add(*same, facts);
  }
  return list;
}

std::string stall_text(const Facts& facts, std::size_t most) {
  std::string text;
  for (const auto& [use, count] : stalls(facts)) {
    const double share = static_cast<double>(count) / static_cast<double>(facts.slot_total());
    if (most-- == 0 || share < kWorthShowing) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", slot_label(use), 100 * share);
  }
  return text;
}

std::string slot_phrase(const std::string& use) {
  const SlotWords* words = words_of(use);
  return words ? words->phrase : "lost to " + use;
}

std::string slot_label(const std::string& use) {
  const SlotWords* words = words_of(use);
  return words ? words->label : use;
}

}  // namespace heddle::lab
