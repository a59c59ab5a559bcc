// Matrices of bits, 4-bit integers and 8-bit floats, and Volta's mma.m8n8k4, compared with a
// multiplication on the host. The layout of fragments is that of the PTX manual.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exec/isa/small_float.h"
#include "tests/conformance/kernels.h"

namespace heddle::conformance::small {
namespace {

using U32 = std::uint32_t;
using Words = std::vector<U32>;

class SmallMatrices : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Sources, SmallMatrices, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

struct Place {
  U32 row, column;
};

// Elements of a type: their width, and the number that the bits represent.
struct Element {
  std::string name;
  U32 bits;
  double value(U32 code) const {
    if (name == "s4") return code > 7 ? static_cast<double>(code) - 16 : code;
    if (name == "e4m3")
      return (code & 0x80 ? -1 : 1) *
             ((code >> 3 & 15) ? std::ldexp(8 + (code & 7), static_cast<int>(code >> 3 & 15) - 10)
                               : std::ldexp(code & 7, -9));
    if (name == "e5m2")
      return (code & 0x80 ? -1 : 1) *
             ((code >> 2 & 31) ? std::ldexp(4 + (code & 3), static_cast<int>(code >> 2 & 31) - 17)
                               : std::ldexp(code & 3, -16));
    return code;
  }
  // Codes whose sums are exact in single precision.
  U32 draw(std::mt19937& random) const {
    if (name == "e4m3") return (random() & 0x87) | (5 + random() % 4) << 3;
    if (name == "e5m2") return (random() & 0x83) | (13 + random() % 4) << 2;
    return random() & ((1u << bits) - 1);
  }
};

struct Mma {
  U32 m, k;
  Element a, b;
  std::string sum;   // "s32" or "f32"
  std::string tail;  // ".xor.popc"
};

Place place_a(const Mma& x, U32 lane, U32 i) {
  const U32 per = 32 / x.a.bits, g = lane >> 2, t = lane % 4, reg = i / per;
  if (x.m == 8) return {g, t * per + i % per};
  return {reg % 2 == 0 ? g : g + 8, t * per + i % per + (reg < 2 ? 0 : 4 * per)};
}
Place place_b(const Mma& x, U32 lane, U32 i) {
  const U32 per = 32 / x.b.bits;
  return {lane % 4 * per + i % per + i / per * 4 * per, lane >> 2};
}
Place place_c(const Mma& x, U32 lane, U32 i) {
  return {x.m == 8 || i < 2 ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 2 + (i & 1)};
}

std::string registers(const std::string& name, U32 count) {
  std::string text = "{";
  for (U32 i = 0; i < count; ++i) text += (i ? ", %" : "%") + name + std::to_string(i);
  return text + "}";
}
std::string loads(const std::string& name, U32 count, U32 part) {
  std::string text =
      " mul.wide.u32 %rd5, %l, " + std::to_string(count * 4) + "; add.u64 %rd5, %rd5, %in;\n";
  for (U32 i = 0; i < count; ++i)
    text += " ld.global.b32 %" + name + std::to_string(i) + ", [%rd5+" +
            std::to_string(part + 4 * i) + "];\n";
  return text;
}

void check(const Mma& x, bool steps) {
  const std::string shape = "m" + std::to_string(x.m) + "n8k" + std::to_string(x.k);
  SCOPED_TRACE(shape + " " + x.a.name + " " + x.b.name + " " + x.tail);
  std::mt19937 random(x.m + x.k);
  constexpr U32 kPart = 1024;  // words
  const U32 ea = x.m * x.k / 32, eb = x.k * 8 / 32, ec = x.m * 8 / 32;
  Words in(3 * kPart);
  std::vector<U32> a(x.m * x.k), b(x.k * 8);
  std::vector<double> d(x.m * 8);
  const auto put = [&](U32 part, U32 lane, U32 count, U32 i, U32 bits, U32 code) {
    const U32 bit = (lane * count + i) * bits;
    in[part * kPart + bit / 32] |= code << (bit % 32);
  };
  for (U32 lane = 0; lane < 32; ++lane) {
    for (U32 i = 0; i < ea; ++i) {
      const Place p = place_a(x, lane, i);
      put(0, lane, ea, i, x.a.bits, a[p.row * x.k + p.column] = x.a.draw(random));
    }
    for (U32 i = 0; i < eb; ++i) {
      const Place p = place_b(x, lane, i);
      put(1, lane, eb, i, x.b.bits, b[p.row * 8 + p.column] = x.b.draw(random));
    }
    for (U32 i = 0; i < ec; ++i) {
      const Place p = place_c(x, lane, i);
      const int c = static_cast<int>(random() % 99) - 50;
      put(2, lane, ec, i, 32,
          x.sum == "s32" ? static_cast<U32>(c) : std::bit_cast<U32>(static_cast<float>(c)));
      d[p.row * 8 + p.column] = c;
    }
  }
  for (U32 m = 0; m < x.m; ++m)
    for (U32 n = 0; n < 8; ++n)
      for (U32 k = 0; k < x.k; ++k) {
        const U32 l = a[m * x.k + k], r = b[k * 8 + n];
        d[m * 8 + n] += x.tail == ".xor.popc"   ? l ^ r
                        : x.tail == ".and.popc" ? l & r
                                                : x.a.value(l) * x.b.value(r);
      }
  const U32 na = ea * x.a.bits / 32, nb = eb * x.b.bits / 32;
  std::string body =
      ".reg .b32 %a<8>, %b<8>, %c<8>, %d<8>;\n" + loads("a", na, 0) + loads("b", nb, 4 * kPart) +
      loads("c", ec, 8 * kPart) + " mma.sync.aligned." + shape + ".row.col." + x.sum + "." +
      x.a.name + "." + x.b.name + "." + x.sum + x.tail + " " + registers("d", ec) + ", " +
      registers("a", na) + ", " + registers("b", nb) + ", " + registers("c", ec) +
      ";\n mul.wide.u32 %rd6, %l, " + std::to_string(ec * 4) + "; add.u64 %rd6, %rd6, %rd1;\n";
  for (U32 i = 0; i < ec; ++i)
    body += " st.global.b32 [%rd6+" + std::to_string(4 * i) + "], %d" + std::to_string(i) + ";\n";
  const Words out = run_kernel(body, 1, 32, 256, in, steps);
  for (U32 lane = 0; lane < 32; ++lane)
    for (U32 i = 0; i < ec; ++i) {
      const Place p = place_c(x, lane, i);
      const U32 word = out[lane * ec + i];
      ASSERT_EQ(x.sum == "s32" ? static_cast<std::int32_t>(word) : std::bit_cast<float>(word),
                d[p.row * 8 + p.column])
          << "lane " << lane << ", element " << i;
    }
}

const Element s4{"s4", 4}, u4{"u4", 4}, b1{"b1", 1}, e4m3{"e4m3", 8}, e5m2{"e5m2", 8};

TEST_P(SmallMatrices, FourBitIntegersOfBothSigns) {
  for (const Element& a : {s4, u4})
    for (const Element& b : {s4, u4}) {
      check({8, 32, a, b, "s32", ""}, GetParam());
      for (U32 k : {32, 64}) check({16, k, a, b, "s32", ""}, GetParam());
    }
}

TEST_P(SmallMatrices, BitsWithXorAndWithAnd) {
  for (const char* tail : {".xor.popc", ".and.popc"}) {
    check({8, 128, b1, b1, "s32", tail}, GetParam());
    for (U32 k : {128, 256}) check({16, k, b1, b1, "s32", tail}, GetParam());
  }
}

TEST_P(SmallMatrices, EightBitFloats) {
  for (const Element& a : {e4m3, e5m2})
    for (const Element& b : {e4m3, e5m2})
      for (U32 k : {16, 32}) check({16, k, a, b, "f32", ""}, GetParam());
}

// wmma of 4-bit integers and bits: whole rows of A and columns of B from memory.
TEST_P(SmallMatrices, WmmaLoadsRowsOfFourBitIntegersAndBits) {
  const auto run = [&](const std::string& shape, const std::string& type, const std::string& op,
                       const Words& in) {
    return run_kernel(
        ".reg .b32 %a, %b, %c<2>;\n wmma.load.a.sync.aligned.row." + shape + ".global." + type +
            " {%a}, [%in], 256; wmma.load.b.sync.aligned.col." + shape + "." + type +
            " {%b}, [%in+1024], 256;\n mov.b32 %c0, 0; mov.b32 %c1, 0; wmma.mma" + op +
            ".sync.aligned.row.col." + shape + ".s32." + type + "." + type +
            ".s32 {%c0, %c1}, {%a}, {%b}, {%c0, %c1};\n wmma.store.d.sync.aligned.row." + shape +
            ".global.s32 [%rd1], {%c0, %c1}, 8;",
        1, 32, 64, in, GetParam());
  };
  // Every element of row i of A is i + 1; in column j of B only the first is j + 1, others are 0.
  // The stride is 256 elements.
  Words nibbles(512), bits(512);
  for (U32 i = 0; i < 8; ++i) {
    for (U32 w = 0; w < 4; ++w)
      nibbles[i * 32 + w] = (i + 1) * 0x11111111, bits[i * 8 + w] = ~0u >> i;
    nibbles[256 + i * 32] = i + 1;
    bits[256 + i * 8 + 3] = ~0u;
  }
  const Words products = run("m8n8k32", "u4", "", nibbles),
              counts = run("m8n8k128", "b1", ".and.popc", bits),
              unlike = run("m8n8k128", "b1", ".xor.popc", bits);
  for (U32 i = 0; i < 8; ++i)
    for (U32 j = 0; j < 8; ++j) {
      EXPECT_EQ(products[i * 8 + j], (i + 1) * (j + 1));
      EXPECT_EQ(counts[i * 8 + j], 32 - i);
      EXPECT_EQ(unlike[i * 8 + j], 3 * (32 - i) + i);
    }
}

// Volta: four products of 8 x 8 x 4, each by four lanes and the four lanes 16 after them.
TEST_P(SmallMatrices, VoltaMultipliesInQuadPairs) {
  for (unsigned how = 0; how < 4; ++how) {
    const bool a_col = how & 1, b_col = how & 2;
    std::mt19937 random(how);
    double a[4][8][4], b[4][4][8];
    Words in(32 * 4);
    const auto code = [](double x) {
      return static_cast<U32>(exec::encode(exec::kHalf, x, ptx::Rounding::rn));
    };
    for (U32 lane = 0; lane < 32; ++lane)
      for (U32 i = 0; i < 4; ++i) {
        const U32 q = lane / 4 % 4, own = lane % 4, more = lane < 16 ? 0 : 4;
        const double x = static_cast<int>(random() % 9) - 4, y = static_cast<int>(random() % 9) - 4;
        (a_col ? a[q][i + more][own] : a[q][own + more][i]) = x;
        (b_col ? b[q][i][own + more] : b[q][own][i + more]) = y;
        in[lane * 4 + i / 2] |= code(x) << (16 * (i % 2));
        in[lane * 4 + 2 + i / 2] |= code(y) << (16 * (i % 2));
      }
    const std::string layouts = std::string(a_col ? ".col" : ".row") + (b_col ? ".col" : ".row");
    std::string single = " mma.sync.aligned.m8n8k4" + layouts + ".f32.f16.f16.f32 " +
                         registers("d", 8) + ", {%a0, %a1}, {%b0, %b1}, " + registers("c", 8) +
                         ";\n";
    std::string body =
        ".reg .b32 %a<2>, %b<2>; .reg .f32 %c<8>, %d<8>;\n mul.wide.u32 %rd5, %l, 16; add.u64 "
        "%rd5, %rd5, %in; ld.global.v4.b32 {%a0, %a1, %b0, %b1}, [%rd5];\n";
    for (U32 i = 0; i < 8; ++i) body += " mov.f32 %c" + std::to_string(i) + ", 0f40000000;\n";
    body += single + " mul.wide.u32 %rd6, %l, 32; add.u64 %rd6, %rd6, %rd1;\n";
    for (U32 i = 0; i < 8; ++i)
      body += " st.global.f32 [%rd6+" + std::to_string(4 * i) + "], %d" + std::to_string(i) + ";\n";
    const Words out = run_kernel(body, 1, 32, 256, in, GetParam());
    const std::string halves =
        ".reg .b32 %a<2>, %b<2>, %d<4>;\n mul.wide.u32 %rd5, %l, 16; add.u64 %rd5, %rd5, %in; "
        "ld.global.v4.b32 {%a0, %a1, %b0, %b1}, [%rd5];\n mov.b32 %r3, 0x40004000;\n"
        " mma.sync.aligned.m8n8k4" +
        layouts +
        ".f16.f16.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1}, {%b0, %b1}, {%r3, %r3, %r3, %r3};\n"
        " mul.wide.u32 %rd6, %l, 16; add.u64 %rd6, %rd6, %rd1; st.global.v4.b32 [%rd6], {%d0, %d1, "
        "%d2, %d3};";
    const Words small = run_kernel(halves, 1, 32, 128, in, GetParam());
    for (U32 lane = 0; lane < 32; ++lane)
      for (U32 i = 0; i < 8; ++i) {
        const U32 q = lane / 4 % 4, row = (lane & 1) + (i & 2) + (lane < 16 ? 0 : 4),
                  column = (i & 4) + (lane & 2) + (i & 1);
        const auto sum = [&](U32 r, U32 c) {
          double d = 2;
          for (U32 k = 0; k < 4; ++k) d += a[q][r][k] * b[q][k][c];
          return d;
        };
        EXPECT_EQ(std::bit_cast<float>(out[lane * 8 + i]), sum(row, column))
            << layouts << " lane " << lane << " element " << i;
        EXPECT_EQ(exec::decode_half(small[lane * 4 + i / 2] >> (16 * (i % 2))),
                  sum(lane % 4 + (lane < 16 ? 0 : 4), i));
      }
  }
}

}  // namespace
}  // namespace heddle::conformance::small
