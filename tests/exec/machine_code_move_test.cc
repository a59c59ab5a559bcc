#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

constexpr MachineHandler kMove = move_handler;

TEST(MachineMoves, MovCopiesAndSelChooses) {
  for (const std::string_view name : {"MOV", "UMOV"})
    check_lanes(kMove, MachineCode(name), [](LaneValues& l) { l.out = l.in[0]; });
  check_lanes(kMove, MachineCode("SEL"),
              [](LaneValues& l) { l.out = l.in_predicate[0] ? l.in[0] : l.in[1]; });
}

TEST(MachineMoves, FselChangesSignsAndKeepsNaNs) {
  MachineCode code("FSEL");
  code.source(0).negated = true;
  code.source(1).absolute = true;
  check_lanes(
      kMove, code,
      [](LaneValues& l) {
        l.out = l.in_predicate[0] ? l.in[0] ^ 0x80000000 : l.in[1] & 0x7fffffff;
      },
      any_float);
  check_lanes(
      kMove, MachineCode("FSEL").flag("FTZ"),
      [](LaneValues& l) {
        l.out = l.in_predicate[0] ? l.in[0] : l.in[1];
        if ((l.out & 0x7f800000) == 0) l.out &= 0x80000000;
      },
      any_float);
}

TEST(MachineMoves, R2urReadsTheLowestLane) {
  MachineBench bench;
  MachineCode code("R2UR", 0x2ca);
  code.predicate(true, 0).index = sass::kTruePredicate;
  DecodedInstruction r = bench.bind(code.instruction);
  const auto& operands = code.instruction.operands;
  for (int l = 0; l < kWarpSize; ++l)
    bench.word(operands[2].index, l) = static_cast<std::uint32_t>(100 + l);
  kMove(code.instruction, r)(bench.warp, r, 0xf0);
  for (int l = 0; l < kWarpSize; ++l)
    EXPECT_EQ(bench.word(MachineBench::kUniform + operands[1].index, l), 104u);
}

TEST(MachineMoves, ThePredicateOfR2urIsOfLanesThatDifferFromTheLowest) {
  MachineBench bench;
  MachineCode code("R2UR", 0x3c2);
  DecodedInstruction r = bench.bind(code.instruction);
  for (int l = 0; l < kWarpSize; ++l) bench.word(code.instruction.operands[2].index, l) = l < 16;
  kMove(code.instruction, r)(bench.warp, r, ~0u);
  EXPECT_EQ(bench.predicate(code.predicate(true, 0).index), 0xffff0000u);
}

}  // namespace
}  // namespace heddle::exec::machine_test
