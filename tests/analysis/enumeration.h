// The lines that every CTA and warp touches, point by point.
#pragma once

#include "tests/analysis/kernels.h"

namespace heddle::analysis {

using Lines = std::set<std::uint64_t>;

// Calls visit(thread, cta, iterations, line) for each executed access. Loops run up to `most`
// iterations; conditions end them.
template <class Visit>
void visit_accesses(const ptx::Kernel& kernel, const LaunchShape& shape, std::int64_t most,
                    std::uint32_t line_bytes, Visit&& visit) {
  AddressForms forms(kernel, shape);
  AddressForms::Point point;
  point.iterations.assign(kernel.loops.size(), 0);
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    if (!forms.is_affine(pc)) continue;
    std::vector<std::uint16_t> loops;
    for (std::uint16_t l = kernel.code[pc].loop; l != ptx::Loop::kNone; l = kernel.loops[l].parent)
      loops.push_back(l);
    for (std::uint64_t cta = 0; cta < shape.grid.count(); ++cta)
      for (std::uint32_t thread = 0; thread < shape.block.count(); ++thread) {
        point.cta = {static_cast<std::uint32_t>(cta % shape.grid.x),
                     static_cast<std::uint32_t>(cta / shape.grid.x), 0};
        point.thread = {thread % shape.block.x, thread / shape.block.x, 0};
        for (bool more = true; more;) {
          if (forms.forbidden(pc, point).empty())
            visit(thread, cta, point.iterations, forms.address(pc, point) / line_bytes);
          more = false;
          for (std::uint16_t l : loops) {
            if (++point.iterations[l] < most) {
              more = true;
              break;
            }
            point.iterations[l] = 0;
          }
        }
      }
  }
}

inline std::vector<Lines> lines_of_ctas(const ptx::Kernel& kernel, const LaunchShape& shape,
                                        std::int64_t most, std::uint32_t line_bytes = 128) {
  std::vector<Lines> lines(shape.grid.count());
  visit_accesses(kernel, shape, most, line_bytes,
                 [&](std::uint32_t, std::uint64_t cta, const std::vector<std::int64_t>&,
                     std::uint64_t line) { lines[cta].insert(line); });
  return lines;
}

struct Distances {
  std::uint32_t x = 0, y = 0;
};
inline Distances distances_of(const std::vector<Lines>& lines, const Dim3& grid) {
  Distances result;
  const auto share = [](const Lines& a, const Lines& b) {
    return std::any_of(a.begin(), a.end(), [&](std::uint64_t l) { return b.count(l) > 0; });
  };
  for (std::uint32_t y = 0; y < grid.y; ++y)
    for (std::uint32_t x = 0; x < grid.x; ++x) {
      for (std::uint32_t u = x + 1; u < grid.x; ++u)
        if (share(lines[y * grid.x + x], lines[y * grid.x + u]))
          result.x = std::max(result.x, u - x);
      for (std::uint32_t v = y + 1; v < grid.y; ++v)
        if (share(lines[y * grid.x + x], lines[v * grid.x + x]))
          result.y = std::max(result.y, v - y);
    }
  return result;
}

}  // namespace heddle::analysis
