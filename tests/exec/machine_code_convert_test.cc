#include <immintrin.h>

#include <cfenv>
#include <cmath>

#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

constexpr MachineHandler kConvert = convert_handler;

float single(U64 bits) { return std::bit_cast<float>(static_cast<U32>(bits)); }
// The form of this name whose modifier of a kind must be this value.
template <class Modifier>
MachineCode form_for(std::string_view name, int code, Modifier value) {
  for (const sass::EncodingForm& form : sass::all_forms()) {
    if (form.name != name || form.code != code) continue;
    for (const sass::ModifierForm& m : form.modifiers)
      for (const sass::EncodingForm::Condition& condition : form.conditions)
        if (m.kind == sass::kKindOf<Modifier> &&
            condition.field.ranges[0].last == m.field.ranges[0].last &&
            condition.value == static_cast<U64>(value)) {
          MachineCode found(name, code);
          found.instruction.form = &form;
          found.instruction.operands[0].index = 1;
          found.instruction.operands[1].index = 17;
          return found.set(value);
        }
  }
  throw std::invalid_argument("no such form");
}

TEST(MachineConversions, FloatsToIntegersClampAndRound) {
  using sass::IntRounding;
  const std::pair<IntRounding, float (*)(float)> roundings[] = {
      {IntRounding::ROUND_, [](float x) { return std::nearbyint(x); }},
      {IntRounding::FLOOR, [](float x) { return std::floor(x); }},
      {IntRounding::CEIL, [](float x) { return std::ceil(x); }},
      {IntRounding::TRUNC, [](float x) { return std::trunc(x); }}};
  for (const auto& [rounding, round] : roundings)
    for (const bool zero : {false, true}) {
      MachineCode code =
          form_for("F2I", 0x305, sass::FloatSource::F32_).set(sass::SmallInt::S32_).set(rounding);
      if (zero) code.flag("NTZ");
      code.source(0).negated = true;
      check_lanes(
          kConvert, code,
          [zero, to = round](LaneValues& l) {
            const float x = to(-single(l.in[0]));
            const double clamped = std::clamp(static_cast<double>(x), -0x1p31, 0x1p31 - 1);
            l.out = x != x ? zero ? 0 : 0x80000000
                           : static_cast<U32>(static_cast<std::int32_t>(clamped));
          },
          any_float);
    }
  check_lanes(
      kConvert,
      form_for("F2I", 0x311, sass::FloatSource::F64)
          .set(sass::IntFormat::U64)
          .set(sass::IntRounding::TRUNC),
      [](LaneValues& l) { l.out = 3; },
      [](int, std::mt19937_64&) { return std::bit_cast<U64>(3.75); });
}

TEST(MachineConversions, IntegersToFloatsRound) {
  for (const auto& [rounding, mode] :
       {std::pair{sass::Rounding::RN_, FE_TONEAREST}, std::pair{sass::Rounding::RZ, FE_TOWARDZERO}})
    for (const bool is_signed : {false, true}) {
      MachineCode code("I2F", 0x306);
      code.set(sass::SmallFloat::F32_)
          .set(is_signed ? sass::IntFormat::S32_ : sass::IntFormat::U32)
          .set(rounding);
      check_lanes(kConvert, code, [is_signed, round = mode](LaneValues& l) {
        std::fesetround(round);
        volatile float x = is_signed ? static_cast<float>(static_cast<std::int32_t>(l.in[0]))
                                     : static_cast<float>(static_cast<U32>(l.in[0]));
        std::fesetround(FE_TONEAREST);
        l.out = std::bit_cast<U32>(float{x});
      });
    }
}

TEST(MachineConversions, BytesOfARegisterAreIntegers) {
  for (const sass::EncodingForm& form : sass::all_forms()) {
    if (form.name != "I2F" || form.code != 0x306 || form.modifiers.size() != 4 ||
        form.modifiers[3].kind != sass::ModifierKind::Byte)
      continue;
    MachineCode code("I2F", 0x306);
    code.instruction.form = &form;
    code.set(sass::SmallFloat::F32_).set(sass::IntFormat::S8).set(sass::Byte::B2);
    check_lanes(kConvert, code, [](LaneValues& l) {
      l.out = std::bit_cast<U32>(static_cast<float>(static_cast<std::int8_t>(l.in[0] >> 16)));
    });
    return;
  }
  FAIL() << "no form of bytes";
}

TEST(MachineConversions, BetweenFloats) {
  check_lanes(
      kConvert, form_for("F2F", 0x304, sass::FloatFormat::F16).set(sass::SourceFormat::F32),
      [](LaneValues& l) {
        const float x = single(l.in[0]);
        l.out = x == x ? _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT) : 0x7fff;
      },
      any_float);
  MachineCode widen = form_for("F2F", 0x310, sass::SourceFormat::F32).set(sass::FloatFormat::F64);
  check_lanes(
      kConvert, widen,
      [](LaneValues& l) { l.out = std::bit_cast<U64>(static_cast<double>(single(l.in[0]))); },
      [](int, std::mt19937_64& random) { return random() % 0x7f800000; });
  check_lanes(
      kConvert, form_for("FRND", 0x307, sass::FloatResult::F32_).set(sass::IntRounding::FLOOR),
      [](LaneValues& l) {
        const float x = std::floor(single(l.in[0]));
        l.out = x == x ? std::bit_cast<U32>(x) : 0x7fffffff;
      },
      any_float);
}

TEST(MachineConversions, F2fpPacksTheFirstOperandIntoTheUpperHalf) {
  check_lanes(
      kConvert, MachineCode("F2FP", 0x23e).flag("PACK_AB"),
      [](LaneValues& l) {
        const auto half = [](U64 bits) -> U64 {
          const float x = single(bits);
          return x == x ? _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT) : 0x7fff;
        };
        l.out = half(l.in[0]) << 16 | half(l.in[1]);
      },
      any_float);
}

TEST(MachineConversions, I2ipPacksClampedIntegers) {
  check_lanes(
      kConvert, MachineCode("I2IP", 0x239).set(sass::SmallResult::S8_S32_SAT), [](LaneValues& l) {
        const auto byte = [](U64 x) {
          return static_cast<U64>(std::clamp(static_cast<std::int32_t>(x), -128, 127)) & 0xff;
        };
        l.out = word(l.in[2] << 16) | byte(l.in[0]) << 8 | byte(l.in[1]);
      });
  check_lanes(kConvert, MachineCode("I2I", 0x238).set(sass::SmallResult::U16_S32_SAT),
              [](LaneValues& l) {
                l.out = static_cast<U64>(std::clamp(static_cast<std::int32_t>(l.in[0]), 0, 65535));
              });
}

}  // namespace
}  // namespace heddle::exec::machine_test
