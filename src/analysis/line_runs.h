// The bytes that an access touches in a region of threads, CTAs and iterations, as runs. A product
// of arithmetic progressions is one step, so a region of millions of points costs little.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/symbolic_evaluation.h"
#include "ptx/kernel.h"

namespace heddle::analysis {

// Touched bytes no two neighbours of which are more than a line apart, so every line between the
// first and the last is touched, wherever lines begin.
struct Run {
  std::int64_t first = 0, last = 0;
};
using Runs = std::vector<Run>;  // ascending; neighbours are more than a line apart

// Sorts and joins.
void normalize(Runs& runs, std::int64_t line_bytes);
// The lines of runs, ascending, each once.
std::vector<std::uint64_t> lines_of(const Runs& runs, std::int64_t line_bytes);
std::uint64_t count_lines(const Runs& runs, std::int64_t line_bytes);

struct ThreadIndex {
  std::uint32_t x = 0, y = 0, z = 0;
};

// A region: an interval for each variable, by AtomId. Threads are those of `threads`, or all of
// the intervals when it is empty.
struct Region {
  std::vector<Interval> variables;
  std::vector<ThreadIndex> threads;
};

// A part of the index space of some variables ("axes") in which the runs of an access only move:
// at a point p they are `runs` moved by the sum of coefficient[a] * p[a].
struct Piece {
  std::vector<Interval> box;
  std::vector<std::int64_t> coefficients;
  Runs runs;
};

class LineRuns {
 public:
  LineRuns(SymbolicKernel& kernel, const ptx::Kernel& source, const LaunchShape& launch,
           std::uint32_t line_bytes);

  // All threads, CTAs and iterations.
  const Region& whole() const { return whole_; }
  // The lanes of a warp.
  std::vector<ThreadIndex> warp(std::uint32_t index) const;

  // None: too many points, or a loop without a known number of iterations (why()).
  std::optional<Runs> collect(const SymbolicAccess& access, const Region& region);
  // None: the access does not move uniformly along the axes in any reasonable partition.
  std::optional<std::vector<Piece>> pieces(const SymbolicAccess& access, const Region& region,
                                           std::span<const AtomId> axes);
  const std::string& why() const { return why_; }
  std::uint64_t points() const { return points_; }  // evaluated so far

 private:
  struct Progression {
    std::int64_t stride = 0, count = 1;
  };
  struct LaneGroup {
    ThreadIndex first;
    std::int64_t lanes = 1;
  };
  static std::vector<LaneGroup> lane_groups(const Region& region, bool each);
  std::optional<Runs> pattern_of(std::vector<Progression> progressions, std::uint32_t bytes);
  bool append(Runs& runs, const Runs& pattern, std::int64_t base);
  bool conditions_in(const SymbolicAccess& access, Region& region, std::vector<ConditionId>& open);
  void find_variables(const Form& form, bool inside, std::vector<char>& coupled) const;
  void find_variables(ConditionId id, std::vector<char>& coupled) const;
  bool divide(const SymbolicAccess& access, const Region& in, std::span<const AtomId> axes,
              int depth, std::vector<Region>& parts);
  static void align(std::vector<Piece>& pieces, std::size_t axes);
  bool depends_on(ConditionId id, const Region& region, AtomId axis) const;
  bool moves_along(AtomId atom, const Region& region, std::span<const AtomId> axes) const;
  bool find_breaks(const Form& form, const Region& region, std::span<const AtomId> axes,
                   std::vector<std::vector<std::int64_t>>& breaks) const;
  bool find_breaks(ConditionId id, const Region& region, std::span<const AtomId> axes,
                   std::vector<std::vector<std::int64_t>>& breaks) const;
  // What is left of a form or condition in a region.
  Form resolve(const Form& form, const Region& region) const;
  ConditionId resolve(ConditionId id, const Region& region);

  SymbolicKernel& kernel_;
  const ptx::Kernel& source_;
  LaunchShape launch_;
  std::int64_t line_bytes_;
  Region whole_;
  std::string why_;
  std::uint64_t points_ = 0;
};

}  // namespace heddle::analysis
