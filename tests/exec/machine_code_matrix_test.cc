#include <immintrin.h>

#include "exec/isa/small_float.h"
#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

constexpr MachineHandler kMatrix = matrix_handler;

// Small integers, which all formats hold exactly.
int element_a(int row, int k) { return (row * 5 + k * 3) % 7 - 3; }
int element_b(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }
int element_c(int row, int column) { return row * 8 + column; }
int product(int row, int column, int depth) {
  int sum = element_c(row, column);
  for (int k = 0; k < depth; ++k) sum += element_a(row, k) * element_b(k, column);
  return sum;
}

// The fragments of mma.m16n8k... as the PTX manual prints them: a register of A has `packed`
// elements of row lane / 4, or 8 rows below in registers 1 and 3; likewise columns of B.
struct Product {
  MachineBench bench;
  MachineCode code;
  DecodedInstruction r;
  explicit Product(MachineCode of) : code(std::move(of)), r(bench.bind(code.instruction)) {}
  U32& at(U32 offset, int reg, int lane) {
    return bench.word(offset / MachineBench::kRowBytes + static_cast<U32>(reg), lane);
  }
  void fill(int packed, int depth, const std::function<U32(int value)>& encode,
            const std::function<U32(int value)>& encode_sum) {
    const int bits = 32 / packed, parts = depth / (4 * packed);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      for (int reg = 0; reg < 2 * parts; ++reg)
        for (int e = 0; e < packed; ++e)
          at(r.src[0].offset, reg, lane) |=
              encode(
                  element_a(lane / 4 + reg % 2 * 8, lane % 4 * packed + e + reg / 2 * 4 * packed))
              << (e * bits);
      for (int reg = 0; reg < parts; ++reg)
        for (int e = 0; e < packed; ++e)
          at(r.src[1].offset, reg, lane) |=
              encode(element_b(lane % 4 * packed + e + reg * 4 * packed, lane / 4)) << (e * bits);
      for (int reg = 0; reg < 4; ++reg)
        at(r.src[2].offset, reg, lane) =
            encode_sum(element_c(lane / 4 + reg / 2 * 8, lane % 4 * 2 + reg % 2));
    }
  }
  void check(int depth, const std::function<U32(int value)>& encode_sum) {
    kMatrix(code.instruction, r)(bench.warp, r, ~0u);
    for (int lane = 0; lane < kWarpSize; ++lane)
      for (int reg = 0; reg < 4; ++reg)
        ASSERT_EQ(at(r.dst[0], reg, lane),
                  encode_sum(product(lane / 4 + reg / 2 * 8, lane % 4 * 2 + reg % 2, depth)));
  }
};
U32 as_half(int x) { return _cvtss_sh(static_cast<float>(x), 0); }
U32 as_float(int x) { return std::bit_cast<U32>(static_cast<float>(x)); }

TEST(MachineMatrices, HmmaMultipliesHalvesBfloatsAndTf32) {
  Product halves{
      MachineCode("HMMA", 0x23c).set(sass::HalfShape::n16816).set(sass::HalfAccumulator::F32)};
  halves.fill(2, 16, as_half, as_float);
  halves.check(16, as_float);
  Product small{MachineCode("HMMA.1688", 0x23c).set(sass::HalfAccumulator::F32)};
  small.fill(2, 8, as_half, as_float);
  small.check(8, as_float);
}

TEST(MachineMatrices, QmmaMultipliesEightBitFloats) {
  Product bytes{MachineCode("QMMA", 0x27a)
                    .set(sass::EighthShape::n16832)
                    .set(sass::HalfAccumulator::F32)
                    .set(sass::EighthFloat::E4M3, 0)
                    .set(sass::EighthFloat::E4M3, 1)};
  const auto eighth = [](int x) { return encode(kE4m3, x, ptx::Rounding::rn); };
  bytes.fill(4, 32, eighth, as_float);
  bytes.check(32, as_float);
}

// A has two of each four elements of a row: those in the places that row and group give.
TEST(MachineMatrices, HmmaMultipliesASparseMatrix) {
  constexpr std::array<std::array<int, 2>, 4> kPlaces = {{{0, 1}, {0, 3}, {1, 2}, {2, 3}}};
  const auto places = [&](int row, int group) { return kPlaces[(row + group) % 4]; };
  constexpr int kSelector = 1, kDepth = 32;
  MachineCode sparse("HMMA.SP", 0x23c);
  sparse.set(sass::SparseShape::n16832).set(sass::HalfAccumulator::F32);
  sparse.immediate(4, kSelector);
  Product p{std::move(sparse)};
  p.fill(2, kDepth, as_half, as_float);  // B and C; of A the places below
  for (int lane = 0; lane < kWarpSize; ++lane)
    for (int reg = 0; reg < 4; ++reg) {
      U32& word = p.at(p.r.src[0].offset, reg, lane);
      const int row = lane / 4 + reg % 2 * 8, group = lane % 4 + reg / 2 * 4;
      word = 0;
      for (int e = 0; e < 2; ++e)
        word |= as_half(element_a(row, 4 * group + places(row, group)[e])) << (16 * e);
    }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    U32& word = p.at(p.r.src[3].offset, 0, lane);
    word = 0;
    if (lane % 4 / 2 != kSelector) continue;
    for (int n = 0; n < 8; ++n) {  // four groups of a row, then of the row 8 below
      const int row = lane / 4 + n / 4 * 8, group = lane % 2 * 4 + n % 4;
      word |= static_cast<U32>(places(row, group)[0] | places(row, group)[1] << 2) << (4 * n);
    }
  }
  kMatrix(p.code.instruction, p.r)(p.bench.warp, p.r, ~0u);
  for (int lane = 0; lane < kWarpSize; ++lane)
    for (int reg = 0; reg < 4; ++reg) {
      const int row = lane / 4 + reg / 2 * 8, column = lane % 4 * 2 + reg % 2;
      int sum = element_c(row, column);
      for (int group = 0; group < kDepth / 4; ++group)
        for (const int place : places(row, group))
          sum += element_a(row, 4 * group + place) * element_b(4 * group + place, column);
      ASSERT_EQ(p.at(p.r.dst[0], reg, lane), as_float(sum));
    }
}

TEST(MachineMatrices, ImmaMultipliesBytes) {
  Product bytes{MachineCode("IMMA", 0x237)
                    .set(sass::IntShape::n16832)
                    .set(sass::MatrixInt::S8, 0)
                    .set(sass::MatrixInt::S8, 1)};
  const auto byte = [](int x) { return static_cast<U32>(x) & 0xff; };
  const auto sum = [](int x) { return static_cast<U32>(x); };
  bytes.fill(4, 32, byte, sum);
  bytes.check(32, sum);
}

// The two bits of each element of a row would not fit in two words, or their lanes in a quad.
TEST(MachineMatrices, RefusesSparseShapesWithoutMetadata) {
  const auto refused = [](const auto& code) {
    MachineBench bench;
    DecodedInstruction r = bench.bind(code.instruction);
    return kMatrix(code.instruction, r) == nullptr;
  };
  const auto bytes = [](sass::SparseIntShape shape, int selector) {
    MachineCode code("IMMA.SP", 0x237);
    code.set(shape).set(sass::MatrixInt::S8, 0).set(sass::MatrixInt::S8, 1);
    return std::move(code.immediate(4, selector));
  };
  EXPECT_FALSE(refused(bytes(sass::SparseIntShape::n16832, 1)));
  EXPECT_TRUE(refused(bytes(sass::SparseIntShape::n16832, 2)));
  EXPECT_FALSE(refused(bytes(sass::SparseIntShape::n16864, 0)));
  EXPECT_TRUE(refused(bytes(sass::SparseIntShape::n16864, 1)));
  EXPECT_TRUE(refused(bytes(sass::SparseIntShape::n168128, 0)));
  MachineCode halves("HMMA.SP", 0x23c);
  halves.set(sass::SparseShape::n16832).immediate(4, 2);
  EXPECT_TRUE(refused(halves));
}

// A has a lane for each element, B likewise; a lane of C has two neighbours in pairs of registers.
TEST(MachineMatrices, DmmaMultipliesDoubles) {
  Product doubles{MachineCode("DMMA.884", 0x23f)};
  const auto put = [&](U32 offset, int pair, int lane, int x) {
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
    doubles.at(offset, 2 * pair, lane) = static_cast<U32>(bits);
    doubles.at(offset, 2 * pair + 1, lane) = static_cast<U32>(bits >> 32);
  };
  for (int lane = 0; lane < kWarpSize; ++lane) {
    put(doubles.r.src[0].offset, 0, lane, element_a(lane / 4, lane % 4));
    put(doubles.r.src[1].offset, 0, lane, element_b(lane % 4, lane / 4));
    for (int pair = 0; pair < 2; ++pair)
      put(doubles.r.src[2].offset, pair, lane, element_c(lane / 4, lane % 4 * 2 + pair));
  }
  kMatrix(doubles.code.instruction, doubles.r)(doubles.bench.warp, doubles.r, ~0u);
  for (int lane = 0; lane < kWarpSize; ++lane)
    for (int pair = 0; pair < 2; ++pair) {
      const auto bits = std::bit_cast<std::uint64_t>(
          static_cast<double>(product(lane / 4, lane % 4 * 2 + pair, 4)));
      ASSERT_EQ(doubles.at(doubles.r.dst[0], 2 * pair + 1, lane), static_cast<U32>(bits >> 32));
    }
}

TEST(MachineMatrices, MovmTransposesHalves) {
  MachineBench bench;
  const MachineCode code("MOVM.16.MT88");
  DecodedInstruction r = bench.bind(code.instruction);
  const auto& o = code.instruction.operands;
  const auto value = [](int row, int column) { return static_cast<U32>(row * 16 + column); };
  for (int lane = 0; lane < kWarpSize; ++lane)
    bench.word(o[1].index, lane) = value(lane / 4, lane % 4 * 2) | value(lane / 4, lane % 4 * 2 + 1)
                                                                       << 16;
  kMatrix(code.instruction, r)(bench.warp, r, ~0u);
  for (int lane = 0; lane < kWarpSize; ++lane)
    EXPECT_EQ(bench.word(o[0].index, lane),
              value(lane % 4 * 2, lane / 4) | value(lane % 4 * 2 + 1, lane / 4) << 16);
}

TEST(MachineMatrices, BmmaCountsBits) {
  MachineBench bench;
  MachineCode code("BMMA", 0x23d);
  code.set(sass::BitShape::n88128).set(sass::BitOp::XOR);
  DecodedInstruction r = bench.bind(code.instruction);
  const auto at = [&](U32 offset, int reg, int lane) -> U32& {
    return bench.word(offset / MachineBench::kRowBytes + static_cast<U32>(reg), lane);
  };
  const auto row = [](int n, int part) { return 0x9e3779b9u * static_cast<U32>(n * 4 + part + 1); };
  for (int lane = 0; lane < kWarpSize; ++lane) {
    at(r.src[0].offset, 0, lane) = row(lane / 4, lane % 4);
    at(r.src[1].offset, 0, lane) = row(lane / 4 + 9, lane % 4);
    at(r.src[2].offset, 0, lane) = at(r.src[2].offset, 1, lane) = 5;
  }
  kMatrix(code.instruction, r)(bench.warp, r, ~0u);
  for (int lane = 0; lane < kWarpSize; ++lane)
    for (int reg = 0; reg < 2; ++reg) {
      int bits = 5;
      for (int part = 0; part < 4; ++part)
        bits += std::popcount(row(lane / 4, part) ^ row(lane % 4 * 2 + reg + 9, part));
      EXPECT_EQ(at(r.dst[0], reg, lane), static_cast<U32>(bits));
    }
}

}  // namespace
}  // namespace heddle::exec::machine_test
