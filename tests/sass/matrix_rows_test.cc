#include <gtest/gtest.h>

#include "sass/decode.h"
#include "sass/listing.h"

namespace heddle::sass {
namespace {

std::string listed(InstructionWord word, int architecture) {
  const auto decoded = decode(word, architecture, 0);
  const auto* i = std::get_if<Instruction>(&decoded);
  return i ? instruction_text(*i) : "refused";
}

// NVIDIA's disassembler 11.8 does not know QMMA; the bits are those of ptxas 13.0 for mma and
// mma.sp with 8-bit floats.
TEST(MatrixRows, EighthsHaveATypeForAAndForB) {
  EXPECT_EQ(listed({0x000000080404727a, 0x004ff6000000cc0a}, 89),
            "QMMA.16832.F16.E5M2.E5M2 R4, R4, R8, R10");
  EXPECT_EQ(listed({0x000000000408727a, 0x004fde000000a408}, 89),
            "QMMA.16816.F32.E4M3.E5M2 R8, R4, R0, R8");
  EXPECT_EQ(listed({0x000000080404727a, 0x004ff6000001740c}, 89),
            "QMMA.SP.16864.F32.E5M2.E4M3 R4, R4, R8, R12, R0, 0x0");
  EXPECT_EQ(listed({0x000000080404727a, 0x004ff6000000cc0a}, 86), "refused");
}

}  // namespace
}  // namespace heddle::sass
