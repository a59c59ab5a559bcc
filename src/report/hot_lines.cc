#include "report/hot_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

std::uint64_t sum(const ordered_json& counts, const char* prefix) {
  std::uint64_t total = 0;
  for (const auto& [kind, count] : counts.items())
    if (kind.starts_with(prefix)) total += count.get<std::uint64_t>();
  return total;
}

void add(SourceCost& line, const ordered_json& instruction) {
  std::uint64_t slots = 0;
  for (const auto& [use, count] : instruction.at("slots").items()) {
    const auto n = count.get<std::uint64_t>();
    slots += n;
    if (use == "issued")
      line.issued += n;
    else if (n > 0)
      line.lost[use] += n;
  }
  line.slots += slots;
  if (slots >= line.most) {
    line.most = slots;
    line.what = instruction.value("what", "");
  }
  if (!instruction.contains("accesses")) return;
  line.executions += instruction["executions"].get<std::uint64_t>();
  line.lanes += instruction["active_lanes"].get<std::uint64_t>();
  line.accesses += instruction["accesses"].get<std::uint64_t>();
  const ordered_json& l1d = instruction["l1d"];
  line.l1d_accesses += sum(l1d, "");
  line.l1d_hits += sum(l1d, "hit_") + sum(l1d, "pending_");
  line.l1d_misses += sum(l1d, "miss_");
}

// The line of a source file without its indentation; empty when it cannot be read.
std::string line_of(const std::string& place) {
  const auto colon = place.rfind(':');
  std::ifstream file(place.substr(0, colon));
  if (colon == std::string::npos || !file) return {};
  std::string line;
  for (int left = std::stoi(place.substr(colon + 1)); left > 0; --left)
    if (!std::getline(file, line)) return {};
  const auto first = line.find_first_not_of(" \t");
  return first == std::string::npos ? std::string{} : line.substr(first);
}

}  // namespace

std::vector<SourceCost> source_costs(const ordered_json& results, const std::string& kernel) {
  std::vector<SourceCost> lines;
  for (const ordered_json& launch : results.at("kernels")) {
    if (plain_name(launch.value("name", "")) != kernel || !launch.contains("details")) continue;
    for (const ordered_json& instruction : launch["details"]["instructions"]) {
      std::string place = instruction.value("source", "");
      if (place.empty()) place = "PTX line " + std::to_string(instruction.value("ptx_line", 0));
      auto line = std::find_if(lines.begin(), lines.end(),
                               [&](const SourceCost& l) { return l.place == place; });
      if (line == lines.end()) {
        line = lines.emplace(lines.end());
        line->place = std::move(place);
      }
      add(*line, instruction);
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const SourceCost& a, const SourceCost& b) { return a.slots > b.slots; });
  for (SourceCost& line : lines) {
    if (line.place.starts_with("PTX line")) continue;
    line.text = line_of(line.place);
    line.place = std::filesystem::path(line.place).filename().string();
  }
  return lines;
}

}  // namespace heddle::report
