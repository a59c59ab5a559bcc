#include <cfenv>
#include <cmath>

#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

constexpr MachineHandler kDouble = double_handler;

double real(U64 bits) { return std::bit_cast<double>(bits); }
U64 any_double(int, std::mt19937_64& random) {
  static constexpr double kEdges[] = {0,   -0.0,      1,   -1,    INFINITY, -INFINITY,
                                      NAN, 0x1p-1074, 0.5, 1e300, 0x1p-1022};
  if (random() % 3 == 0) return std::bit_cast<U64>(kEdges[random() % std::size(kEdges)]);
  if (random() % 2) return random();
  return std::bit_cast<U64>(static_cast<double>(random() % 2000001) / 1000.0 - 1000.0);
}

// Which of several NaNs an operation returns is not fixed.
U64 no_nan(int k, std::mt19937_64& random) {
  const U64 x = any_double(k, random);
  return real(x) == real(x) ? x : 0;
}

TEST(MachineDoubles, ArithmeticRounds) {
  using sass::Rounding;
  const std::pair<Rounding, int> roundings[] = {{Rounding::RN_, FE_TONEAREST},
                                                {Rounding::RM, FE_DOWNWARD},
                                                {Rounding::RP, FE_UPWARD},
                                                {Rounding::RZ, FE_TOWARDZERO}};
  for (const auto& [name, opcode] :
       {std::pair{"DADD", 0x229}, std::pair{"DMUL", 0x228}, std::pair{"DFMA", 0x22b}})
    for (const auto& [rounding, mode] : roundings) {
      MachineCode code = MachineCode(name, opcode).set(rounding);
      code.source(0).negated = code.source(1).absolute = true;
      check_lanes(
          kDouble, code,
          [round = mode, name = std::string(name)](LaneValues& l) {
            volatile double a = -real(l.in[0]), b = std::fabs(real(l.in[1])), c = real(l.in[2]);
            std::fesetround(round);
            volatile double x = name == "DADD" ? a + b : name == "DMUL" ? a * b : std::fma(a, b, c);
            std::fesetround(FE_TONEAREST);
            l.out = std::bit_cast<U64>(double{x});
          },
          no_nan);
    }
}

TEST(MachineDoubles, DsetpComparesAndCombines) {
  using sass::DoubleCompare;
  const auto check = [](DoubleCompare op, bool (*holds_for)(double, double)) {
    MachineCode code = MachineCode("DSETP").set(op).set(sass::Combine::OR);
    check_lanes(
        kDouble, code,
        [=](LaneValues& l) {
          const bool is = holds_for(real(l.in[0]), real(l.in[1]));
          l.out_predicate = {is || l.in_predicate[0], !is || l.in_predicate[0]};
        },
        any_double);
  };
  check(DoubleCompare::LT, [](double a, double b) { return a < b; });
  check(DoubleCompare::GEU, [](double a, double b) { return !(a < b); });
  check(DoubleCompare::NE, [](double a, double b) { return a < b || a > b; });
  check(DoubleCompare::NEU, [](double a, double b) { return a != b; });
  check(DoubleCompare::nNAN, [](double a, double b) { return a != a || b != b; });
}

TEST(MachineDoubles, DsetpMinSaysWhichIsTheMinimumAndWhetherThereIsNone) {
  for (const bool maximum : {false, true}) {
    MachineCode code =
        MachineCode("DSETP").set(maximum ? sass::DoubleCompare::MAX : sass::DoubleCompare::MIN);
    code.predicate(false, 0).index = sass::kTruePredicate;
    check_lanes(
        kDouble, code,
        [maximum](LaneValues& l) {
          const double a = real(l.in[0]), b = real(l.in[1]);
          l.out_predicate[0] = std::isnan(b)   ? !std::isnan(a)
                               : a == b        ? std::signbit(a) != maximum
                               : std::isnan(a) ? false
                               : maximum       ? a > b
                                               : a < b;
          l.out_predicate[1] = std::isnan(a) && std::isnan(b);
        },
        any_double);
  }
}

}  // namespace
}  // namespace heddle::exec::machine_test
