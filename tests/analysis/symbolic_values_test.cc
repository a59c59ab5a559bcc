#include "analysis/symbolic_values.h"

#include <gtest/gtest.h>

#include "tests/analysis/forms_of_two.h"
#include "tests/analysis/kernels.h"

namespace heddle::analysis {
namespace {

constexpr std::int64_t k4G = std::int64_t{1} << 32;

// Values over the variables of FormsOfTwo.
struct SymbolicValuesTest : testing::Test, FormsOfTwo {
  ptx::Kernel kernel = kernel_of("");
  LaunchShape shape = shape_of(kernel, {1, 1, 1}, {1, 1, 1});
  SymbolicValues values{kernel, shape, forms};
  ConditionId low = at_most(x, 9), high = at_least(x, 10), data = forms.unknown(0);

  Form canonical(const Form& form, std::uint32_t bits, bool is_signed,
                 ConditionId path = Forms::kAlways) {
    return values.canonical(form, bits, is_signed, path);
  }
  const Value& merged(const std::vector<std::pair<ConditionId, ValueId>>& paths) {
    return values.value(values.merge(paths));
  }
};

TEST_F(SymbolicValuesTest, AFormInTheRangeOfItsTypeIsCanonical) {
  EXPECT_EQ(canonical(x, 32, false), x);
  EXPECT_EQ(canonical(x - Form{50}, 32, true), x - Form{50});
  EXPECT_EQ(canonical(x + Form{k4G}, 32, false), x);
  EXPECT_EQ(canonical(x - Form{k4G}, 32, true), x);
  EXPECT_EQ(canonical(x + Form{k4G / 2}, 32, true), x - Form{k4G / 2});
}

TEST_F(SymbolicValuesTest, ARangeThatWrapsHasAQuotient) {
  const Form wraps = canonical(x - Form{50}, 32, false);
  EXPECT_EQ(at(wraps, 49), k4G - 1);
  EXPECT_EQ(at(wraps, 50), 0);
  const Form narrow = canonical(x * 4, 8, true);
  EXPECT_EQ(at(narrow, 31), 124);
  EXPECT_EQ(at(narrow, 32), -128);
  EXPECT_EQ(at(narrow, 64), 0);
}

TEST_F(SymbolicValuesTest, APathMayExcludeTheWrap) {
  EXPECT_EQ(canonical(x - Form{1}, 32, false, at_least(x, 1)), x - Form{1});
  EXPECT_FALSE(canonical(x - Form{1}, 32, false, at_least(y, 1)) == x - Form{1});
}

TEST_F(SymbolicValuesTest, SixtyFourBitsDoNotWrap) {
  EXPECT_EQ(canonical(x - Form{50}, 64, false), x - Form{50});
}

TEST_F(SymbolicValuesTest, EqualValuesOfTwoPathsAreOneValue) {
  EXPECT_EQ(merged({{low, values.add(x)}, {high, values.add(x)}}).form, x);
  const ValueId unknown = values.add_opaque("this");
  EXPECT_EQ(values.merge({{low, unknown}, {high, unknown}}), unknown);
}

TEST_F(SymbolicValuesTest, DifferentFormsAreAChoice) {
  const Form chosen = merged({{low, values.add(x)}, {high, values.add(Form{7})}}).form;
  EXPECT_EQ(at(chosen, 9), 9);
  EXPECT_EQ(at(chosen, 10), 7);
}

TEST_F(SymbolicValuesTest, OfThreePathsTwoWithOneValueAreJoined) {
  const ConditionId highest = at_least(x, 50);
  const Form chosen = merged({{low, values.add(y)},
                              {forms.all_of({high, forms.negate(highest)}), values.add(Form{7})},
                              {highest, values.add(y)}})
                          .form;
  EXPECT_EQ(at(chosen, 5, 3), 3);
  EXPECT_EQ(at(chosen, 20, 3), 7);
  EXPECT_EQ(at(chosen, 60, 3), 3);
}

TEST_F(SymbolicValuesTest, ConditionsOfTwoPathsAreOneCondition) {
  const auto predicate = [&](ConditionId id) {
    Value value;
    value.kind = Value::Kind::condition;
    value.condition = id;
    return values.add(value);
  };
  const ConditionId few = at_most(y, 3), many = at_least(y, 7);
  EXPECT_EQ(merged({{low, predicate(few)}, {high, predicate(many)}}).condition,
            forms.any_of({forms.all_of({low, few}), forms.all_of({high, many})}));
}

TEST_F(SymbolicValuesTest, AnUnknownValueOfOnePathIsUnknownBehindTheJoin) {
  const Value& value = merged({{low, values.add(x)}, {high, values.add_opaque("that load")}});
  EXPECT_EQ(value.kind, Value::Kind::opaque);
  EXPECT_EQ(values.reason(value.reason).text, "that load");
}

TEST_F(SymbolicValuesTest, ABranchOnDataHidesWhichValueIsTaken) {
  const Value& value = merged({{data, values.add(x)}, {forms.negate(data), values.add(Form{7})}});
  EXPECT_EQ(value.kind, Value::Kind::opaque);
  EXPECT_EQ(values.reason(value.reason).text,
            "a branch decides about it: the register is not set on every path");
}

TEST_F(SymbolicValuesTest, UnknownConditionsDifferFromEachOther) {
  EXPECT_NE(values.add_unknown(0), values.add_unknown(0));
}

TEST(SpecialRegisters, AreIndicesAndNumbersOfTheLaunch) {
  const auto index = [](const std::string& name) {
    return form_of("mov.u32 %r10, %" + name + ";\n" + load_at("%rd1", "%r10"), {4, 3, 2},
                   {8, 2, 4});
  };
  EXPECT_EQ(index("tid.z"), "a + 4*tidz");
  EXPECT_EQ(index("ctaid.z"), "a + 4*bidz");
  EXPECT_EQ(index("ntid.x"), "a + 32");
  EXPECT_EQ(index("ntid.y"), "a + 8");
  EXPECT_EQ(index("ntid.z"), "a + 16");
  EXPECT_EQ(index("nctaid.x"), "a + 16");
  EXPECT_EQ(index("nctaid.y"), "a + 12");
  EXPECT_EQ(index("nctaid.z"), "a + 8");
  EXPECT_EQ(index("smid"),
            "not affine: its address depends on a special register that the launch does not "
            "decide");
}

TEST(SpecialRegisters, AnIndexWithOneValueIsZero) {
  EXPECT_EQ(form_of(load_at("%rd1", "%r2"), {4, 1, 1}, {8, 1, 1}), "a");
}

TEST(SpecialRegisters, TheLaneIsTheRemainderOfTheLinearThread) {
  // 8 * 4 threads are a warp: the lane is tidx + 8 * tidy, whatever tidz is.
  EXPECT_EQ(form_of("mov.u32 %r10, %laneid;\n" + load_at("%rd1", "%r10"), {1, 1, 1}, {8, 4, 2}),
            "a + 4*(tidx + 8*tidy)");
}

// The address that a kernel with a parameter of this type loads from, or why it is not known.
std::string address_of(const std::string& type, std::vector<std::uint8_t> bytes,
                       const std::string& load) {
  const ptx::Kernel kernel = ptx::lower_text(ptx::kHeader + ".visible .entry k(.param " + type +
                                             " p) {" + ptx::kRegisters + load + "\nret;\n}\n");
  bytes.resize(kernel.parameter_bytes);
  const LaunchShape shape{{1, 1, 1}, {1, 1, 1}, bytes};
  const SymbolicKernel symbolic = evaluate_symbolically(kernel, shape);
  const SymbolicAccess& access = symbolic.accesses.at(0);
  if (!access.affine) return access.reason;
  return form_text(symbolic.forms, access.address) + " = " +
         std::to_string(access.address.constant.value);
}
const std::string kExtend = "; cvt.s64.s32 %rd1, %r1; ld.global.f32 %f1, [%rd1];";

TEST(Parameters, HaveTheirNameAndTheirValue) {
  EXPECT_EQ(address_of(".u32", {7, 1}, "ld.param.u32 %r1, [p]" + kExtend), "p = 263");
  EXPECT_EQ(address_of(".s32", {0xff, 0xff, 0xff, 0xff}, "ld.param.s32 %r1, [p]" + kExtend),
            "p = -1");
  EXPECT_EQ(
      address_of(".u64", {0, 0, 0, 0, 1}, "ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1];"),
      "p = 4294967296");
}

TEST(Parameters, OfFewerThan32BitsAreExtendedByTheirSign) {
  EXPECT_EQ(address_of(".u8", {0xff}, "ld.param.s8 %r1, [p]" + kExtend), "p = -1");
  EXPECT_EQ(address_of(".u8", {0xff}, "ld.param.u8 %r1, [p]" + kExtend), "p = 255");
  EXPECT_EQ(address_of(".u16", {0xfe, 0xff}, "ld.param.s16 %r1, [p]" + kExtend), "p = -2");
  EXPECT_EQ(address_of(".u16", {0xfe, 0xff}, "ld.param.u16 %r1, [p]" + kExtend), "p = 65534");
}

TEST(Parameters, AreNotAffineWhenTheyAreNoIndexOrAddress) {
  EXPECT_EQ(address_of(".f32", {}, "ld.param.f32 %f1, [p]; mov.b32 %r1, %f1" + kExtend),
            "its address depends on a parameter of floating-point type");
  EXPECT_EQ(address_of(".u64", {0, 0, 0, 0, 0, 0, 0, 0x7f},
                       "ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1];"),
            "its address depends on a parameter of 64 bits that is not an address");
}

TEST(Parameters, APartOfOneHasItsOffset) {
  EXPECT_EQ(address_of(".u64", {0, 0, 0, 0, 9}, "ld.param.u32 %r1, [p+4]" + kExtend), "p+4 = 9");
}

}  // namespace
}  // namespace heddle::analysis
