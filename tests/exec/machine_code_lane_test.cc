#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {
namespace {

constexpr MachineHandler kLane = lane_handler;

// An instruction with the values of its first source, for the lanes of a mask.
struct Exchange {
  MachineBench bench;
  MachineCode code;
  explicit Exchange(MachineCode of) : code(std::move(of)) {}
  void run(U32 mask, const std::function<U32(int)>& value) {
    DecodedInstruction r = bench.bind(code.instruction);
    for (int l = 0; l < kWarpSize; ++l)
      reinterpret_cast<U32*>(bench.warp.bases[0] + r.src[0].offset)[l] = value(l);
    kLane(code.instruction, r)(bench.warp, r, mask);
    to = r.dst[0], predicate = r.dst_predicate[0];
  }
  U32 result(int lane) { return reinterpret_cast<U32*>(bench.warp.bases[0] + to)[lane]; }
  U32 predicate_result() { return bench.warp.predicates[predicate]; }
  U32 to = 0;
  std::uint16_t predicate = 0;
};

TEST(MachineLanes, ShuffleReadsOtherLanesInItsSegment) {
  Exchange down{MachineCode("SHFL", 0xf89)
                    .set(sass::Shuffle::DOWN)
                    .immediate(1, 3)
                    .immediate(2, 0x181f)};  // segments of eight lanes
  down.run(~0u, [](int l) { return static_cast<U32>(100 + l); });
  for (int l = 0; l < kWarpSize; ++l) {
    const bool inside = l % 8 + 3 < 8;
    EXPECT_EQ(down.result(l), static_cast<U32>(100 + (inside ? l + 3 : l)));
    EXPECT_EQ(down.predicate_result() >> l & 1, U32{inside});
  }
  Exchange butterfly{
      MachineCode("SHFL", 0xf89).set(sass::Shuffle::BFLY).immediate(1, 5).immediate(2, 0x1f)};
  butterfly.run(~0u, [](int l) { return static_cast<U32>(l); });
  for (int l = 0; l < kWarpSize; ++l) EXPECT_EQ(butterfly.result(l), static_cast<U32>(l ^ 5));
}

TEST(MachineLanes, VoteGivesTheBallotOfActiveLanes) {
  Exchange vote{MachineCode("VOTE").set(sass::Vote::ALL)};
  const int source = vote.code.predicate(false, 0).index;
  vote.bench.predicate(source) = 0xff;
  DecodedInstruction r = vote.bench.bind(vote.code.instruction);
  kLane(vote.code.instruction, r)(vote.bench.warp, r, 0x0f);
  EXPECT_EQ(vote.bench.word(vote.code.instruction.operands[0].index, 3), 0x0fu);
  EXPECT_EQ(vote.bench.warp.predicates[r.dst_predicate[0]], 0x0fu);
  kLane(vote.code.instruction, r)(vote.bench.warp, r, 0x1ff);
  EXPECT_EQ(vote.bench.word(vote.code.instruction.operands[0].index, 3), 0xffu);
  EXPECT_EQ(vote.bench.warp.predicates[r.dst_predicate[0]], 0u);

  Exchange uniform{MachineCode("VOTEU").set(sass::Vote::EQ)};
  const int of = uniform.code.predicate(false, 0).index;
  uniform.bench.predicate(of) = 0xf0;
  r = uniform.bench.bind(uniform.code.instruction);
  kLane(uniform.code.instruction, r)(uniform.bench.warp, r, 0x0f);
  EXPECT_EQ(uniform.bench.warp.predicates[r.dst_predicate[0]], ~0u);
  EXPECT_EQ(uniform.bench.word(MachineBench::kUniform + 1, 31), 0u);
}

TEST(MachineLanes, MatchFindsEqualValues) {
  Exchange any{MachineCode("MATCH").set(sass::Match::ANY)};
  any.code.instruction.form = MachineCode("MATCH").instruction.form;
  any.run(0x0000ffff, [](int l) { return static_cast<U32>(l % 4); });
  for (int l = 0; l < 16; ++l) EXPECT_EQ(any.result(l), 0x1111u << (l % 4));

  const sass::EncodingForm* all_form = nullptr;
  for (const sass::EncodingForm& form : sass::all_forms())
    if (form.name == "MATCH" && form.operands[0].kind == sass::OperandKind::predicate)
      all_form = &form;
  ASSERT_NE(all_form, nullptr);
  MachineCode code("MATCH");
  code.instruction.form = all_form;
  for (std::size_t n = 0; n < 3; ++n)
    code.instruction.operands[n].kind = all_form->operands[n].kind,
    code.instruction.operands[n].index = static_cast<std::uint8_t>(20 * n + 1);
  Exchange all{code.set(sass::Match::ALL)};
  all.run(0xff, [](int) { return 7u; });
  EXPECT_EQ(all.result(5), 0xffu);
  EXPECT_EQ(all.predicate_result(), 0xffu);
  all.run(0xff, [](int l) { return l == 3 ? 6u : 7u; });
  EXPECT_EQ(all.result(5), 0u);
  EXPECT_EQ(all.predicate_result(), 0u);
}

TEST(MachineLanes, ReduxReducesActiveLanesIntoAUniformRegister) {
  using enum sass::WarpReduction;
  const auto reduced = [](sass::WarpReduction how, bool is_signed) {
    MachineCode code = MachineCode("REDUX").set(how);
    if (is_signed) code.flag("S32");
    Exchange redux{code};
    redux.run(0xf0, [](int l) { return static_cast<U32>(l - 5); });  // -1, 0, 1, 2
    return redux.result(31);
  };
  EXPECT_EQ(reduced(AND_, false), 0u);
  EXPECT_EQ(reduced(OR, false), ~0u);
  EXPECT_EQ(reduced(XOR, false), ~0u ^ 3u);
  EXPECT_EQ(reduced(SUM, false), 2u);
  EXPECT_EQ(reduced(MIN, false), 0u);
  EXPECT_EQ(reduced(MIN, true), ~0u);
  EXPECT_EQ(reduced(MAX, false), ~0u);
  EXPECT_EQ(reduced(MAX, true), 2u);
}

}  // namespace
}  // namespace heddle::exec::machine_test
