// Which SM each CTA of a grid belongs to, so that CTAs that share lines meet on one SM: Algorithm 3
// of Liu, Liu and Wang, EPiC 2019, repaired (docs/interpretations.md). A line is a row of CTAs
// (direction x) or a column (y); the planes of a 3-D grid are further lines. Rule 1: whole lines
// go to an SM as long as every SM gets as many. Rule 2: the CTAs of the remaining lines are dealt
// along the direction.
#pragma once

#include <cstdint>

#include "analysis/launch_analysis.h"
#include "base/types.h"

namespace heddle::gpu {

// How the CTAs of the remaining lines are dealt. balanced: in chunks that differ by at most one.
// ceil: in chunks of equal size, rounded up, so that the last SMs may get none.
enum class Dealing { balanced, ceil };

class CtaMapping {
 public:
  CtaMapping() = default;
  // direction: x or y.
  CtaMapping(Dim3 grid, int sms, analysis::Direction direction, Dealing dealing);

  int sm_of(std::uint64_t cta) const;
  // The CTAs of an SM, in the order in which they start: row-major for x, column-major for y.
  std::uint64_t count(int sm) const;
  std::uint64_t cta(int sm, std::uint64_t index) const;

 private:
  // The first of the remaining CTAs that belongs to `sm`, counted along the lines.
  std::uint64_t first_rest(std::uint64_t sm) const;
  std::uint64_t linear(std::uint64_t line, std::uint64_t position) const;

  Dim3 grid_;
  std::uint64_t sms_ = 1;
  bool along_x_ = true;
  Dealing dealing_ = Dealing::balanced;
  std::uint64_t length_ = 1;        // CTAs of a line
  std::uint64_t lines_per_sm_ = 0;  // whole lines of each SM
  std::uint64_t rest_ = 0;          // CTAs of the remaining lines
};

}  // namespace heddle::gpu
