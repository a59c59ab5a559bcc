#include <gtest/gtest.h>

#include "sass/decode.h"
#include "sass/listing.h"

namespace heddle::sass {
namespace {

std::string text_of(InstructionWord word) {
  const auto decoded = decode(word, 90, 0);
  const auto* i = std::get_if<Instruction>(&decoded);
  return i ? instruction_text(*i) : "refused";
}

// NVIDIA's disassembler 11.8 does not know QGMMA; the bits are those of ptxas 13.0 for
// wgmma.mma_async.m64n256k32 and its kind.
TEST(WarpgroupRows, EighthsHaveATypeForAAndForB) {
  EXPECT_EQ(text_of({0x03e00000041879f3, 0x000fe6000f803918}),
            "QGMMA.64x256x32.F32.E5M2.E5M2 R24, gdesc[UR4].negA, R24, !UP0, gsb0");
  EXPECT_EQ(text_of({0x03e0000458187df3, 0x000fe6000f802118}),
            "QGMMA.64x256x32.F16.E4M3.E5M2 R24, -R88, gdesc[UR4], R24, !UP0, gsb0");
}

TEST(WarpgroupRows, AShapeHasUpTo256Columns) {
  for (std::uint64_t n = 1; n <= 32; ++n) {
    const InstructionWord word{0x00000000041879f0 | (n - 1) << 53, 0x000fe6000f800818};
    EXPECT_TRUE(text_of(word).starts_with("HGMMA.64x" + std::to_string(8 * n) + "x16.F32 "));
  }
}

}  // namespace
}  // namespace heddle::sass
