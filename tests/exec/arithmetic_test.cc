#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tests/exec/operation.h"

namespace heddle::exec::test {
namespace {

constexpr std::size_t kValues = 1024;

Instruction form(Opcode op, Type type) {
  Instruction i;
  i.opcode = op;
  i.type = type;
  i.payload = ptx::payload_for(op);
  return i;
}

// The instruction gives `expected` on every lane, and inactive lanes keep their value.
void check(const Instruction& i, const Shape& shape, const std::vector<std::vector<U64>>& sources,
           const std::function<U64(const std::vector<U64>&)>& expected,
           U64 compared_bits = ~U64{0}) {
  for (const bool guarded : {false, true}) {
    const auto results = apply(i, shape, sources, guarded);
    const U64 bits = compared_bits & (shape.wide_result ? ~U64{0} : 0xffffffff);
    for (std::size_t n = 0; n < results.size(); ++n) {
      std::vector<U64> operands;
      for (const auto& s : sources) operands.push_back(s[n]);
      const U64 want = guarded && n % 2 ? kUntouched : expected(operands);
      ASSERT_EQ(results[n] & bits, want & bits)
          << "opcode " << int(i.opcode) << " type " << int(i.type) << " lane " << n << std::hex
          << " a=" << operands[0] << " b=" << (operands.size() > 1 ? operands[1] : 0)
          << " c=" << (operands.size() > 2 ? operands[2] : 0);
    }
  }
}
std::vector<std::vector<U64>> integer_sources(int n) {
  std::vector<std::vector<U64>> s;
  for (int i = 0; i < n; ++i) s.push_back(integers(kValues, static_cast<unsigned>(100 + i)));
  return s;
}
const Shape k32{false, {false, false, false, false}}, k64{true, {true, true, true, true}};

template <class T>
T as(U64 v) {
  return static_cast<T>(v);
}
template <class F>
void check32(const Instruction& i, int sources, F f) {
  check(i, k32, integer_sources(sources), [&](const auto& o) {
    return static_cast<U64>(f(static_cast<U32>(o[0]), static_cast<U32>(o.size() > 1 ? o[1] : 0),
                              static_cast<U32>(o.size() > 2 ? o[2] : 0)));
  });
}
template <class F>
void check64(const Instruction& i, int sources, F f) {
  check(i, k64, integer_sources(sources), [&](const auto& o) {
    return static_cast<U64>(f(o[0], o.size() > 1 ? o[1] : 0, o.size() > 2 ? o[2] : 0));
  });
}

TEST(Integer, AddsSubtractsAndMultiplies) {
  check32(form(Opcode::add, Type::s32), 2, [](U32 a, U32 b, U32) { return a + b; });
  check32(form(Opcode::sub, Type::u32), 2, [](U32 a, U32 b, U32) { return a - b; });
  check32(form(Opcode::mul, Type::s32), 2, [](U32 a, U32 b, U32) { return a * b; });
  check32(form(Opcode::mad, Type::s32), 3, [](U32 a, U32 b, U32 c) { return a * b + c; });
  check64(form(Opcode::add, Type::s64), 2, [](U64 a, U64 b, U64) { return a + b; });
  check64(form(Opcode::sub, Type::u64), 2, [](U64 a, U64 b, U64) { return a - b; });
  check64(form(Opcode::mul, Type::s64), 2, [](U64 a, U64 b, U64) { return a * b; });
  check64(form(Opcode::mad, Type::u64), 3, [](U64 a, U64 b, U64 c) { return a * b + c; });
}

TEST(Integer, HighHalvesAndWideProducts) {
  Instruction i = form(Opcode::mul, Type::s32);
  i.part = ptx::MulPart::hi;
  check32(i, 2,
          [](U32 a, U32 b, U32) { return static_cast<U32>((S64{as<S32>(a)} * as<S32>(b)) >> 32); });
  i.type = Type::u32;
  check32(i, 2, [](U32 a, U32 b, U32) { return static_cast<U32>((U64{a} * b) >> 32); });
  i.opcode = Opcode::mad;
  check32(i, 3, [](U32 a, U32 b, U32 c) { return static_cast<U32>((U64{a} * b) >> 32) + c; });
  i = form(Opcode::mul, Type::s32);
  i.part = ptx::MulPart::wide;
  check(i, {true, {false, false}}, integer_sources(2),
        [](const auto& o) { return static_cast<U64>(S64{as<S32>(o[0])} * as<S32>(o[1])); });
  i.opcode = Opcode::mad;
  i.type = Type::u32;
  check(i, {true, {false, false, true}}, integer_sources(3),
        [](const auto& o) { return U64{as<U32>(o[0])} * as<U32>(o[1]) + o[2]; });
}

TEST(Integer, DividesAsHardwareDoes) {
  check32(form(Opcode::div, Type::u32), 2, [](U32 a, U32 b, U32) { return b ? a / b : ~0u; });
  check32(form(Opcode::rem, Type::u32), 2, [](U32 a, U32 b, U32) { return b ? a % b : ~0u; });
  check32(form(Opcode::div, Type::s32), 2, [](U32 a, U32 b, U32) {
    return b ? static_cast<U32>(S64{as<S32>(a)} / as<S32>(b)) : ~0u;
  });
  check32(form(Opcode::rem, Type::s32), 2, [](U32 a, U32 b, U32) {
    return b ? static_cast<U32>(S64{as<S32>(a)} % as<S32>(b)) : ~0u;
  });
  check64(form(Opcode::div, Type::u64), 2, [](U64 a, U64 b, U64) { return b ? a / b : ~U64{0}; });
}

TEST(Integer, MinMaxAbsNeg) {
  check32(form(Opcode::min, Type::s32), 2,
          [](U32 a, U32 b, U32) { return as<S32>(a) < as<S32>(b) ? a : b; });
  check32(form(Opcode::max, Type::u32), 2, [](U32 a, U32 b, U32) { return std::max(a, b); });
  check64(form(Opcode::max, Type::s64), 2,
          [](U64 a, U64 b, U64) { return as<S64>(a) > as<S64>(b) ? a : b; });
  check32(form(Opcode::abs, Type::s32), 1,
          [](U32 a, U32, U32) { return as<S32>(a) < 0 ? 0 - a : a; });
  check32(form(Opcode::neg, Type::s32), 1, [](U32 a, U32, U32) { return 0 - a; });
}

TEST(Integer, MinAndMaxOfPairsReplaceNegativeResultsByZeroOnRequest) {
  const auto low = [](U64 v) { return S32{as<std::int16_t>(v)}; };
  for (const bool relu : {false, true}) {
    Instruction i = form(Opcode::min, Type::s16x2);
    i.relu = relu;
    check32(i, 2, [&](U32 a, U32 b, U32) {
      const auto element = [&](int shift) {
        const S32 least = std::min(low(a >> shift), low(b >> shift));
        return static_cast<U32>(relu ? std::max(least, 0) : least) << shift;
      };
      return (element(0) & 0xffff) | element(16);
    });
  }
}

TEST(Integer, SixteenBitOperandsIgnoreTheUpperHalf) {
  check(
      form(Opcode::add, Type::s16), k32, integer_sources(2),
      [](const auto& o) { return (o[0] + o[1]) & 0xffff; }, 0xffff);
  check(
      form(Opcode::mul, Type::s16), k32, integer_sources(2),
      [](const auto& o) { return (o[0] * o[1]) & 0xffff; }, 0xffff);
  check(
      form(Opcode::max, Type::s16), k32, integer_sources(2),
      [](const auto& o) {
        return static_cast<U64>(std::max(as<std::int16_t>(o[0]), as<std::int16_t>(o[1])));
      },
      0xffff);
  Instruction shift = form(Opcode::shr, Type::s16);
  check(
      shift, k32, integer_sources(2),
      [](const auto& o) {
        return static_cast<U64>(as<std::int16_t>(o[0]) >> std::min<U64>(as<U32>(o[1]), 15));
      },
      0xffff);
}

TEST(Logic, ShiftsClamp) {
  check32(form(Opcode::shl, Type::b32), 2, [](U32 a, U32 n, U32) { return n > 31 ? 0 : a << n; });
  check32(form(Opcode::shr, Type::u32), 2, [](U32 a, U32 n, U32) { return n > 31 ? 0 : a >> n; });
  check32(form(Opcode::shr, Type::s32), 2,
          [](U32 a, U32 n, U32) { return static_cast<U32>(as<S32>(a) >> std::min(n, 31u)); });
  check(form(Opcode::shl, Type::b64), {true, {true, false}}, integer_sources(2),
        [](const auto& o) { return as<U32>(o[1]) > 63 ? 0 : o[0] << as<U32>(o[1]); });
  check(form(Opcode::shr, Type::s64), {true, {true, false}}, integer_sources(2), [](const auto& o) {
    return static_cast<U64>(as<S64>(o[0]) >> std::min(as<U32>(o[1]), 63u));
  });
}

TEST(Logic, LookupTableMatchesItsDefinition) {
  for (const U32 table : {0x00u, 0x96u, 0xe8u, 0xcau, 0x80u, 0xffu, 0x1bu}) {
    Instruction i = form(Opcode::lop3, Type::b32);
    i.as<ptx::Lop3Table>().bits = static_cast<std::uint8_t>(table);
    check32(i, 3, [table](U32 a, U32 b, U32 c) {
      U32 r = 0;
      for (int bit = 0; bit < 32; ++bit)
        r |= (table >> ((a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1)) & 1) << bit;
      return r;
    });
  }
}

TEST(Logic, CountsAndReverses) {
  check32(form(Opcode::popc, Type::b32), 1,
          [](U32 a, U32, U32) { return static_cast<U32>(std::popcount(a)); });
  check32(form(Opcode::clz, Type::b32), 1,
          [](U32 a, U32, U32) { return static_cast<U32>(std::countl_zero(a)); });
  check32(form(Opcode::brev, Type::b32), 1, [](U32 a, U32, U32) {
    U32 r = 0;
    for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
    return r;
  });
  check32(form(Opcode::bfind, Type::u32), 1,
          [](U32 a, U32, U32) { return a ? 31u - static_cast<U32>(std::countl_zero(a)) : ~0u; });
  check32(form(Opcode::bfind, Type::s32), 1, [](U32 a, U32, U32) {
    const U32 v = as<S32>(a) < 0 ? ~a : a;
    return v ? 31u - static_cast<U32>(std::countl_zero(v)) : ~0u;
  });
}

TEST(Logic, ExtractsAndInsertsBitFields) {
  auto sources = integer_sources(3);
  for (auto& v : sources[1]) v %= 70;
  for (auto& v : sources[2]) v %= 70;
  // The definition in the PTX manual, evaluated bit by bit.
  auto extract = [](U32 a, U32 pos, U32 len, bool is_signed) {
    const U32 last = std::min(pos + len - 1, 31u);
    const U32 sign = len == 0 || !is_signed ? 0 : a >> last & 1;
    U32 d = 0;
    for (U32 i = 0; i <= 31; ++i) d |= (i < len && pos + i <= 31 ? a >> (pos + i) & 1 : sign) << i;
    return d;
  };
  check(form(Opcode::bfe, Type::u32), k32, sources,
        [&](const auto& o) { return extract(as<U32>(o[0]), as<U32>(o[1]), as<U32>(o[2]), false); });
  check(form(Opcode::bfe, Type::s32), k32, sources,
        [&](const auto& o) { return extract(as<U32>(o[0]), as<U32>(o[1]), as<U32>(o[2]), true); });
  sources.insert(sources.begin(), integers(kValues, 99));
  check(form(Opcode::bfi, Type::b32), k32, sources, [](const auto& o) {
    U32 f = as<U32>(o[1]);
    for (U32 i = 0; i < as<U32>(o[3]) && as<U32>(o[2]) + i <= 31; ++i) {
      const U32 bit = as<U32>(o[2]) + i;
      f = (f & ~(1u << bit)) | ((i < 32 ? as<U32>(o[0]) >> i & 1 : 0) << bit);
    }
    return U64{f};
  });
}

TEST(Logic, PermutesBytes) {
  check32(form(Opcode::prmt, Type::b32), 3, [](U32 a, U32 b, U32 c) {
    U32 r = 0;
    for (U32 i = 0; i < 4; ++i) {
      const U32 s = c >> (4 * i) & 15;
      U32 byte = static_cast<U32>((U64{b} << 32 | a) >> (8 * (s & 7))) & 0xff;
      if (s & 8) byte = byte >> 7 ? 0xff : 0;
      r |= byte << (8 * i);
    }
    return r;
  });
}

float f32(U64 v) { return std::bit_cast<float>(static_cast<U32>(v)); }
double f64(U64 v) { return std::bit_cast<double>(v); }
U64 bits(float v) { return v != v ? 0x7fffffff : std::bit_cast<U32>(v); }
U64 bits(double v) { return std::bit_cast<U64>(v); }
float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

std::vector<std::vector<U64>> float_sources(int n) {
  std::vector<std::vector<U64>> s;
  for (int i = 0; i < n; ++i) s.push_back(floats(kValues, static_cast<unsigned>(200 + i)));
  return s;
}
std::vector<std::vector<U64>> double_sources(int n) {
  std::vector<std::vector<U64>> s;
  for (int i = 0; i < n; ++i) s.push_back(doubles(kValues, static_cast<unsigned>(300 + i)));
  return s;
}

TEST(Float32, RoundsAsIeee) {
  check(form(Opcode::add, Type::f32), k32, float_sources(2),
        [](const auto& o) { return bits(f32(o[0]) + f32(o[1])); });
  check(form(Opcode::sub, Type::f32), k32, float_sources(2),
        [](const auto& o) { return bits(f32(o[0]) - f32(o[1])); });
  check(form(Opcode::mul, Type::f32), k32, float_sources(2),
        [](const auto& o) { return bits(f32(o[0]) * f32(o[1])); });
  check(form(Opcode::fma, Type::f32), k32, float_sources(3),
        [](const auto& o) { return bits(std::fma(f32(o[0]), f32(o[1]), f32(o[2]))); });
  check(form(Opcode::div, Type::f32), k32, float_sources(2),
        [](const auto& o) { return bits(f32(o[0]) / f32(o[1])); });
  check(form(Opcode::sqrt, Type::f32), k32, float_sources(1),
        [](const auto& o) { return bits(std::sqrt(f32(o[0]))); });
  check(form(Opcode::rcp, Type::f32), k32, float_sources(1),
        [](const auto& o) { return bits(1.0f / f32(o[0])); });
}

TEST(Float32, FlushesSubnormalsKeepingSigns) {
  Instruction i = form(Opcode::mul, Type::f32);
  i.ftz = true;
  check(i, k32, float_sources(2),
        [](const auto& o) { return bits(flushed(flushed(f32(o[0])) * flushed(f32(o[1])))); });
  i.opcode = Opcode::fma;
  check(i, k32, float_sources(3), [](const auto& o) {
    return bits(flushed(std::fma(flushed(f32(o[0])), flushed(f32(o[1])), flushed(f32(o[2])))));
  });
}

TEST(Float32, SaturatesWithNanToZero) {
  Instruction i = form(Opcode::add, Type::f32);
  i.sat = true;
  check(i, k32, float_sources(2), [](const auto& o) {
    const float s = f32(o[0]) + f32(o[1]);
    return bits(s > 0 ? std::min(s, 1.0f) : 0.0f);
  });
}

template <class F>
void with_rounding(int mode, F f) {
  const int old = std::fegetround();
  std::fesetround(mode);
  f();
  std::fesetround(old);
}

TEST(Float32, RoundsInEveryDirection) {
  const std::pair<ptx::Rounding, int> modes[] = {{ptx::Rounding::rz, FE_TOWARDZERO},
                                                 {ptx::Rounding::rm, FE_DOWNWARD},
                                                 {ptx::Rounding::rp, FE_UPWARD}};
  for (const auto& [rounding, mode] : modes) {
    for (const Opcode op : {Opcode::add, Opcode::mul, Opcode::div}) {
      Instruction i = form(op, Type::f32);
      i.rounding = rounding;
      check(i, k32, float_sources(2), [op = op, mode = mode](const auto& o) {
        volatile float a = f32(o[0]), b = f32(o[1]), r = 0;
        with_rounding(mode, [&] {
          r = op == Opcode::add ? a + b : op == Opcode::mul ? a * b : a / b;
        });
        return bits(static_cast<float>(r));
      });
    }
  }
}

TEST(Float32, MinAndMaxPreferNumbersAndOrderZeros) {
  for (const bool max : {false, true}) {
    check(form(max ? Opcode::max : Opcode::min, Type::f32), k32, float_sources(2),
          [max](const auto& o) {
            const float a = f32(o[0]), b = f32(o[1]);
            if (a != a && b != b) return U64{0x7fffffff};
            if (a != a) return bits(b);
            if (b != b) return bits(a);
            if (a == b) return bits(std::signbit(a) == max ? b : a);
            return bits((a > b) == max ? a : b);
          });
  }
}

TEST(Float32, ApproximationsAreWithinTheirErrorBounds) {
  const auto sources = float_sources(1);
  const std::pair<Opcode, double (*)(double)> functions[] = {
      {Opcode::ex2, [](double x) { return std::exp2(x); }},
      {Opcode::lg2, [](double x) { return std::log2(x); }},
      {Opcode::rsqrt, [](double x) { return 1 / std::sqrt(x); }}};
  for (const auto& [op, f] : functions) {
    Instruction i = form(op, Type::f32);
    i.approx = true;
    const auto results = apply(i, k32, sources, false);
    for (std::size_t n = 0; n < results.size(); ++n) {
      const float want = static_cast<float>(f(static_cast<double>(f32(sources[0][n])))),
                  got = f32(results[n]);
      if (want != want)
        EXPECT_EQ(results[n] & 0xffffffff, 0x7fffffffu);
      else if (std::isinf(want) || want == 0)
        EXPECT_EQ(got, want);
      else
        EXPECT_NEAR(got / want, 1, 0x1p-22) << f32(sources[0][n]);
    }
  }
}

TEST(Float64, RoundsAsIeee) {
  // All NaNs compare equal: payloads are the host's.
  auto same = [](double v) { return v != v ? U64{0xfff8000000000000} : bits(v); };
  auto check_numbers = [&](Opcode op, int n, auto f) {
    const auto sources = double_sources(n);
    const auto results = apply(form(op, Type::f64), k64, sources, false);
    for (std::size_t l = 0; l < results.size(); ++l) {
      const double want =
          f(f64(sources[0][l]), n > 1 ? f64(sources[1][l]) : 0, n > 2 ? f64(sources[2][l]) : 0);
      ASSERT_EQ(same(f64(results[l])), same(want)) << l;
    }
  };
  check_numbers(Opcode::add, 2, [](double a, double b, double) { return a + b; });
  check_numbers(Opcode::mul, 2, [](double a, double b, double) { return a * b; });
  check_numbers(Opcode::fma, 3, [](double a, double b, double c) { return std::fma(a, b, c); });
  check_numbers(Opcode::div, 2, [](double a, double b, double) { return a / b; });
  check_numbers(Opcode::sqrt, 1, [](double a, double, double) { return std::sqrt(a); });
}

TEST(Convert, FloatsToIntegersRoundClampAndZeroNans) {
  auto clamped = [](double x, double low, double high) {
    return x != x ? 0.0 : std::clamp(x, low, high);
  };
  Instruction i = form(Opcode::cvt, Type::s32);
  i.source_type = Type::f32;
  i.rounding = ptx::Rounding::rzi;
  check(i, k32, float_sources(1), [&](const auto& o) {
    return static_cast<U64>(
        static_cast<S64>(clamped(std::trunc(static_cast<double>(f32(o[0]))), -0x1p31, 0x1p31 - 1)));
  });
  i.rounding = ptx::Rounding::rni;
  check(i, k32, float_sources(1), [&](const auto& o) {
    return static_cast<U64>(static_cast<S64>(
        clamped(std::nearbyint(static_cast<double>(f32(o[0]))), -0x1p31, 0x1p31 - 1)));
  });
  i.type = Type::u32;
  i.rounding = ptx::Rounding::rpi;
  check(i, k32, float_sources(1), [&](const auto& o) {
    return static_cast<U64>(clamped(std::ceil(static_cast<double>(f32(o[0]))), 0, 0x1p32 - 1));
  });
}

TEST(Convert, BetweenPrecisionsAndFromIntegers) {
  Instruction i = form(Opcode::cvt, Type::f64);
  i.source_type = Type::f32;
  check(i, {true, {false}}, {[] {
          auto v = floats(kValues, 5);
          for (auto& x : v)
            if (f32(x) != f32(x)) x = 0;
          return v;
        }()},
        [](const auto& o) { return bits(static_cast<double>(f32(o[0]))); });
  i = form(Opcode::cvt, Type::f32);
  i.source_type = Type::f64;
  // A NaN keeps its payload.
  check(i, {false, {true}}, double_sources(1),
        [](const auto& o) { return U64{std::bit_cast<U32>(static_cast<float>(f64(o[0])))}; });
  i.source_type = Type::s32;
  check(i, k32, integer_sources(1),
        [](const auto& o) { return bits(static_cast<float>(as<S32>(o[0]))); });
  i.source_type = Type::u64;
  check(i, {false, {true}}, integer_sources(1),
        [](const auto& o) { return bits(static_cast<float>(o[0])); });
}

TEST(Convert, BetweenIntegersExtendsAndSaturates) {
  Instruction i = form(Opcode::cvt, Type::s64);
  i.source_type = Type::s32;
  check(i, {true, {false}}, integer_sources(1),
        [](const auto& o) { return static_cast<U64>(S64{as<S32>(o[0])}); });
  i.source_type = Type::s8;
  check(i, {true, {false}}, integer_sources(1),
        [](const auto& o) { return static_cast<U64>(S64{as<std::int8_t>(o[0])}); });
  i = form(Opcode::cvt, Type::u8);
  i.source_type = Type::s32;
  check(i, k32, integer_sources(1), [](const auto& o) { return U64{as<std::uint8_t>(o[0])}; });
  i.sat = true;
  check(i, k32, integer_sources(1),
        [](const auto& o) { return static_cast<U64>(std::clamp(as<S32>(o[0]), 0, 255)); });
}

TEST(Convert, HalfPrecisionRoundTrips) {
  Instruction to = form(Opcode::cvt, Type::f32);
  to.source_type = Type::f16;
  std::vector<U64> halves(kValues);
  for (std::size_t n = 0; n < halves.size(); ++n) halves[n] = n * 31;  // below the infinities
  const auto singles = apply(to, k32, {halves}, false);
  Instruction back = form(Opcode::cvt, Type::f16);
  back.source_type = Type::f32;
  back.rounding = ptx::Rounding::rn;
  const auto again = apply(back, k32, {singles}, false);
  for (std::size_t n = 0; n < halves.size(); ++n) EXPECT_EQ(again[n] & 0xffff, halves[n]);
  EXPECT_EQ(f32(apply(to, k32, {std::vector<U64>(64, 0x3c00)}, false)[0]), 1.0f);
}

}  // namespace
}  // namespace heddle::exec::test
