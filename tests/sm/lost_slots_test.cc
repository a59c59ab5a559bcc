#include "sm/issue/lost_slots.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

// Kernel 0 has warps 0 and 1, kernel 1 the warps 2 and 3; warp 3 is the oldest.
struct SlotBench {
  SlotBench() {
    kernels[1].index = 1;
    for (const int w : {3, 0, 1, 2}) {
      warps[WarpSlot(w)].kernel = &kernels[w / 2];
      warps.set_youngest(WarpSlot(w), age++);
      warps.resident.set(WarpSlot(w));
      warps.live.set(WarpSlot(w));
    }
    slot.supervised = WarpMask::first(4);
    lost.count_for(kernels[0], true);
  }
  std::uint64_t count(int kernel, SlotUse use) const {
    return kernels[kernel].stats.slots[static_cast<std::size_t>(use)];
  }
  void lose(SlotUse use, std::uint64_t slots = 1) {
    slot.last = use;
    lost.count(slot, slots);
  }
  std::array<KernelContext, 2> kernels;
  WarpTable warps{kMaxWarpsPerSm};
  std::uint32_t age = 0;
  SchedulerSlot slot;
  LostSlots lost{warps};
};

TEST(LostSlots, CountForTheKernelOfTheOldestWarpOfTheGroupThatDecides) {
  SlotBench t;
  t.warps.ready.set(WarpSlot(1));
  t.warps.valid = t.warps.ready | WarpMask::only(WarpSlot(2));
  t.lose(SlotUse::throttled);
  EXPECT_EQ(t.count(0, SlotUse::throttled), 1u);  // warp 1 is ready
  t.lose(SlotUse::pipeline);
  EXPECT_EQ(t.count(0, SlotUse::pipeline), 1u);
  t.lose(SlotUse::scoreboard);
  EXPECT_EQ(t.count(0, SlotUse::scoreboard), 1u);  // of 1 and 2, warp 1 is older
  t.lose(SlotUse::barrier);
  EXPECT_EQ(t.count(1, SlotUse::barrier), 1u);  // warp 3
  t.warps.waiting.set(WarpSlot(3));
  t.lose(SlotUse::instruction_buffer_empty, 5);
  EXPECT_EQ(t.count(0, SlotUse::instruction_buffer_empty), 5u);  // warp 0 does not wait
}

TEST(LostSlots, OnlyTheSchedulersWarpsDecide) {
  SlotBench t;
  t.slot.supervised = WarpMask::only(WarpSlot(1)) | WarpMask::only(WarpSlot(2));
  t.lose(SlotUse::barrier);
  EXPECT_EQ(t.count(0, SlotUse::barrier), 1u);
}

TEST(LostSlots, IdleSlotsAreDividedInTurn) {
  SlotBench t;
  t.warps.live = {};
  t.lose(SlotUse::idle, 3);
  EXPECT_EQ(t.count(0, SlotUse::idle), 2u);
  EXPECT_EQ(t.count(1, SlotUse::idle), 1u);
  t.lose(SlotUse::idle);
  EXPECT_EQ(t.count(1, SlotUse::idle), 2u);
  EXPECT_EQ(t.lost.kernel_for_observer(t.slot), 0);
}

TEST(LostSlots, CountForTheOnlyKernel) {
  SlotBench t;
  EXPECT_FALSE(t.lost.count_for_one_kernel());
  t.lost.count_for(t.kernels[1], false);
  t.warps.live = {};
  t.lose(SlotUse::idle, 4);
  EXPECT_EQ(t.count(1, SlotUse::idle), 4u);
  EXPECT_EQ(t.lost.kernel_for_observer(t.slot), 1);
}

}  // namespace
}  // namespace heddle::sm
