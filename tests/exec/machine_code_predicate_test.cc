#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

using sass::Combine;
using sass::Compare;

constexpr MachineHandler kPredicate = predicate_handler;

bool holds(Compare op, S64 a, S64 b) {
  switch (op) {
    case Compare::F: return false;
    case Compare::LT: return a < b;
    case Compare::EQ: return a == b;
    case Compare::LE: return a <= b;
    case Compare::GT: return a > b;
    case Compare::NE: return a != b;
    case Compare::GE: return a >= b;
    case Compare::T: return true;
  }
  return false;
}
bool combined(Combine how, bool a, bool b) {
  return how == Combine::AND ? a && b : how == Combine::OR ? a || b : a != b;
}
// Small numbers are often equal.
U64 near_zero(int k, std::mt19937_64& random) {
  return random() % 2 ? any_integer(k, random) : random() % 3 - 1;
}

TEST(MachinePredicates, IsetpComparesAndCombines) {
  for (int n = 0; n < 48; ++n) {
    const auto op = static_cast<Compare>(n & 7);
    const bool is_signed = n & 8;
    const auto how = static_cast<Combine>(n >> 4);
    for (const std::string_view name : {"ISETP", "UISETP"}) {
      MachineCode code(name);
      code.set(op).set(static_cast<sass::Int32>(is_signed)).set(how);
      if (name == "UISETP") code.predicate(false, 0).index = sass::kTruePredicate;
      check_lanes(
          kPredicate, code,
          [=](LaneValues& l) {
            const auto number = [=](U64 x) {
              return is_signed ? S64{static_cast<std::int32_t>(x)} : static_cast<S64>(x);
            };
            const bool is = holds(op, number(l.in[0]), number(l.in[1]));
            l.out_predicate = {combined(how, is, l.in_predicate[0]),
                               combined(how, !is, l.in_predicate[0])};
          },
          near_zero);
    }
  }
}

MachineCode extended(Compare op) {
  for (const sass::EncodingForm& form : sass::all_forms())
    if (form.name == "ISETP" && form.code == 0x20c && form.modifiers.size() == 4 &&
        form.first_architecture >= 80) {
      MachineCode code("ISETP", 0x20c);
      code.instruction.form = &form;
      for (std::size_t n = 0; n < form.operands.size(); ++n)
        code.instruction.operands[n].kind = form.operands[n].kind;
      code.instruction.operands[5].index = 3;
      return code.set(op).set(sass::Int32::S32_).flag("EX");
    }
  throw std::logic_error("no ISETP.EX");
}
TEST(MachinePredicates, ExDecidesByTheLowerWordsWhereTheUpperAreEqual) {
  for (const Compare op :
       {Compare::LT, Compare::EQ, Compare::LE, Compare::GT, Compare::NE, Compare::GE})
    check_lanes(
        kPredicate, extended(op),
        [op](LaneValues& l) {
          const auto a = static_cast<std::int32_t>(l.in[0]), b = static_cast<std::int32_t>(l.in[1]);
          const bool is = a == b ? l.in_predicate[1] : holds(op, a, b);
          l.out_predicate = {is && l.in_predicate[0], !is && l.in_predicate[0]};
        },
        near_zero);
}

TEST(MachinePredicates, Plop3LooksUpTwoTables) {
  for (int table = 0; table < 256; ++table)
    check_lanes(kPredicate, MachineCode("PLOP3.LUT").immediate(0, table).immediate(1, 255 - table),
                [table](LaneValues& l) {
                  const int at =
                      l.in_predicate[0] << 2 | l.in_predicate[1] << 1 | l.in_predicate[2];
                  l.out_predicate = {(table >> at & 1) != 0, (table >> at & 1) == 0};
                });
}

TEST(MachinePredicates, MoveToAByteOfARegisterAndBack) {
  MachineBench bench;
  DecodedInstruction r;
  const MachineCode store = MachineCode("P2R", 0x803).set(sass::Byte::B2).immediate(1, 0x4d);
  r = bench.bind(store.instruction);
  for (int p = 0; p < 7; ++p) bench.predicate(p) = 0x01010101u << p;
  const auto rows = store.instruction.operands;
  for (int l = 0; l < kWarpSize; ++l) bench.word(rows[2].index, l) = 0x11223344;
  kPredicate(store.instruction, r)(bench.warp, r, ~0u);
  for (int l = 0; l < kWarpSize; ++l)
    EXPECT_EQ(bench.word(rows[0].index, l),
              0x11003344u | (l % 8 < 7 ? (1u << (l % 8) & 0x4d) << 16 : 0));

  const MachineCode load = MachineCode("R2P", 0x204).set(sass::Byte::B1);
  r = bench.bind(load.instruction);
  for (int l = 0; l < kWarpSize; ++l) {
    bench.word(load.instruction.operands[1].index, l) = static_cast<std::uint32_t>(l) << 8;
    bench.word(load.instruction.operands[2].index, l) = 0x06;
  }
  for (int p = 0; p < 7; ++p) bench.predicate(p) = 0xffff0000;
  kPredicate(load.instruction, r)(bench.warp, r, 0x0000ffff);
  EXPECT_EQ(bench.predicate(0), 0xffff0000);
  EXPECT_EQ(bench.predicate(1), 0xffffccccu);
  EXPECT_EQ(bench.predicate(2), 0xfffff0f0u);
  EXPECT_EQ(bench.predicate(3), 0xffff0000);
}

}  // namespace
}  // namespace heddle::exec::machine_test
