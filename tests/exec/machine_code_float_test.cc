#include <cfenv>
#include <cmath>

#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

constexpr MachineHandler kFloat = float_handler;

float number(U64 bits) { return std::bit_cast<float>(static_cast<U32>(bits)); }
U64 bits_of(float x) { return x == x ? std::bit_cast<U32>(x) : 0x7fffffff; }
float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

// The result with a rounding, unmoved by the optimizer.
float rounded(int mode, const std::function<float()>& f) {
  const int saved = std::fegetround();
  std::fesetround(mode);
  volatile float result = f();
  std::fesetround(saved);
  return result;
}
float compute(std::string_view name, float x, float y, float z) {
  const volatile float a = x, b = y, c = z;
  return name == "FADD" ? a + b : name == "FMUL" ? a * b : std::fma(a, b, c);
}

TEST(MachineFloats, ArithmeticRoundsFlushesAndSaturates) {
  using sass::Rounding;
  const std::pair<Rounding, int> roundings[] = {{Rounding::RN_, FE_TONEAREST},
                                                {Rounding::RM, FE_DOWNWARD},
                                                {Rounding::RP, FE_UPWARD},
                                                {Rounding::RZ, FE_TOWARDZERO}};
  for (const auto& [name, opcode] :
       {std::pair{"FADD", 0x221}, std::pair{"FMUL", 0x220}, std::pair{"FFMA", 0x223}})
    for (const auto& [rounding, mode] : roundings)
      for (int n = 0; n < 8; ++n) {
        const bool ftz = n & 1, sat = n & 2, signs = n & 4;
        MachineCode code(name, opcode);
        code.set(rounding);
        if (name != std::string("FADD") && ftz)
          code.set(sass::Denormals::FTZ);
        else if (ftz)
          code.flag("FTZ");
        if (name == std::string("FMUL")) code.set(sass::Scale::ONE_);
        if (sat) code.flag("SAT");
        if (signs) code.source(0).negated = code.source(1).absolute = true;
        check_lanes(
            kFloat, code,
            [&, round = mode, name = std::string(name)](LaneValues& l) {
              float a = number(l.in[0]), b = number(l.in[1]), c = number(l.in[2]);
              if (signs) a = -a, b = std::fabs(b);
              if (ftz) a = flushed(a), b = flushed(b), c = flushed(c);
              float x = rounded(round, [&] { return compute(name, a, b, c); });
              if (ftz) x = flushed(x);
              if (sat) x = x > 0 ? std::min(x, 1.0f) : 0.0f;
              l.out = bits_of(x);
            },
            any_float);
      }
}

TEST(MachineFloats, FmulScalesByAPowerOfTwo) {
  for (const auto& [scale, factor] :
       {std::pair{sass::Scale::D8, 0.125}, std::pair{sass::Scale::M4, 4.0}})
    check_lanes(
        kFloat, MachineCode("FMUL").set(scale),
        [by = factor](LaneValues& l) {
          const double product =
              static_cast<double>(number(l.in[0])) * static_cast<double>(number(l.in[1]));
          l.out = bits_of(static_cast<float>(product * by));
        },
        any_float);
}

TEST(MachineFloats, FmnmxPrefersNumbersAndOrdersZeros) {
  check_lanes(
      kFloat, MachineCode("FMNMX"),
      [](LaneValues& l) {
        const float a = number(l.in[0]), b = number(l.in[1]);
        const bool smaller = l.in_predicate[0];
        float x = std::isnan(a) ? b : std::isnan(b) ? a : smaller == (a < b) ? a : b;
        if (a == b) x = std::signbit(a) == smaller ? a : b;
        l.out = bits_of(x);
      },
      any_float);
}

TEST(MachineFloats, FmnmxWithNanAndXorsign) {
  MachineCode code("FMNMX", 0x209);
  for (const sass::EncodingForm& form : sass::all_forms())
    if (form.name == "FMNMX" && form.code == 0x209 && form.modifiers.size() == 3)
      code.instruction.form = &form;
  code.flag("NAN").flag("XORSIGN");
  code.source(0).absolute = code.source(1).absolute = true;
  check_lanes(
      kFloat, code,
      [](LaneValues& l) {
        const float a = number(l.in[0]), b = number(l.in[1]);
        const float x = std::fabs(a), y = std::fabs(b);
        const float m = l.in_predicate[0] == (x < y) ? x : y;
        l.out =
            a != a || b != b ? 0x7fffffff : bits_of(std::signbit(a) != std::signbit(b) ? -m : m);
      },
      any_float);
}

TEST(MachineFloats, FsetpComparesOrderedAndUnordered) {
  using sass::FloatCompare;
  for (int op = 1; op < 15; ++op) {
    const auto holds_for = [op](float a, float b) {
      const bool unordered = a != a || b != b;
      const bool base = op % 8 == 1   ? a < b
                        : op % 8 == 2 ? a == b
                        : op % 8 == 3 ? a <= b
                        : op % 8 == 4 ? a > b
                        : op % 8 == 5 ? a < b || a > b
                        : op % 8 == 6 ? a >= b
                        : op % 8 == 7 ? !unordered
                                      : false;
      return base || (op >= 8 && unordered);
    };
    const auto expected = [&](LaneValues& l) {
      const bool is = holds_for(number(l.in[0]), number(l.in[1])), p = l.in_predicate[0];
      l.out_predicate = {is != p, !is != p};
      l.out = is != p ? 0x3f800000 : 0;
    };
    for (const std::string_view name : {"FSETP", "FSET.BF"})
      check_lanes(kFloat,
                  MachineCode(name).set(static_cast<FloatCompare>(op)).set(sass::Combine::XOR),
                  expected, any_float);
  }
  MachineCode simple = MachineCode("FSETP").set(FloatCompare::GT).flag("FTZ");
  simple.predicate(false, 0).index = simple.predicate(true, 1).index = sass::kTruePredicate;
  check_lanes(
      kFloat, simple,
      [](LaneValues& l) {
        l.out_predicate[0] = flushed(number(l.in[0])) > flushed(number(l.in[1]));
      },
      any_float);
}

TEST(MachineFloats, FchkFindsDivisionsThatNewtonStepsDoNotSolve) {
  MachineBench bench;
  const MachineCode code("FCHK");
  const auto is_hard = [&](float a, float b) {
    DecodedInstruction r = bench.bind(code.instruction);
    bench.word(code.instruction.operands[1].index, 0) = std::bit_cast<U32>(a);
    bench.word(code.instruction.operands[2].index, 0) = std::bit_cast<U32>(b);
    kFloat(code.instruction, r)(bench.warp, r, 1);
    return (bench.warp.predicates[r.dst_predicate[0]] & 1) != 0;
  };
  EXPECT_FALSE(is_hard(1, 3));
  EXPECT_FALSE(is_hard(-1e10f, 1e-10f));
  for (const float b : {0.0f, 1e-40f, INFINITY, NAN, 2e38f}) EXPECT_TRUE(is_hard(1, b)) << b;
  for (const float a : {0.0f, 1e-33f, INFINITY, NAN}) EXPECT_TRUE(is_hard(a, 1)) << a;
  EXPECT_TRUE(is_hard(1e20f, 1e-20f));
  EXPECT_TRUE(is_hard(1e-20f, 1e20f));
}

TEST(MachineFloats, MufuFlushesAndMeasuresAnglesInRevolutions) {
  using sass::Function;
  const std::pair<Function, std::function<double(double)>> functions[] = {
      {Function::COS, [](double x) { return std::cos(x * 6.283185307179586); }},
      {Function::SIN, [](double x) { return std::sin(x * 6.283185307179586); }},
      {Function::EX2, [](double x) { return std::exp2(x); }},
      {Function::LG2, [](double x) { return std::log2(x); }},
      {Function::RCP, [](double x) { return 1 / x; }},
      {Function::RSQ, [](double x) { return 1 / std::sqrt(x); }},
      {Function::SQRT, [](double x) { return std::sqrt(x); }},
      {Function::TANH, [](double x) { return std::tanh(x); }}};
  for (const auto& [function, f] : functions) {
    MachineBench bench;
    const MachineCode code = MachineCode("MUFU", 0x308).set(function);
    DecodedInstruction r = bench.bind(code.instruction);
    for (int l = 0; l < kWarpSize; ++l)
      bench.word(code.instruction.operands[1].index, l) =
          std::bit_cast<U32>(0.1f + 0.37f * static_cast<float>(l));
    kFloat(code.instruction, r)(bench.warp, r, ~0u);
    for (int l = 0; l < kWarpSize; ++l) {
      const double x = static_cast<double>(0.1f + 0.37f * static_cast<float>(l));
      const float got = number(bench.word(code.instruction.operands[0].index, l));
      EXPECT_NEAR(got, f(x), std::fabs(f(x)) * 1e-6 + 1e-6) << static_cast<int>(function);
    }
  }
  check_lanes(
      kFloat, MachineCode("MUFU", 0x308).set(Function::RCP),
      [](LaneValues& l) {
        const float x = flushed(number(l.in[0]));
        l.out = bits_of(std::fabs(x) > 0x1p126f ? std::copysign(0.0f, x) : 1 / x);
      },
      any_float);
}

TEST(MachineFloats, MufuOfUpperWords) {
  for (const bool root : {false, true})
    check_lanes(
        kFloat,
        MachineCode("MUFU", 0x308).set(root ? sass::Function::RSQ64H : sass::Function::RCP64H),
        [root](LaneValues& l) {
          double x = std::bit_cast<double>(l.in[0] << 32);
          if (std::fabs(x) < 0x1p-1022) x = std::copysign(0.0, x);
          double y = root ? 1 / std::sqrt(x) : 1 / x;
          if (std::fabs(y) < 0x1p-1022) y = std::copysign(0.0, y);
          l.out = y == y ? std::bit_cast<U64>(y) >> 32 : 0x7fffffff;
        });
}

TEST(MachineFloats, MufuOfAHalfTakesTheNamedHalf) {
  using sass::Function;
  for (const Function function : {Function::EX2, Function::TANH})
    for (const bool high : {false, true}) {
      MachineCode code = MachineCode("MUFU", 0x308, sass::ModifierKind::Half).set(function);
      code.flag("F16");
      if (high) code.set(sass::Half::H1);
      MachineBench bench;
      DecodedInstruction r = bench.bind(code.instruction);
      bench.word(code.instruction.operands[1].index, 0) = high ? 0x40007c00 : 0x7c004000;  // 2, inf
      const Handler handler = kFloat(code.instruction, r);
      ASSERT_NE(handler, nullptr);
      handler(bench.warp, r, 1);
      // 4, and tanh(2) = 0.96403 to 11 bits.
      EXPECT_EQ(bench.word(code.instruction.operands[0].index, 0),
                function == Function::EX2 ? 0x4400u : 0x3bb6u);
    }
}

TEST(MachineFloats, WhatIsNotDocumentedIsRefused) {
  DecodedInstruction r;
  MachineCode code = MachineCode("FMUL").set(sass::Scale::ONE_);
  EXPECT_NE(kFloat(code.instruction, r), nullptr);
  code.set(sass::Scale::D2).set(sass::Rounding::RZ);
  EXPECT_EQ(kFloat(code.instruction, r), nullptr);
  EXPECT_EQ(kFloat(MachineCode(code).set(sass::Denormals::FMZ).instruction, r), nullptr);
}

}  // namespace
}  // namespace heddle::exec::machine_test
