#include "sched/limiters/priority_groups.h"

#include <algorithm>
#include <utility>

namespace heddle::sched {

LoopGroups marked_groups(const isa::Kernel& kernel) {
  LoopGroups groups;
  for (const isa::Loop& loop : kernel.loops) groups.push_back(loop.marked_group);
  return groups;
}

LoopGroups analysed_groups(const isa::Kernel& kernel, const analysis::KernelAnalysis& analysis,
                           bool mapped) {
  LoopGroups groups(kernel.loops.size(), 0);
  for (const analysis::LoopReuse& loop : analysis.loops)
    if (loop.loop < groups.size())
      groups[loop.loop] = mapped ? loop.group_with_mapping : loop.group;
  return groups;
}

LoopGroups equal_groups(const isa::Kernel& kernel, std::uint32_t group) {
  LoopGroups groups;
  for (const isa::Loop& loop : kernel.loops) {
    bool loads = false;
    for (const auto& [first, end] : loop.ranges)
      for (Pc pc = first; pc < end; ++pc) loads |= kernel.instructions[pc].is_l1_load();
    groups.push_back(loads ? group : 0);
  }
  return groups;
}

LoopGroups hiding_groups(const isa::Kernel& kernel, LoopGroups groups, std::uint64_t slots) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::uint64_t body = 0;
    for (const auto& [first, end] : kernel.loops[i].ranges) body += end - first;
    if (groups[i] * body < slots) groups[i] = 0;
  }
  return groups;
}

void PriorityGroups::begin_kernel(LoopGroups groups, const Dim3& grid,
                                  analysis::Direction direction) {
  groups_ = std::move(groups);
  grid_ = grid;
  column_major_ = direction == analysis::Direction::y;
}

// Along y the CTAs of a column follow each other (equation 8); z adds rows.
std::uint64_t PriorityGroups::place_of(std::uint64_t cta) const {
  if (!column_major_ || grid_.x == 0) return cta;
  const std::uint64_t rows = std::uint64_t{grid_.y} * grid_.z;
  return cta % grid_.x * rows + cta / grid_.x;
}

void PriorityGroups::launch(const sm::WarpEvent& event) {
  bool is_new = false;
  const int cta = ctas_.launch(event, is_new);
  // The warps of a CTA are launched one after another.
  const std::uint32_t warp_in_cta = event.age - ctas_[cta].age;
  at(event.warp) = {};
  at(event.warp).id = place_of(event.cta) * warps_per_cta_ + warp_in_cta;
}

void PriorityGroups::exit(WarpSlot warp) {
  ctas_.exit(warp);
  at(warp).depth = 0;
  set_region(warp);
}

void PriorityGroups::begin_loop(WarpSlot warp, std::uint16_t loop) {
  if (loop >= groups_.size() || groups_[loop] == 0) return;
  Warp& w = at(warp);
  if (w.depth > 0 && w.loops[w.depth - 1] == loop) return;
  if (w.depth == kMaxNested) return;
  w.loops[w.depth++] = loop;
  regions_entered_ += w.depth == 1;
  set_region(warp);
}

void PriorityGroups::end_loop(WarpSlot warp, std::uint16_t loop) {
  Warp& w = at(warp);
  if (w.depth == 0 || w.loops[w.depth - 1] != loop) return;
  --w.depth;
  set_region(warp);
}

void PriorityGroups::set_region(WarpSlot warp) {
  Warp& w = at(warp);
  w.group = w.depth > 0 ? groups_[w.loops[w.depth - 1]] : 0;
  in_region_.assign(warp, w.depth > 0);
  if (w.depth == 0) high_.reset(warp);
  stale_ = true;
}

// The first priority id after the group of `first`.
std::uint64_t PriorityGroups::end_of_group(WarpSlot first) const {
  const std::uint64_t n = at(first).group;
  if (members_ == GroupMembers::id) return (at(first).id / n + 1) * n;
  std::array<std::uint64_t, kMaxWarpsPerSm> ids{};
  std::size_t count = 0;
  in_region_.for_each([&](WarpSlot w) { ids[count++] = at(w).id; });
  std::sort(ids.begin(), ids.begin() + count);
  const auto rank = static_cast<std::uint64_t>(
      std::lower_bound(ids.begin(), ids.begin() + count, at(first).id) - ids.begin());
  const std::uint64_t last = std::min<std::uint64_t>((rank / n + 1) * n, count) - 1;
  return ids[last] + 1;
}

// The group of the first warp that is not at a barrier has high priority. The groups before it are
// at barriers; they count as high when a barrier releases them. The size of groups is that of the
// first warp's loop.
void PriorityGroups::regroup(WarpMask at_barrier, Cycle now) {
  stale_ = false;
  at_barrier_ = at_barrier;
  WarpSlot first;
  (in_region_ & ~at_barrier).for_each([&](WarpSlot w) {
    if (!first || at(w).id < at(first).id) first = w;
  });
  group_ = first ? at(first).group : 0;
  const std::uint64_t end = first ? end_of_group(first) : ~std::uint64_t{0};
  if (end != end_) high_since_ = now;
  end_ = end;
  high_ = WarpMask{};
  in_region_.for_each([&](WarpSlot w) {
    if (at(w).id < end) high_.set(w);
  });
}

}  // namespace heddle::sched
