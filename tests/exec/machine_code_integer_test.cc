#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

__extension__ using U128 = unsigned __int128;
using sass::Int32;

constexpr MachineHandler kInteger = integer_handler;
S64 signed_word(U64 x) { return static_cast<S32>(x); }

MachineCode without_results(MachineCode code) {
  for (std::size_t n = 0; n < code.instruction.form->operands.size(); ++n)
    if (code.is_predicate(n) && code.instruction.form->operands[n].written)
      code.instruction.operands[n].index = sass::kTruePredicate;
  return code;
}

TEST(MachineIntegers, Iadd3AddsThreeWordsAndCountsCarries) {
  const auto sum = [](LaneValues& l) {
    const U64 exact = l.in[0] + l.in[1] + l.in[2];
    l.out = word(exact);
    l.out_predicate = {exact >> 32 >= 1, exact >> 32 >= 2};
  };
  check_lanes(kInteger, MachineCode("IADD3", 0x210), sum);
  check_lanes(kInteger, without_results(MachineCode("IADD3", 0x210)), sum);
  check_lanes(kInteger, MachineCode("UIADD3", 0x1290), sum);
  MachineCode two = without_results(MachineCode("IADD3", 0x210));
  two.source(2).index = sass::kZeroRegister;
  check_lanes(kInteger, two, sum);
}

TEST(MachineIntegers, Iadd3NegatesByTheComplementPlusOne) {
  for (int k = 0; k < 3; ++k) {
    MachineCode code("IADD3", 0x210);
    code.source(k).negated = true;
    const auto sum = [k](LaneValues& l) {
      U64 exact = 0;
      for (int n = 0; n < 3; ++n) {
        const U64 x = l.in[static_cast<std::size_t>(n)];
        exact += n == k ? word(~x) + 1 : x;
      }
      l.out = word(exact);
      l.out_predicate = {exact >> 32 >= 1, exact >> 32 >= 2};
    };
    check_lanes(kInteger, code, sum);
    check_lanes(kInteger, without_results(code), sum);
  }
}

TEST(MachineIntegers, Iadd3xInvertsAndAddsTwoCarries) {
  for (int k = 0; k < 3; ++k) {
    MachineCode code("IADD3.X", 0x210);
    code.source(k).inverted = true;
    check_lanes(kInteger, code, [k](LaneValues& l) {
      U64 exact = U64{l.in_predicate[0]} + l.in_predicate[1];
      for (int n = 0; n < 3; ++n) {
        const U64 x = l.in[static_cast<std::size_t>(n)];
        exact += n == k ? word(~x) : x;
      }
      l.out = word(exact);
      l.out_predicate = {exact >> 32 >= 1, exact >> 32 >= 2};
    });
  }
}

TEST(MachineIntegers, ImadMultipliesAndAdds) {
  const auto sum = [](LaneValues& l) { l.out = word(l.in[0] * l.in[1] + l.in[2]); };
  check_lanes(kInteger, MachineCode("IMAD", 0x224), sum);
  check_lanes(kInteger, MachineCode("UIMAD", 0x12a4), sum);
  MachineCode negated("IMAD", 0x224);
  negated.source(2).negated = true;
  check_lanes(kInteger, negated, [](LaneValues& l) { l.out = word(l.in[0] * l.in[1] - l.in[2]); });
  MachineCode product("IMAD", 0x224);
  product.source(2).index = sass::kZeroRegister;
  check_lanes(kInteger, product, sum);
  check_lanes(kInteger, MachineCode("IMAD.SHL", 0x824).immediate(1, 64), sum);
  check_lanes(kInteger, MachineCode("IMAD.IADD", 0x824).immediate(1, 1), sum);
  MachineCode move("IMAD.MOV", 0x224);
  move.source(0).index = move.source(1).index = sass::kZeroRegister;
  check_lanes(kInteger, move, sum);
  for (const bool inverted : {false, true}) {
    MachineCode extended = MachineCode("IMAD", 0x224);
    for (const sass::EncodingForm& form : sass::all_forms())
      if (form.name == "IMAD" && form.code == 0x224 && form.modifiers.size() == 2) {
        extended.instruction.form = &form;
        extended.instruction.operands[4].kind = sass::OperandKind::predicate;
        extended.instruction.operands[4].index = 2;
      }
    extended.flag("X").source(2).inverted = inverted;
    check_lanes(kInteger, extended, [inverted](LaneValues& l) {
      l.out = word(l.in[0] * l.in[1] + (inverted ? ~l.in[2] : l.in[2]) + l.in_predicate[0]);
    });
  }
}

// The carry of a product and a pair, and the sum's upper words with .HI.
void check_wide(std::string_view name, int code, bool is_signed) {
  const bool high = name.ends_with("HI");
  for (const bool negated : {false, true}) {
    MachineCode form(name, code);
    if (is_signed) form.set(Int32::S32_);
    form.source(2).negated = negated;
    check_lanes(kInteger, form, [=](LaneValues& l) {
      const U64 product = is_signed ? static_cast<U64>(signed_word(l.in[0]) * signed_word(l.in[1]))
                                    : l.in[0] * l.in[1];
      const U128 sum = U128{product} + (negated ? U128{~l.in[2]} + 1 : U128{l.in[2]});
      l.out = high ? static_cast<U64>(sum) >> 32 : static_cast<U64>(sum);
      l.out_predicate[0] = sum >> 64 != 0;
    });
  }
  MachineCode product(name, code);
  product.source(2).index =
      name.starts_with('U') ? sass::kZeroUniformRegister : sass::kZeroRegister;
  check_lanes(kInteger, product, [high](LaneValues& l) {
    l.out = high ? l.in[0] * l.in[1] >> 32 : l.in[0] * l.in[1];
  });
}
TEST(MachineIntegers, ImadWideAndHiAreExactIn64Bits) {
  check_wide("IMAD.WIDE", 0x225, false);
  check_wide("IMAD.WIDE", 0x225, true);
  check_wide("UIMAD.WIDE", 0x12a5, false);
  check_wide("IMAD.HI", 0x227, false);
  check_wide("IMAD.HI", 0x227, true);
}

// a << shift, or the upper word of high:a << shift.
U64 shifted(U64 a, U64 high, int shift, bool upper) {
  const U64 pair = high << 32 | a;
  return upper ? word((U128{pair} << shift) >> 32) : word(a << shift);
}
TEST(MachineIntegers, LeaAddsAShiftedWord) {
  for (const int shift : {0, 1, 5, 31}) {
    for (const int negated : {-1, 0, 1}) {
      for (const std::string_view name : {"LEA", "LEA.HI", "LEA.HI.SX32"}) {
        const bool high = name != "LEA", sign = name.ends_with("SX32");
        MachineCode code(name, 0x211);
        code.immediate(high && !sign ? 3 : 2, shift);
        if (negated >= 0) code.source(negated).negated = true;
        const auto expected = [=](LaneValues& l) {
          const U64 upper = sign ? word(static_cast<U64>(signed_word(l.in[0]) >> 31)) : l.in[2];
          const U64 a = shifted(l.in[0], upper, shift, high);
          const U64 sum =
              (negated == 0 ? word(~a) + 1 : a) + (negated == 1 ? word(~l.in[1]) + 1 : l.in[1]);
          l.out = word(sum);
          l.out_predicate[0] = sum >> 32 != 0;
        };
        check_lanes(kInteger, code, expected);
        check_lanes(kInteger, without_results(code), expected);
      }
    }
  }
  check_lanes(kInteger, MachineCode("ULEA", 0x1291).immediate(2, 4), [](LaneValues& l) {
    const U64 sum = word(l.in[0] << 4) + l.in[1];
    l.out = word(sum);
    l.out_predicate[0] = sum >> 32 != 0;
  });
}
TEST(MachineIntegers, LeaxAddsACarry) {
  for (const std::string_view name : {"LEA.X", "LEA.HI.X", "LEA.HI.X.SX32"}) {
    const bool high = name != "LEA.X", sign = name.ends_with("SX32");
    for (const bool inverted : {false, true}) {
      MachineCode code(name, 0x211);
      code.immediate(high && !sign ? 3 : 2, 3).source(0).inverted = inverted;
      check_lanes(kInteger, code, [=](LaneValues& l) {
        const U64 upper = sign ? word(static_cast<U64>(signed_word(l.in[0]) >> 31)) : l.in[2];
        const U64 a = shifted(l.in[0], upper, 3, high);
        const U64 sum = (inverted ? word(~a) : a) + l.in[1] + l.in_predicate[0];
        l.out = word(sum);
        l.out_predicate[0] = sum >> 32 != 0;
      });
    }
  }
}

TEST(MachineIntegers, MinimumWhereThePredicateHoldsElseMaximum) {
  for (const std::string_view name : {"IMNMX", "VIMNMX"}) {
    check_lanes(kInteger, MachineCode(name), [](LaneValues& l) {
      l.out = l.in_predicate[0] ? std::min(l.in[0], l.in[1]) : std::max(l.in[0], l.in[1]);
    });
    check_lanes(kInteger, MachineCode(name).set(Int32::S32_), [](LaneValues& l) {
      const S64 a = signed_word(l.in[0]), b = signed_word(l.in[1]);
      l.out = word(static_cast<U64>(l.in_predicate[0] ? std::min(a, b) : std::max(a, b)));
    });
  }
  check_lanes(kInteger, MachineCode("VIMNMX").set(Int32::S32_).flag("RELU"), [](LaneValues& l) {
    const S64 a = signed_word(l.in[0]), b = signed_word(l.in[1]);
    l.out = static_cast<U64>(std::max(S64{0}, l.in_predicate[0] ? std::min(a, b) : std::max(a, b)));
  });
  check_lanes(kInteger, MachineCode("VIMNMX3", 0x20f).set(Int32::S32_), [](LaneValues& l) {
    const S64 a = signed_word(l.in[0]), b = signed_word(l.in[1]), c = signed_word(l.in[2]);
    l.out = word(static_cast<U64>(l.in_predicate[0] ? std::min({a, b, c}) : std::max({a, b, c})));
  });
  MachineCode difference("VIADDMNMX");
  difference.set(Int32::S32_).source(1).negated = true;
  check_lanes(kInteger, difference, [](LaneValues& l) {
    const S64 a = signed_word(l.in[0] - l.in[1]), b = signed_word(l.in[2]);
    l.out = word(static_cast<U64>(l.in_predicate[0] ? std::min(a, b) : std::max(a, b)));
  });
}

TEST(MachineIntegers, ViaddAddsWordsOrHalves) {
  MachineCode difference("VIADD");
  difference.source(1).negated = true;
  check_lanes(kInteger, difference, [](LaneValues& l) { l.out = word(l.in[0] - l.in[1]); });
  check_lanes(kInteger, MachineCode("VIADD").set(sass::Packed::n16x2), [](LaneValues& l) {
    l.out = ((l.in[0] + l.in[1]) & 0xffff) | word((l.in[0] >> 16) + (l.in[1] >> 16)) << 16;
    l.out = word(l.out);
  });
}

TEST(MachineIntegers, AbsoluteValuesAndDifferences) {
  check_lanes(kInteger, MachineCode("IABS"), [](LaneValues& l) {
    l.out = word(static_cast<U64>(std::abs(signed_word(l.in[0]))));
  });
  check_lanes(kInteger, without_results(MachineCode("VABSDIFF")), [](LaneValues& l) {
    l.out = word(std::max(l.in[0], l.in[1]) - std::min(l.in[0], l.in[1]) + l.in[2]);
  });
  check_lanes(kInteger, without_results(MachineCode("VABSDIFF")).set(Int32::S32_),
              [](LaneValues& l) {
                const S64 d = signed_word(l.in[0]) - signed_word(l.in[1]);
                l.out = word(static_cast<U64>(std::abs(d)) + l.in[2]);
              });
}

S64 part(U64 x, int n, int bits, bool is_signed) {
  const U64 v = x >> (n * bits) & ((U64{1} << bits) - 1);
  return static_cast<S64>(v) - (is_signed && v >> (bits - 1) ? S64{1} << bits : 0);
}
TEST(MachineIntegers, DotProductsOfBytesAndHalves) {
  for (const int signs : {0, 1, 2, 3}) {
    const bool a = signs & 1, b = signs & 2;
    check_lanes(kInteger, MachineCode("IDP.4A").set(sass::Byte8{a}, 0).set(sass::Byte8{b}, 1),
                [=](LaneValues& l) {
                  S64 sum = static_cast<S64>(l.in[2]);
                  for (int n = 0; n < 4; ++n)
                    sum += part(l.in[0], n, 8, a) * part(l.in[1], n, 8, b);
                  l.out = word(static_cast<U64>(sum));
                });
    for (const int first : {0, 2})
      check_lanes(
          kInteger,
          MachineCode(first ? "IDP.2A.HI" : "IDP.2A.LO").set(sass::Half16{a}).set(sass::Byte8{b}),
          [=](LaneValues& l) {
            S64 sum = static_cast<S64>(l.in[2]);
            for (int n = 0; n < 2; ++n)
              sum += part(l.in[0], n, 16, a) * part(l.in[1], first + n, 8, b);
            l.out = word(static_cast<U64>(sum));
          });
  }
}

TEST(MachineIntegers, WhatIsNotDocumentedIsRefused) {
  DecodedInstruction r;
  EXPECT_EQ(kInteger(MachineCode("VABSDIFF").instruction, r), nullptr);
  EXPECT_EQ(kInteger(MachineCode("VIMNMX").flag("RELU").instruction, r), nullptr);
}

}  // namespace
}  // namespace heddle::exec::machine_test
