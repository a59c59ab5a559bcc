#include <gtest/gtest.h>

#include <array>

#include "tests/trace/trace_text.h"
#include "trace/traced_launch.h"

namespace heddle::trace {
namespace {

// The first warp of a launch, step by step.
class TracedSource : public testing::Test {
 protected:
  void start(const std::string& content) {
    launch_ = read_launch(write_file(folder_.file("kernel-1.traceg"), content));
    source_ = launch_->make_source(1);
    const std::array warps{WarpSlot(3)};
    source_->start_cta(0, 0, warps);
  }
  const exec::Step& step() {
    source_->step(WarpSlot(3), Cycle{0}, step_);
    return step_;
  }

  TemporaryFolder folder_;
  std::shared_ptr<TracedLaunch> launch_;
  std::unique_ptr<exec::InstructionSource> source_;
  exec::Step step_;
};

TEST_F(TracedSource, FollowsTheTraceToItsEnd) {
  start(launch_of({"0000 ffffffff 1 R1 MOV 0 0 ", "0040 ffffffff 1 R2 MOV 0 0 "}));
  EXPECT_EQ(step().pc, 0u);
  EXPECT_EQ(step_.next_pc, 4u);
  EXPECT_EQ(step().next_pc, 0xffu);
  EXPECT_TRUE(step().finished());
  EXPECT_TRUE(source_->live_lanes(WarpSlot(3)).none());
  EXPECT_EQ(source_->warps(), nullptr);
}

TEST_F(TracedSource, GivesAddressesInAllThreeForms) {
  start(launch_of({"0000 0000000f 1 R4 LDG.E 1 R2 4 1 0x7fb0fc400000 8 ",
                   "0010 00000011 1 R4 LDG.E 1 R2 4 2 0x7fb0fc400000 -16 ",
                   "0020 00000003 1 R4 LDG.E 1 R2 4 0 0x7fb0fc400000 0x7fb0fc400100 "}));
  EXPECT_EQ(step().addresses[3], 0xb0fc400018u);  // 40 bits of the address are kept
  EXPECT_EQ(step_.space, isa::Space::global);
  EXPECT_EQ(step().addresses[4], 0xb0fc3ffff0u);
  EXPECT_EQ(step().addresses[1], 0xb0fc400100u);
}

TEST_F(TracedSource, TheWindowsDecideTheSpaceOfGenericAddresses) {
  start(launch_of({"0000 00000001 1 R4 LD.E 1 R2 4 0 0x7fb139000010 ",
                   "0000 00000001 1 R4 LD.E 1 R2 4 0 0x7fb137fffd00 ",
                   "0000 00000001 1 R4 LD.E 1 R2 4 0 0x7fb0fc400000 ",
                   "0010 00000001 0 STL 2 R1 R2 4 0 0xfffd20 "}));
  EXPECT_EQ(step().space, isa::Space::shared);
  EXPECT_EQ(step_.addresses[0], 0x10u);
  EXPECT_EQ(step().space, isa::Space::local);
  EXPECT_EQ(step_.addresses[0], 0u);  // local memory begins at its lowest address
  EXPECT_EQ(step().space, isa::Space::global);
  EXPECT_EQ(step().addresses[0], 0x20u);
  EXPECT_EQ(launch_->kernel()->local_bytes, 0x24u);
}

// Lanes whose guard is false are not in the trace; they stay active until the warp jumps.
TEST_F(TracedSource, ActiveLanesAreThoseBeforeInASequence) {
  start(launch_of({"0000 ffffffff 1 R1 MOV 0 0 ", "0010 000000ff 1 R1 MOV 0 0 ",
                   "0020 0000ffff 0 BRA 0 0 ", "0030 ffff0000 1 R1 MOV 0 0 ",
                   "0080 0000ffff 1 R1 MOV 0 0 "}));
  step();
  EXPECT_EQ(step().active, LaneMask::all());
  EXPECT_EQ(step_.executed, LaneMask::first(8));
  EXPECT_EQ(step().taken, LaneMask::first(16));
  EXPECT_EQ(step_.fell_through, ~LaneMask::first(16));
  EXPECT_EQ(step().active, ~LaneMask::first(16));
  EXPECT_EQ(step().active, LaneMask::first(16));
}

TEST_F(TracedSource, ADivergentWarpArrivesAtABarrierWithItsLastLanes) {
  start(launch_of({"0000 0000ffff 0 BAR.SYNC 1 R255 0 2 64 ", "0010 0000ffff 1 R1 MOV 0 0 ",
                   "0000 ffff0000 0 BAR.SYNC 1 R255 0 2 64 "},
                  5));
  EXPECT_TRUE(step().deferred);
  step();
  EXPECT_FALSE(step().deferred);
  EXPECT_EQ(step_.barrier_id, 2u);
  EXPECT_EQ(step_.barrier_threads, 64u);
  EXPECT_TRUE(step_.waits_at_barrier);
}

TEST_F(TracedSource, AWarpWithoutInstructionsEndsWithTheFirstOne) {
  start(head(4, "(1,1,1)", "(64,1,1)") + cta("0,0,0", warp(1, {"0000 ffffffff 0 EXIT 0 0 "})));
  EXPECT_TRUE(step().executed.none());
  EXPECT_TRUE(step_.finished());
}

}  // namespace
}  // namespace heddle::trace
