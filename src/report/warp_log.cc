#include "report/warp_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "report/text_table.h"

namespace heddle::report {
namespace {

using stats::Timeline;

std::optional<std::uint32_t> track_of(const Timeline& timeline, std::uint32_t sm,
                                      std::uint32_t warp) {
  const std::string parent = fmt::format("SM {}", sm), name = fmt::format("warp {}", warp);
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Timeline::Track& track = timeline.tracks[i];
    if (track.parent != Timeline::kNone && track.name == name &&
        timeline.tracks[track.parent].name == parent)
      return i;
  }
  return std::nullopt;
}

// "load global, PTX line 7, DIR/kmeans.cu:28" without the folder.
std::string name_of(const Timeline& timeline, std::uint32_t name) {
  if (name >= timeline.names.size()) return {};
  std::string text = timeline.names[name];
  const std::size_t comma = text.rfind(", "), slash = text.rfind('/');
  if (comma != std::string::npos && slash != std::string::npos && comma < slash)
    text.erase(comma + 2, slash - comma - 1);
  return text;
}

// "waits for operands 63.0 %, issue 20.0 %": the longest first.
std::string shares(const Timeline& timeline, const std::vector<Timeline::Slice>& slices) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sums;  // cycles, name
  std::uint64_t all = 0;
  for (const Timeline::Slice& s : slices) {
    const std::uint64_t cycles = (s.to - s.from) / Timeline::kUnitsPerCycle;
    const auto known = std::find_if(sums.begin(), sums.end(),
                                    [&](const auto& sum) { return sum.second == s.name; });
    if (known == sums.end())
      sums.emplace_back(cycles, s.name);
    else
      known->first += cycles;
    all += cycles;
  }
  std::stable_sort(sums.begin(), sums.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [cycles, name] : sums)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(timeline, name),
                        percent(static_cast<double>(cycles) / static_cast<double>(all)));
  return text;
}

std::string rows_of(const Timeline& timeline, const Timeline::Cta& cta, std::uint32_t slot,
                    int width) {
  const std::optional<std::uint32_t> track = track_of(timeline, cta.sm, slot);
  std::vector<Timeline::Slice> slices;
  for (const Timeline::Slice& s : timeline.slices)
    if (track == s.track && s.from >= cta.from && s.to <= cta.to) slices.push_back(s);
  TextTable table({{"from", Align::right},
                   {"to", Align::right},
                   {"cycles", Align::right},
                   {"the warp", Align::left},
                   {"instruction", Align::left},
                   {"which needs", Align::left}});
  for (const Timeline::Slice& s : slices) {
    const std::uint64_t from = s.from / Timeline::kUnitsPerCycle,
                        to = s.to / Timeline::kUnitsPerCycle;
    table.add_row({grouped(from), grouped(to), grouped(to - from), name_of(timeline, s.name),
                   name_of(timeline, s.detail), name_of(timeline, s.cause)});
  }
  const std::string sum = shares(timeline, slices);
  return table.text(" ", width) + "\n " + (width > 0 ? folded(sum, width, " ") : sum + "\n");
}

}  // namespace

std::string warp_log(const Timeline& timeline, std::uint64_t cta, std::uint32_t warp, int width) {
  std::string text;
  for (const Timeline::Cta& one : timeline.ctas) {
    if (one.number != cta) continue;
    text += fmt::format("\nwarp {} of CTA {} of {}", warp, cta, timeline.names[one.kernel]);
    if (warp < one.slots.size())
      text += fmt::format(", in warp slot {} of SM {}\n\n", one.slots[warp], one.sm) +
              rows_of(timeline, one, one.slots[warp], width);
    else
      text += fmt::format("\n\n its warps are 0 to {}\n", one.slots.size() - 1);
  }
  if (!text.empty()) return text;
  return fmt::format("\nwarp {} of CTA {}\n\n the CTA was on no SM in these cycles\n", warp, cta);
}

}  // namespace heddle::report
