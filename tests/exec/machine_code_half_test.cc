#include <immintrin.h>

#include <cmath>

#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

__extension__ using Exact = __float128;  // holds every sum of a product and a half

constexpr MachineHandler kHalf16 = half_handler;

float half_value(U64 bits) { return _cvtsh_ss(static_cast<unsigned short>(bits)); }
U64 half_bits(Exact x) {
  const double d = static_cast<double>(x);
  if (d != d) return 0x7fff;
  if (std::isinf(d)) return d < 0 ? 0xfc00 : 0x7c00;
  // The nearest of all halves; of two as near the even one.
  const float size = std::fabs(static_cast<float>(d));
  U64 best = _cvtss_sh(size, _MM_FROUND_TO_ZERO);
  if (best >= 0x7c00) best = 0x7bff;
  const auto distance = [&](U64 h) {
    const Exact value = h == 0x7c00 ? Exact(65536) : Exact(half_value(h));
    const Exact to = value - (x < 0 ? -x : x);
    return to < 0 ? -to : to;
  };
  for (const U64 h : {best - 1, best, best + 1}) {
    if (h > 0x7c00) continue;
    const Exact here = distance(h), there = distance(best);
    if (here < there || (here == there && h % 2 == 0)) best = h;
  }
  return best | (std::signbit(d) ? 0x8000 : 0);
}
U64 pair(const std::function<U64(int)>& half) { return half(0) | half(16) << 16; }

U64 any_halves(int, std::mt19937_64& random) {
  const auto half = [&]() -> U64 {
    static constexpr U64 kEdges[] = {0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 1, 0x7bff, 0x0400};
    if (random() % 3 == 0) return kEdges[random() % std::size(kEdges)];
    return random() % 2 ? random() & 0xffff : 0x3000 + random() % 0x1800;
  };
  const U64 low = half();
  return low | half() << 16;
}

TEST(MachineHalves, ArithmeticRoundsOnce) {
  check_lanes(
      kHalf16, MachineCode("HFMA2", 0x231),
      [](LaneValues& l) {
        l.out = pair([&](int at) {
          return half_bits(Exact(half_value(l.in[0] >> at)) * Exact(half_value(l.in[1] >> at)) +
                           Exact(half_value(l.in[2] >> at)));
        });
      },
      any_halves);
  MachineCode difference("HADD2", 0x230, sass::ModifierKind::HalfResult);
  difference.source(1).negated = true;
  check_lanes(
      kHalf16, difference,
      [](LaneValues& l) {
        l.out = pair([&](int at) {
          return half_bits(Exact(half_value(l.in[0] >> at)) - Exact(half_value(l.in[1] >> at)));
        });
      },
      any_halves);
  check_lanes(
      kHalf16, MachineCode("HMUL2", 0x232).set(sass::HalfPair::H1_H1, 0),
      [](LaneValues& l) {
        l.out = pair([&](int at) {
          return half_bits(Exact(half_value(l.in[0] >> 16)) * Exact(half_value(l.in[1] >> at)));
        });
      },
      any_halves);
  check_lanes(
      kHalf16,
      MachineCode("HADD2", 0x230, sass::ModifierKind::HalfResult)
          .flag("SAT")
          .set(sass::HalfPair::H0_H0, 1),
      [](LaneValues& l) {
        l.out = pair([&](int at) {
          const Exact sum = Exact(half_value(l.in[0] >> at)) + Exact(half_value(l.in[1]));
          return half_bits(sum > 0 ? sum < 1 ? sum : Exact(1) : Exact(0));
        });
      },
      any_halves);
}

TEST(MachineHalves, BfloatsAreRoundedOnce) {
  MachineCode code("HFMA2", 0x231);
  for (const sass::EncodingForm& form : sass::all_forms())
    if (form.name == "HFMA2" && form.code == 0x231 && form.modifiers[0].name == "BF16_V2")
      code.instruction.form = &form;
  code.flag("BF16_V2");
  const auto brain = [](double x) { return std::bit_cast<U32>(static_cast<float>(x)) >> 16; };
  check_lanes(
      kHalf16, code, [&](LaneValues& l) { l.out = brain(1.5 * 3 + 0.25) * 0x10001u; },
      [&](int k, std::mt19937_64&) {
        return U64{brain(k == 0 ? 1.5 : k == 1 ? 3.0 : 0.25)} * 0x10001;
      });
}

TEST(MachineHalves, Hfma2MovesConstants) {
  for (const U64 constant : {0x3c000001ull, 0x80000000ull, 0x00008000ull, 0x7c00ffull}) {
    MachineCode code =
        MachineCode("HFMA2.MMA", 0x435).immediate(2, static_cast<std::int64_t>(constant));
    code.source(0).index = code.source(1).index = sass::kZeroRegister;
    code.source(0).negated = true;
    check_lanes(kHalf16, code, [=](LaneValues& l) { l.out = constant; });
    code.source(0).negated = false;  // 0 * 0 + -0 is 0
    check_lanes(kHalf16, code, [=](LaneValues& l) {
      l.out = pair([&](int at) {
        return (constant >> at & 0xffff) == 0x8000 ? 0 : constant >> at & 0xffff;
      });
    });
  }
}

TEST(MachineHalves, Hadd2F32Widens) {
  MachineCode code = MachineCode("HADD2", 0x230, sass::ModifierKind::HalfResult)
                         .set(sass::HalfResult::F32)
                         .set(sass::HalfPair::H1_H1, 1);
  code.source(0).index = sass::kZeroRegister;
  code.source(0).negated = true;
  check_lanes(
      kHalf16, code,
      [](LaneValues& l) {
        const float x = half_value(l.in[1] >> 16);
        l.out = x == x ? std::bit_cast<U32>(x) : 0x7fffffff;
      },
      any_halves);
}

TEST(MachineHalves, Hadd2CutsOffSingles) {
  MachineCode code = MachineCode("HADD2", 0x230).set(sass::HalfOrSingle::F32);
  code.source(1).index = sass::kZeroRegister;
  code.source(1).negated = true;
  check_lanes(
      kHalf16, code,
      [](LaneValues& l) {
        const auto x = std::bit_cast<float>(static_cast<U32>(l.in[0]));
        l.out = x == x ? _cvtss_sh(x, _MM_FROUND_TO_ZERO) : 0x7fff;
      },
      any_float);
}

TEST(MachineHalves, Hmnmx2PrefersNumbersUnlessNaNsWin) {
  for (const bool nan_wins : {false, true}) {
    MachineCode code("HMNMX2", 0x240);
    if (nan_wins) code.flag("NAN");
    check_lanes(
        kHalf16, code,
        [nan_wins](LaneValues& l) {
          l.out = pair([&](int at) -> U64 {
            const U64 x = l.in[0] >> at & 0xffff, y = l.in[1] >> at & 0xffff;
            const float a = half_value(x), b = half_value(y);
            if ((std::isnan(a) && std::isnan(b)) || (nan_wins && (std::isnan(a) || std::isnan(b))))
              return 0x7fff;
            if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? y : x;
            if (a == b) return std::signbit(a) == l.in_predicate[0] ? x : y;
            return l.in_predicate[0] == (a < b) ? x : y;
          });
        },
        any_halves);
  }
}

TEST(MachineHalves, Hset2SetsHalves) {
  for (const bool numbers : {false, true}) {
    MachineCode code = MachineCode("HSET2", 0x233).set(sass::FloatCompare::GT);
    if (numbers) code.flag("BF");
    check_lanes(
        kHalf16, code,
        [numbers](LaneValues& l) {
          l.out = pair([&](int at) -> U64 {
            const bool is = half_value(l.in[0] >> at) > half_value(l.in[1] >> at);
            return is && l.in_predicate[0] ? numbers ? 0x3c00 : 0xffff : 0;
          });
        },
        any_halves);
  }
}

TEST(MachineHalves, Hsetp2ComparesBothHalves) {
  using sass::FloatCompare;
  const auto check = [](FloatCompare op, bool (*holds_for)(float, float)) {
    MachineCode code = MachineCode("HSETP2", 0x234).set(op);
    check_lanes(
        kHalf16, code,
        [=](LaneValues& l) {
          for (int half = 0; half < 2; ++half)
            l.out_predicate[static_cast<std::size_t>(half)] =
                holds_for(half_value(l.in[0] >> (16 * half)), half_value(l.in[1] >> (16 * half))) &&
                l.in_predicate[0];
        },
        any_halves);
  };
  check(FloatCompare::LT, [](float a, float b) { return a < b; });
  check(FloatCompare::NE, [](float a, float b) { return a < b || a > b; });
  check(FloatCompare::GEU, [](float a, float b) { return !(a < b); });
  check(FloatCompare::nNAN, [](float a, float b) { return a != a || b != b; });
  DecodedInstruction r;
  EXPECT_EQ(kHalf16(MachineCode("HSETP2", 0x234).flag("H_AND").instruction, r), nullptr);
}

}  // namespace
}  // namespace heddle::exec::machine_test
