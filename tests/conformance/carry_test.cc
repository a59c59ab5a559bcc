// Long chains of random carry operations of 32 and 64 bits, compared with a computation that knows
// one flag.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/conformance/kernels.h"
#include "tests/conformance/reference.h"

namespace heddle::conformance {
namespace {

constexpr std::size_t kThreads = 64, kOperations = 24, kChains = 40;

struct CarryOperation {
  bool wide = false, carries_in = false, subtracts = false, writes = false;
  enum class Kind { sum, low_product, high_product } kind = Kind::sum;
  std::uint64_t a = 0, c = 0;  // the other operands: %r3 = a thread's number times `a`, and `c`

  std::string text() const {
    const std::string type = wide ? "u64" : "u32", in = carries_in ? "c" : "",
                      cc = writes ? ".cc." : ".", d = wide ? "%rd9" : "%r9",
                      x = wide ? "%rd3" : "%r3", y = std::to_string(c) + (wide ? "U" : "");
    if (kind == Kind::sum)
      return (subtracts ? "sub" : "add") + in + cc + type + " " + d + ", " + d + ", " + x + ";\n";
    return "mad" + in + (kind == Kind::low_product ? ".lo" : ".hi") + cc + type + " " + d + ", " +
           d + ", " + x + ", " + y + ";\n";
  }

  // The value of the accumulator of this width afterwards.
  std::uint64_t apply(std::uint64_t accumulator, std::uint64_t x, Wide& flag) const {
    __extension__ using Product = unsigned __int128;
    const unsigned width = wide ? 64 : 32;
    const Wide mask = (static_cast<Wide>(1) << width) - 1;
    Wide left = static_cast<Wide>(accumulator), right = static_cast<Wide>(x);
    if (kind != Kind::sum) {
      const Product product = static_cast<Product>(accumulator) * x;
      left = static_cast<Wide>(product >> (kind == Kind::high_product ? width : 0)) & mask;
      right = static_cast<Wide>(c);
    } else if (subtracts) {
      right = ~right & mask;
    }
    const Wide sum = left + right + (carries_in ? flag : static_cast<Wide>(subtracts));
    if (writes) flag = sum >> width & 1;
    return static_cast<std::uint64_t>(sum & mask);
  }
};

CarryOperation random_operation(std::mt19937_64& random, bool first) {
  CarryOperation o;
  o.wide = random() % 2;
  o.carries_in = !first && random() % 4 != 0;
  o.writes = first || random() % 4 != 0;
  const auto kind = random() % 4;
  o.kind = kind == 2   ? CarryOperation::Kind::low_product
           : kind == 3 ? CarryOperation::Kind::high_product
                       : CarryOperation::Kind::sum;
  o.subtracts = o.kind == CarryOperation::Kind::sum && random() % 2;
  const std::uint64_t edges[] = {0, 1, ~0ull, 1ull << 31, 1ull << 63, 0xffffffff, random()};
  const std::uint64_t limit = o.wide ? ~0ull : 0xffffffff;
  o.a = edges[random() % 7] & limit;
  o.c = edges[random() % 7] & limit;
  return o;
}

// The operand of a thread: its number times `a`, modulo 2^64.
std::uint64_t operand_of(const CarryOperation& o, std::uint64_t thread) { return thread * o.a; }

std::string text_of(const std::vector<CarryOperation>& chain) {
  std::string text = "cvt.u64.u32 %rd2, %i; mov.u32 %r9, %i; mov.u64 %rd9, %rd2;\n";
  for (const CarryOperation& o : chain)
    text +=
        "mul.lo.u64 %rd3, %rd2, " + std::to_string(o.a) + "U; cvt.u32.u64 %r3, %rd3;\n" + o.text();
  return text +
         "addc.u32 %r10, 0, 0; cvt.u32.u64 %r11, %rd9; shr.u64 %rd9, %rd9, 32; cvt.u32.u64 %r12, "
         "%rd9;\n mul.wide.u32 %rd4, %i, 16; add.u64 %rd4, %rd4, %rd1;\n"
         "st.global.v4.u32 [%rd4], {%r9, %r10, %r11, %r12};";
}

TEST(CarryFlag, OneFlagServesAllOperationsOfRandomChains) {
  std::mt19937_64 random(37);
  for (std::size_t n = 0; n < kChains; ++n) {
    std::vector<CarryOperation> chain;
    for (std::size_t i = 0; i < kOperations; ++i)
      chain.push_back(random_operation(random, chain.empty()));
    const auto out = run_kernel(text_of(chain), 1, kThreads, 4 * kThreads, {0}, n % 2 != 0);
    for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
      std::uint64_t narrow = thread, wide = thread;
      Wide flag = 0;
      for (const CarryOperation& o : chain) {
        const std::uint64_t x = operand_of(o, thread);
        if (o.wide)
          wide = o.apply(wide, x, flag);
        else
          narrow = o.apply(narrow, x & 0xffffffff, flag);
      }
      const auto at = [&](std::size_t word) { return out[4 * thread + word]; };
      ASSERT_EQ(at(0), narrow) << "chain " << n << ", thread " << thread;
      ASSERT_EQ(at(1), static_cast<std::uint32_t>(flag)) << "chain " << n << ", thread " << thread;
      ASSERT_EQ(at(2) | std::uint64_t{at(3)} << 32, wide) << "chain " << n;
    }
  }
}

// ptxas computes these constants.
TEST(CarryFlag, HoldsTheCarryOfADifferenceAsPtxasFoldsIt) {
  const auto out = run_kernel(
      "sub.cc.u32 %r9, 0, 1; addc.u32 %r10, 0, 0; add.cc.u32 %r9, 0, 0; subc.u32 %r11, 0, 0;\n"
      "sub.cc.u32 %r9, 0, 1; subc.cc.u32 %r9, 5, 5; addc.u32 %r12, 0, 0;\n"
      "st.global.v4.u32 [%x], {%r10, %r11, %r12, %r12};",
      1, 1, 4, {0}, false);
  EXPECT_EQ(out, (std::vector<std::uint32_t>{0, 0xffffffff, 0, 0}));
}

}  // namespace
}  // namespace heddle::conformance
