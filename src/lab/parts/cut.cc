#include "lab/parts/cut.h"

#include <algorithm>
#include <numeric>

#include "lab/sample/plan.h"

namespace heddle::lab {
namespace {

using Instructions = std::vector<std::uint64_t>;

std::uint64_t instructions_of(const Instructions& instructions, const RunPart& part) {
  std::uint64_t sum = 0;
  for (std::uint64_t launch = part.first; launch <= part.last; ++launch)
    sum += instructions[launch - 1];
  return sum;
}

// The launches that warm the caches for the part.
config::LaunchRange with_warming(const Instructions& instructions, const RunPart& part) {
  config::LaunchRange range{part.first, part.last, 0};
  if (part.first == 1) return range;
  const std::uint64_t own = instructions_of(instructions, part);
  if (2 * instructions[part.first - 2] <= own) --range.first;
  std::uint64_t executed = instructions[range.first - 1];
  while (range.first > 1 && range.first < part.first &&
         10 * (executed += instructions[range.first - 2]) <= own)
    --range.first;
  range.warms_from = range.first;
  executed = 0;
  while (range.warms_from > 1 && executed < kWarmingInstructions)
    executed += instructions[--range.warms_from - 1];
  return range;
}

}  // namespace

std::vector<RunPart> cut_into_parts(const Instructions& instructions, std::size_t parts) {
  parts = std::clamp<std::size_t>(parts, 1, std::max<std::size_t>(1, instructions.size()));
  const auto all = static_cast<double>(
      std::accumulate(instructions.begin(), instructions.end(), std::uint64_t{0}));
  std::vector<RunPart> cut;
  std::size_t next = 0;  // launch, from 0
  double executed = 0;
  while (cut.size() < parts && next < instructions.size()) {
    const std::size_t left = parts - cut.size() - 1;  // each needs a launch
    const double wanted = all * static_cast<double>(cut.size() + 1) / static_cast<double>(parts);
    RunPart& part = cut.emplace_back();
    part.first = next + 1;
    // A launch belongs to the part in which its middle lies.
    do executed += static_cast<double>(instructions[next++]);
    while (next + left < instructions.size() &&
           (left == 0 || executed + static_cast<double>(instructions[next]) / 2 <= wanted));
    part.last = next;
    part.timed = with_warming(instructions, part);
  }
  if (!cut.empty()) cut.back().timed.last = config::LaunchRange::kEnd;
  return cut;
}

}  // namespace heddle::lab
