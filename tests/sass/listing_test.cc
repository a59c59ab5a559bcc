#include "sass/listing.h"

#include <gtest/gtest.h>

#include "sass/decode.h"

namespace heddle::sass {
namespace {

std::string text_of(std::uint64_t high, std::uint64_t low, int architecture = 80) {
  const auto decoded = decode({low, high}, architecture, 0);
  return instruction_text(std::get<Instruction>(decoded));
}

TEST(Listing, WritesImmediatesByTheirType) {
  EXPECT_EQ(text_of(0x000fe20000000000, 0x3fc0000005007421), "FADD R0, R5, 1.5");
  EXPECT_EQ(text_of(0x000fe20000000000, 0x7f80000005007421), "FADD R0, R5, +INF");
  EXPECT_EQ(text_of(0x000fe20000000000, 0x8000000005007421), "FADD R0, R5, -0.0");
  EXPECT_EQ(text_of(0x000fe20000000000, 0x4e6e6b2805007421),
            "FADD R0, R5, 1.00000000000000000000e+09");
  EXPECT_EQ(text_of(0x000fe20007ffe0ff, 0xffffffff05007810), "IADD3 R0, R5, -0x1, RZ");
}

TEST(Listing, WritesSignsComplementsAndReuse) {
  EXPECT_EQ(text_of(0x040fe20007ffe1ff, 0x8000000605007210), "IADD3 R0, -R5.reuse, -R6, RZ");
  EXPECT_EQ(text_of(0x000fe20003ffe4ff, 0x8000000605007210), "IADD3.X R0, R5, ~R6, RZ, PT, !PT");
}

TEST(Listing, WritesControlWordsAsCuAssemblerDoes) {
  Control control;
  control.stall_cycles = 4;
  control.write_barrier = 0;
  control.wait_mask = 0b000101;
  EXPECT_EQ(control_text(control), "B0-2---:R-:W0:-:S04");
  control.yield = true;
  control.read_barrier = 5;
  EXPECT_EQ(control_text(control), "B0-2---:R5:W0:Y:S04");
}

}  // namespace
}  // namespace heddle::sass
