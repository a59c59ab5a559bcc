// Groups of high-priority warps: the state of the warp scheduler ps that the schedulers of an SM
// share (Liu, Liu and Wang, EPiC 2019, section 3; the hardware is reconstructed).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "sched/framework/cta_table.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

// Of which warps a group consists: consecutive priority ids, or consecutive ones of those ids that
// are in marked loops of this SM.
enum class GroupMembers : std::uint8_t { id, rank };

// The group size of every loop of a kernel; 0: not marked.
using LoopGroups = std::vector<std::uint32_t>;
// From the kernel's pragmas.
LoopGroups marked_groups(const isa::Kernel& kernel);
// From the analysis of the launch. mapped: neighbouring CTAs are on one SM.
LoopGroups analysed_groups(const isa::Kernel& kernel, const analysis::KernelAnalysis& analysis,
                           bool mapped);
// The groups whose warps issue for `slots` issue slots while each of them executes the loop's body
// once; 0 for the others.
LoopGroups hiding_groups(const isa::Kernel& kernel, LoopGroups groups, std::uint64_t slots);
// `group` for every loop with loads of the L1 data cache.
LoopGroups equal_groups(const isa::Kernel& kernel, std::uint32_t group);

class PriorityGroups {
 public:
  explicit PriorityGroups(GroupMembers members) : members_(members) {}

  void begin_kernel(LoopGroups groups, const Dim3& grid, analysis::Direction direction);
  void launch_cta(int warps) { warps_per_cta_ = static_cast<std::uint64_t>(warps); }
  void launch(const sm::WarpEvent& event);
  void exit(WarpSlot warp);
  void begin_loop(WarpSlot warp, std::uint16_t loop);
  void end_loop(WarpSlot warp, std::uint16_t loop);

  // Finds the high-priority group. at_barrier: the waiting warps of the SM.
  void update(WarpMask at_barrier, Cycle now) {
    if (!stale_ && at_barrier == at_barrier_) return;
    regroup(at_barrier, now);
  }
  // The warps in marked loops, and those of them with high priority since the last update.
  WarpMask in_region() const { return in_region_; }
  WarpMask high() const { return high_; }
  // The cycle since which the same group has been the first one.
  Cycle high_since() const { return high_since_; }
  std::uint32_t group() const { return group_; }  // warps of the group in use
  std::uint64_t regions_entered() const { return regions_entered_; }
  // The number of a warp in the order of the CTAs along the direction.
  std::uint64_t priority_id(WarpSlot warp) const { return at(warp).id; }

 private:
  static constexpr std::size_t kMaxNested = 16;  // deeper marked loops do not count
  struct Warp {
    std::uint64_t id = 0;
    std::uint32_t group = 0;  // of the innermost marked loop
    std::uint32_t depth = 0;  // marked loops around the warp, callers' included
    std::array<std::uint16_t, kMaxNested> loops{};
  };
  Warp& at(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }
  const Warp& at(WarpSlot w) const { return warps_[static_cast<std::size_t>(w.index)]; }
  std::uint64_t place_of(std::uint64_t cta) const;
  void set_region(WarpSlot warp);
  void regroup(WarpMask at_barrier, Cycle now);
  std::uint64_t end_of_group(WarpSlot first) const;

  const GroupMembers members_;
  LoopGroups groups_;
  Dim3 grid_{};
  std::uint64_t warps_per_cta_ = 1;
  bool column_major_ = false;
  CtaTable ctas_;
  std::array<Warp, kMaxWarpsPerSm> warps_{};
  WarpMask in_region_, high_, at_barrier_;
  bool stale_ = false;
  std::uint32_t group_ = 0;
  std::uint64_t end_ = 0;  // the first priority id after the high-priority group
  Cycle high_since_;
  std::uint64_t regions_entered_ = 0;
};

}  // namespace heddle::sched
