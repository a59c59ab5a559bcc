#include "gpu/nested/copies.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/gpu/device_call_bench.h"

namespace heddle::gpu {
namespace {

using Function = ptx::RuntimeCall;
using Words = std::array<std::uint64_t, 20>;

constexpr std::uint64_t copy_word(std::uint64_t value) { return value; }

TEST(Copies, AreRowsOfBytesAtThePitchesOfTheCall) {
  test::DeviceCallBench bench;
  const StreamedBox line = copy_of(
      bench.call(Function::copy, copy_word(10), copy_word(20), copy_word(3), 0, copy_word(7)));
  EXPECT_TRUE(line.valid);
  EXPECT_EQ(line.stream, 7u);
  EXPECT_EQ(line.box.to, 10u);
  EXPECT_EQ(line.box.from, 20u);
  EXPECT_EQ(line.box.width, 3u);
  EXPECT_EQ(line.box.height, 1u);
  const StreamedBox rows =
      copy_of(bench.call(Function::copy_2d, copy_word(10), copy_word(64), copy_word(20),
                         copy_word(32), copy_word(3), copy_word(2), 0, copy_word(7)));
  EXPECT_EQ(rows.box.to_pitch, 64u);
  EXPECT_EQ(rows.box.from_pitch, 32u);
  EXPECT_EQ(rows.box.height, 2u);
  EXPECT_FALSE(copy_of(bench.call(Function::copy, copy_word(10), copy_word(0), copy_word(3), 0,
                                  copy_word(7)))
                   .valid);
}

// cudaMemcpy3DParms: array, position, pitched pointer of both sides; extent; kind.
TEST(Copies, OfThreeDimensionsBeginAtTheirPositions) {
  test::DeviceCallBench bench;
  Words p{0, 1, 2, 3, 1000, 10, 10, 5, 0, 4, 0, 0, 2000, 20, 20, 6, 8, 2, 2, 0};
  const auto store = [&] {
    for (std::uint64_t i = 0; i < p.size(); ++i) {
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&p[i]);
      bench.written[64 + 8 * i].assign(bytes, bytes + 8);
    }
  };
  store();
  const StreamedBox copy = copy_of(bench.call(Function::copy_3d, copy_word(64), copy_word(9)));
  EXPECT_TRUE(copy.valid);
  EXPECT_EQ(copy.stream, 9u);
  EXPECT_EQ(copy.box.from, 1000u + 1 + 10 * (2 + 5 * 3));
  EXPECT_EQ(copy.box.to, 2004u);
  EXPECT_EQ(copy.box.from_slice, 50u);
  EXPECT_EQ(copy.box.to_slice, 120u);
  EXPECT_EQ(copy.box.depth, 2u);
  // From an array of CUDA, to one, and from a null pointer.
  for (const Words& wrong :
       {Words{1, 1, 2, 3, 1000, 10, 10, 5, 0, 4, 0, 0, 2000, 20, 20, 6, 8, 2, 2, 0},
        Words{0, 1, 2, 3, 1000, 10, 10, 5, 1, 4, 0, 0, 2000, 20, 20, 6, 8, 2, 2, 0},
        Words{0, 0, 0, 0, 0, 10, 10, 5, 0, 4, 0, 0, 2000, 20, 20, 6, 8, 2, 2, 0}}) {
    p = wrong;
    store();
    EXPECT_FALSE(copy_of(bench.call(Function::copy_3d, copy_word(64), copy_word(9))).valid);
  }
}

TEST(Copies, MoveRowsAndFillThem) {
  exec::GlobalMemory memory(1 << 20);
  DeviceCopies copies(memory, nullptr);
  const Address to = memory.allocate(256, "to"), from = memory.allocate(256, "from");
  for (std::uint8_t i = 0; i < 16; ++i) memory.host(from)[i] = i;
  MemoryBox box;
  box.to = to.value, box.to_pitch = 8, box.from = from.value, box.from_pitch = 4;
  box.width = 2, box.height = 2;
  ASSERT_TRUE(copies.valid(box));
  copies.perform(box);
  EXPECT_EQ(memory.host(to)[1], 1);
  EXPECT_EQ(memory.host(to)[2], 0);
  EXPECT_EQ(memory.host(to)[9], 5);

  test::DeviceCallBench bench;
  const StreamedBox fill =
      fill_of(bench.call(Function::fill, to.value, 0x55, copy_word(3), copy_word(0)));
  copies.perform(fill.box);
  EXPECT_EQ(memory.host(to)[2], 0x55);
  EXPECT_EQ(memory.host(to)[3], 0);

  box.to += 4096;
  EXPECT_FALSE(copies.valid(box));
  copies.perform(box);  // freed since: nothing happens
}

}  // namespace
}  // namespace heddle::gpu
