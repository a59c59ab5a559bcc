#include "sass/image_fields.h"

#include <gtest/gtest.h>

#include "sass/decode.h"
#include "sass/operand_use.h"

namespace heddle::sass {
namespace {

KernelInstruction like_ptx(std::uint64_t high, std::uint64_t low, int architecture) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({low, high}, architecture, 0));
  set_image_fields(i, architecture);
  return i;
}

// TXD R10, R8, R8, R16, UR4, 0x0, ARRAY_2D: the layer, x, y; the gradients axis by axis.
TEST(ImageFields, AFetchHasItsCoordinatesAndGradients) {
  const KernelInstruction i = like_ptx(0x010f6200081e0f0a, 0xa000041008087f6c, 90);
  EXPECT_EQ(i.opcode, ptx::Opcode::tex);
  const auto& fetch = i.as<ptx::TextureFetch>();
  EXPECT_EQ(fetch.geometry, ptx::Geometry::a2d);
  EXPECT_EQ(fetch.mipmap, ptx::Mipmap::gradient);
  EXPECT_EQ(i.src[1].row, 8);
  EXPECT_EQ(i.src[3].row, 10);
  EXPECT_EQ(i.src[4].row, 16);  // x and y of the first gradient
  EXPECT_EQ(i.src[5].row, 18);
  EXPECT_EQ(i.src[6].row, 17);  // and of the second
  EXPECT_EQ(components_of(i.code), 15u);
}

// TEX.SCR.NDV R6, R4, R4, R6, 0x0, 0x58, 3D: the gradients are those of the quad.
TEST(ImageFields, AFetchWithoutALevelInWholeQuadsHasGradients) {
  const KernelInstruction i = like_ptx(0x000f4200001e2f06, 0x5000580604047b60, 80);
  EXPECT_EQ(i.opcode, ptx::Opcode::tex);
  EXPECT_EQ(i.as<ptx::TextureFetch>().mipmap, ptx::Mipmap::gradient);
  EXPECT_EQ(i.src[2].row, 5);
  EXPECT_EQ(i.src[3].row, 6);
}

// @!P0 TEX.SCR.LL RZ, R7, R6, R5, UR6, 0x0, 2D, 0x1
TEST(ImageFields, ALevelStandsBehindTheCoordinates) {
  const KernelInstruction i = like_ptx(0x040fc400099e01ff, 0x3000060506078f60, 75);
  EXPECT_EQ(i.as<ptx::TextureFetch>().mipmap, ptx::Mipmap::level);
  EXPECT_EQ(i.src[2].row, 7);
  EXPECT_EQ(i.src[3].row, 5);
  EXPECT_EQ(components_of(i.code), 1u);
}

// SUST.D.BA.2D_ARRAY.STRONG.SM [R16], R7, UR4, 0x0
TEST(ImageFields, ASurfaceStoreHasItsData) {
  const KernelInstruction i = like_ptx(0x010fe2000810a900, 0x8800040710007f9d, 90);
  EXPECT_EQ(i.opcode, ptx::Opcode::sust);
  EXPECT_EQ(i.as<ptx::SurfaceAccess>().geometry, ptx::Geometry::a2d);
  EXPECT_EQ(i.as<ptx::SurfaceAccess>().outside, ptx::Outside::clamp);
  EXPECT_EQ(i.src[1].row, 16);
  EXPECT_EQ(i.src[4].row, 7);
}

// TXQ RZ, R12, R12, TEX_HEADER_DIMENSION, UR4, 0x0, and the mask in bits 72 to 75
TEST(ImageFields, AQueryWantsTheComponentOfItsMask) {
  using ptx::TextureQuery;
  for (const auto& [mask, query] :
       {std::pair{1, TextureQuery::width}, {2, TextureQuery::height}, {4, TextureQuery::depth}}) {
    const auto high = 0x000f6200080000ff | static_cast<std::uint64_t>(mask) << 8;
    const KernelInstruction i = like_ptx(high, 0x000004000c0c7f6f, 90);
    EXPECT_EQ(i.opcode, ptx::Opcode::txq);
    EXPECT_EQ(i.as<TextureQuery>(), query);
  }
}

// sm_80, the handle in a register: TEX.SCR.B.LL RZ, R7, R8, R6, 2D, 0x1 / TEX.B.LL R10, R8, R8, R6,
// 3D / TLD.SCR.B.LZ R10, R8, R7, R4, 1D / TLD4.SCR.R.B R10, R8, R8, R6, ARRAY_2D /
// TXD.B R6, R4, R4, R8, ARRAY_2D: R4 the handle, R5 x, R6 y, R7 the layer
TEST(ImageFields, AHandleInARegisterStandsBesideTheCoordinates) {
  struct Case {
    std::uint64_t high, low;
    std::size_t handle;
    std::vector<int> given;   // rows of the coordinates, and of the level or the first gradient
    std::vector<int> counts;  // registers of the last two operands
  };
  const Case cases[] = {
      {0x004f4200019e01ff, 0x3800000608077361, 6, {8, 9, 7}, {2, 2}},
      {0x004f4200019e0f0a, 0x4800000608087361, 6, {8, 9, 10, 7}, {3, 2}},
      {0x004f4200009e0f0a, 0x1800000407087367, 4, {7}, {1, 1}},
      {0x004f4200001e0f0a, 0xb800000608087364, 7, {8, 9, 6}, {2, 2}},
      {0x004f4200001e0f06, 0xa80000080404736d, 4, {7, 5, 6, 8, 10}, {4, 4}},
  };
  for (const Case& c : cases) {
    const KernelInstruction i = like_ptx(c.high, c.low, 80);
    EXPECT_EQ(bindless_handle(i.code), c.handle);
    for (std::size_t n = 0; n < c.given.size(); ++n) EXPECT_EQ(i.src[1 + n].row, c.given[n]);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(register_count(i.code, 3 + k), c.counts[k]);
  }
}

// The first of them with RZ in place of R6.
TEST(ImageFields, ThereIsNoRegisterBehindRz) {
  const KernelInstruction i = like_ptx(0x004f4200019e01ff, 0x380000ff08077361, 80);
  EXPECT_EQ(bindless_handle(i.code), kZeroRegister);
}

// TXQ.B RZ, R7, R6, TEX_HEADER_DIMENSION, 0x1: R6 the handle, R7 the level
TEST(ImageFields, AQueryHasItsLevelBehindTheHandle) {
  const KernelInstruction i = like_ptx(0x004f4200000001ff, 0x0800000006077370, 80);
  EXPECT_EQ(i.opcode, ptx::Opcode::txq);
  EXPECT_EQ(bindless_handle(i.code), 6u);
  EXPECT_EQ(i.src[1].row, 7);
}

}  // namespace
}  // namespace heddle::sass
