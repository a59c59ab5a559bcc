#include "lab/source_costs.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>

#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

struct Entry {
  std::string source;  // "folder/kmeans.cu:28"; empty: the source is unknown
  int ptx_line = 0;    // when the source is unknown
  SourceCost cost;
  std::uint64_t most_slots = 0;  // of one instruction
};

std::uint64_t sum(const ordered_json& counts, const char* prefix) {
  std::uint64_t total = 0;
  for (const auto& [kind, count] : counts.items())
    if (kind.starts_with(prefix)) total += count.get<std::uint64_t>();
  return total;
}

void add_instruction(Entry& entry, const ordered_json& instruction) {
  SourceCost& cost = entry.cost;
  const ordered_json& slots = instruction.at("slots");
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < cost.slots.size(); ++i) {
    const auto count = slots.value(std::string(sm::kSlotUseNames[i]), std::uint64_t{0});
    cost.slots[i] += count;
    all += count;
  }
  if (all >= entry.most_slots) {
    entry.most_slots = all;
    cost.instruction = instruction.value("what", "");
  }
  if (!instruction.contains("accesses")) return;
  cost.executions += instruction.at("executions").get<std::uint64_t>();
  cost.lanes += instruction.at("active_lanes").get<std::uint64_t>();
  cost.accesses += instruction.at("accesses").get<std::uint64_t>();
  const ordered_json& l1d = instruction.at("l1d");
  cost.l1d_accesses += sum(l1d, "");
  cost.l1d_hits += sum(l1d, "hit_") + sum(l1d, "pending_");
  cost.l1d_misses += sum(l1d, "miss_");
  cost.l1d_cold_misses += sum(l1d, "miss_cold");
}

std::string text_of(const std::string& source, SourceFiles& files) {
  const auto colon = source.rfind(':');
  int line = 0;
  if (colon != std::string::npos)
    std::from_chars(source.data() + colon + 1, source.data() + source.size(), line);
  return files.line(source.substr(0, colon), line);
}

}  // namespace

std::uint64_t SourceCost::all_slots() const {
  return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
}

std::vector<SourceCost> source_costs(const ordered_json& results, const std::string& kernel,
                                     SourceFiles& files) {
  std::vector<Entry> entries;
  for (const ordered_json& launch : results.at("kernels")) {
    if (plain_name(launch.value("name", "")) != kernel || !launch.contains("details")) continue;
    for (const ordered_json& instruction : launch.at("details").at("instructions")) {
      const std::string source = instruction.value("source", "");
      const int ptx_line = source.empty() ? instruction.value("ptx_line", 0) : 0;
      auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) {
        return e.source == source && e.ptx_line == ptx_line;
      });
      if (entry == entries.end()) entry = entries.insert(entry, {source, ptx_line, {}, 0});
      add_instruction(*entry, instruction);
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.cost.all_slots() > b.cost.all_slots();
  });
  std::vector<SourceCost> costs;
  for (Entry& entry : entries) {
    if (!entry.source.empty()) entry.cost.text = text_of(entry.source, files);
    entry.cost.place = entry.source.empty()
                           ? "PTX line " + std::to_string(entry.ptx_line)
                           : std::filesystem::path(entry.source).filename().string();
    costs.push_back(std::move(entry.cost));
  }
  return costs;
}

}  // namespace heddle::lab
