// mma.sp compared with a multiplication on the host, functionally and step by step. The layout of
// the metadata follows the figures of the PTX manual ("Sparse matrix storage"), not src/exec.
#include <gtest/gtest.h>

#include <random>

#include "base/diagnostics.h"
#include "exec/isa/small_float.h"
#include "tests/conformance/kernels.h"

namespace heddle::conformance::sparse {
namespace {

using U32 = std::uint32_t;
using Words = std::vector<U32>;

class SparseMatrices : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Sources, SparseMatrices, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

struct Product {
  std::string type, sum;
  int bits, depth;    // of an element; of B
  int selectors;      // 4: one lane of a quad has metadata, 2: two, 1: all
  int group, stored;  // of so many neighbours in a row of A so many are stored
  int sum_bits = 32;
};

// Bit fields of rows of 32-bit registers, by lane.
struct Fragment {
  std::vector<std::array<U32, 32>> registers;
  explicit Fragment(std::size_t count) : registers(count) {}
  void put(int lane, int element, int bits, U32 value) {
    const int packed = 32 / bits;
    registers[static_cast<std::size_t>(element / packed)][static_cast<std::size_t>(lane)] |=
        (bits == 32 ? value : value & ((1u << bits) - 1)) << (element % packed * bits);
  }
};

U32 encoded(const std::string& type, int x) {
  if (type == "f16") return exec::encode(exec::kHalf, x, ptx::Rounding::rn);
  if (type == "bf16") return exec::encode(exec::kBrain, x, ptx::Rounding::rn);
  if (type == "tf32" || type == "f32") return std::bit_cast<U32>(static_cast<float>(x));
  if (type == "e4m3") {  // -2 to 2
    constexpr std::array<U32, 5> kCodes = {0xc0, 0xb8, 0x00, 0x38, 0x40};
    return kCodes[static_cast<std::size_t>(x + 2)];
  }
  return static_cast<U32>(x);
}

struct Operands {
  static constexpr int kRows = 16, kColumns = 8;
  std::vector<int> a, b, c;            // A with zeros
  std::vector<std::vector<int>> kept;  // by row: the columns that are stored
  explicit Operands(const Product& p)
      : a(static_cast<std::size_t>(kRows * p.depth)),
        b(static_cast<std::size_t>(kColumns * p.depth)),
        c(kRows * kColumns),
        kept(kRows) {
    std::mt19937 random(static_cast<unsigned>(p.depth * 8 + p.bits));
    const auto number = [&] { return static_cast<int>(random() % 5) - (p.type[0] == 'u' ? 0 : 2); };
    for (auto* part : {&b, &c})
      for (int& x : *part) x = number();
    const int unit = p.bits == 4 ? 2 : 1;  // int4 keeps pairs
    for (int row = 0; row < kRows; ++row)
      for (int first = 0; first < p.depth; first += p.group) {
        std::vector<int> units(static_cast<std::size_t>(p.group / unit));
        for (std::size_t n = 0; n < units.size(); ++n) units[n] = static_cast<int>(n);
        std::shuffle(units.begin(), units.end(), random);
        units.resize(static_cast<std::size_t>(p.stored / unit));
        std::sort(units.begin(), units.end());
        for (const int n : units)
          for (int e = 0; e < unit; ++e) {
            const int column = first + n * unit + e;
            kept[static_cast<std::size_t>(row)].push_back(column);
            a[static_cast<std::size_t>(row * p.depth + column)] = number();
          }
      }
  }
  int sum(int row, int column, int depth) const {
    int d = c[static_cast<std::size_t>(row * kColumns + column)];
    for (int k = 0; k < depth; ++k)
      d += a[static_cast<std::size_t>(row * depth + k)] *
           b[static_cast<std::size_t>(k * kColumns + column)];
    return d;
  }
};

// A register has the neighbours of a row, registers 1 and 3 the rows below.
Fragment fragment_of_a(const Product& p, const Operands& x) {
  const int packed = 32 / p.bits, half = p.depth / 2;
  Fragment f(static_cast<std::size_t>(16 * half / 32 / packed));
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < static_cast<int>(f.registers.size()); ++reg)
      for (int e = 0; e < packed; ++e) {
        const int row = lane / 4 + reg % 2 * 8,
                  place = lane % 4 * packed + reg / 2 * 4 * packed + e;
        const int column = x.kept[static_cast<std::size_t>(row)][static_cast<std::size_t>(place)];
        f.put(lane, reg * packed + e, p.bits,
              encoded(p.type, x.a[static_cast<std::size_t>(row * p.depth + column)]));
      }
  return f;
}
Fragment fragment_of_b(const Product& p, const Operands& x) {
  const int packed = 32 / p.bits;
  Fragment f(static_cast<std::size_t>(8 * p.depth / 32 / packed));
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < static_cast<int>(f.registers.size()); ++reg)
      for (int e = 0; e < packed; ++e) {
        const int k = lane % 4 * packed + reg * 4 * packed + e;
        f.put(lane, reg * packed + e, p.bits,
              encoded(p.type, x.b[static_cast<std::size_t>(k * 8 + lane / 4)]));
      }
  return f;
}
// The metadata of a row: two bits for each stored element, or pair; four of tf32 (4 or 14).
std::uint64_t bits_of_row(const Product& p, const std::vector<int>& kept) {
  std::uint64_t bits = 0;
  const std::size_t unit = p.bits == 4 ? 2 : 1;
  for (std::size_t n = 0; n < kept.size(); n += unit) {
    const auto place = static_cast<std::uint64_t>(kept[n] % p.group) / unit;
    if (p.bits == 32)
      bits |= std::uint64_t{place ? 14u : 4u} << (4 * n);
    else
      bits |= place << (2 * n / unit);
  }
  return bits;
}
// Lanes without metadata have ones.
std::array<U32, 32> metadata(const Product& p, const Operands& x, int selector) {
  std::array<U32, 32> words;
  words.fill(~0u);
  for (int g = 0; g < 8; ++g) {
    const std::uint64_t upper = bits_of_row(p, x.kept[static_cast<std::size_t>(g)]),
                        lower = bits_of_row(p, x.kept[static_cast<std::size_t>(g + 8)]);
    const auto word = [&](int n) -> U32& { return words[static_cast<std::size_t>(4 * g + n)]; };
    const auto halves = [&](int n) {
      return static_cast<U32>(upper >> (16 * n) & 0xffff) |
             static_cast<U32>(lower >> (16 * n) & 0xffff) << 16;
    };
    if (p.selectors == 4) {
      word(selector) = halves(0);
    } else if (p.selectors == 2 && p.bits >= 16) {
      word(2 * selector) = halves(0), word(2 * selector + 1) = halves(1);
    } else if (p.selectors == 2) {
      word(2 * selector) = static_cast<U32>(upper);
      word(2 * selector + 1) = static_cast<U32>(lower);
    } else {
      word(0) = static_cast<U32>(upper), word(1) = static_cast<U32>(lower);
      word(2) = static_cast<U32>(upper >> 32), word(3) = static_cast<U32>(lower >> 32);
    }
  }
  return words;
}

std::string list_of(const std::string& name, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i ? ", %" : "%") + name + std::to_string(i);
  return text + "}";
}

void check(const Product& p, int selector, bool steps) {
  const std::string shape = "m16n8k" + std::to_string(p.depth);
  SCOPED_TRACE(shape + " " + p.type + " " + p.sum + ", selector " + std::to_string(selector));
  const Operands x(p);
  const Fragment a = fragment_of_a(p, x), b = fragment_of_b(p, x);
  const int sums = p.sum_bits == 16 ? 2 : 4;
  Fragment c(static_cast<std::size_t>(sums));
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < 4; ++e)
      c.put(lane, e, p.sum_bits,
            encoded(
                p.sum,
                x.c[static_cast<std::size_t>((lane / 4 + e / 2 * 8) * 8 + lane % 4 * 2 + e % 2)]));
  Words in;
  std::string body =
      ".reg .b32 %a<4>, %b<4>, %c<4>, %d<4>, %e<1>;\n mul.wide.u32 %rd5, %l, 4; "
      "add.u64 %rd5, %rd5, %in;\n";
  const auto load = [&](const std::string& name, const std::vector<std::array<U32, 32>>& rows) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      body += " ld.global.b32 %" + name + std::to_string(r) + ", [%rd5+" +
              std::to_string(in.size() * 4) + "];\n";
      in.insert(in.end(), rows[r].begin(), rows[r].end());
    }
  };
  load("a", a.registers), load("b", b.registers), load("c", c.registers);
  load("e", {metadata(p, x, selector)});
  body += std::string(" mma.sp") + (selector % 2 ? "::ordered_metadata" : "") + ".sync.aligned." +
          shape + ".row.col." + p.sum + "." + p.type + "." + p.type + "." + p.sum + " " +
          list_of("d", c.registers.size()) + ", " + list_of("a", a.registers.size()) + ", " +
          list_of("b", b.registers.size()) + ", " + list_of("c", c.registers.size()) + ", %e0, " +
          std::to_string(selector) + ";\n mul.wide.u32 %rd6, %l, 4; add.u64 %rd6, %rd6, %rd1;\n";
  for (int r = 0; r < sums; ++r)
    body += " st.global.b32 [%rd6+" + std::to_string(r * 128) + "], %d" + std::to_string(r) + ";\n";
  const Words out = run_kernel(body, 1, 32, 128, in, steps);
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < 4; ++e) {
      const U32 word = out[static_cast<std::size_t>(e * p.sum_bits / 32 * 32 + lane)];
      const U32 value = p.sum_bits == 16 ? word >> (e % 2 * 16) & 0xffff : word;
      ASSERT_EQ(value, encoded(p.sum, x.sum(lane / 4 + e / 2 * 8, lane % 4 * 2 + e % 2, p.depth)))
          << "lane " << lane << ", element " << e;
    }
}

TEST_P(SparseMatrices, TwoOfFourElementsOfARowAreStored) {
  for (const Product& p : std::vector<Product>{{"f16", "f32", 16, 16, 4, 4, 2},
                                               {"f16", "f32", 16, 32, 2, 4, 2},
                                               {"f16", "f16", 16, 16, 4, 4, 2, 16},
                                               {"f16", "f16", 16, 32, 2, 4, 2, 16},
                                               {"bf16", "f32", 16, 16, 4, 4, 2},
                                               {"bf16", "f32", 16, 32, 2, 4, 2},
                                               {"s8", "s32", 8, 32, 2, 4, 2},
                                               {"u8", "s32", 8, 64, 1, 4, 2},
                                               {"e4m3", "f32", 8, 64, 1, 4, 2}})
    for (int selector = 0; selector < p.selectors; ++selector) check(p, selector, GetParam());
}

TEST_P(SparseMatrices, OneOfTwoElementsOfTf32IsStored) {
  for (const Product& p :
       std::vector<Product>{{"tf32", "f32", 32, 8, 4, 2, 1}, {"tf32", "f32", 32, 16, 2, 2, 1}})
    for (int selector = 0; selector < p.selectors; ++selector) check(p, selector, GetParam());
}

TEST_P(SparseMatrices, PairsOfFourBitIntegersAreStored) {
  for (const Product& p :
       std::vector<Product>{{"s4", "s32", 4, 64, 2, 8, 4}, {"s4", "s32", 4, 128, 1, 8, 4}})
    for (int selector = 0; selector < p.selectors; ++selector) check(p, selector, GetParam());
}

TEST(SparseMatrixSelector, IsRefusedBeyondTheLanesWithMetadata) {
  const auto parse = [](const std::string& selector) {
    const ptx::Module module = ptx::Module::parse(
        kernel_of("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r3, %r4, %r5, %r6}, {%r3, "
                  "%r4}, {%r5, %r6}, {%r3, %r4, %r5, %r6}, %r7, " +
                  selector + ";"),
        "kernel.ptx");
    module.lower("k", {});
  };
  parse("1");
  EXPECT_THROW(parse("2"), UserError);
}

}  // namespace
}  // namespace heddle::conformance::sparse
