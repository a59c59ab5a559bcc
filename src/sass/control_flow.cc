#include "sass/control_flow.h"

#include <span>
#include <utility>

#include "ptx/flow/cfg.h"
#include "ptx/flow/loops.h"
#include "sass/encoding/form.h"
#include "sass/operand_use.h"

namespace heddle::sass {
namespace {

bool is_one_of(Opcode opcode, std::initializer_list<Opcode> list) {
  for (const Opcode one : list)
    if (one == opcode) return true;
  return false;
}

bool always_executes(const Instruction& i) {
  if (i.guard.predicate != kTruePredicate || i.guard.negated) return false;
  for (std::size_t k = 0; k < i.form->operands.size(); ++k)
    if (i.operands[k].kind == OperandKind::predicate &&
        (i.operands[k].index != kTruePredicate || i.operands[k].negated))
      return false;
  return true;
}

// The attribute lists, for each BRX, its offset, the number of targets and their offsets, behind
// words that are not known. Targets of all are taken for each.
std::vector<Pc> indirect_targets(std::span<const std::uint32_t> words, std::size_t count) {
  std::vector<Pc> targets;
  for (const std::uint32_t word : words)
    if (word % kInstructionBytes == 0 && word / kInstructionBytes < count && word != 0)
      targets.push_back(static_cast<Pc>(word / kInstructionBytes));
  return targets;
}

ptx::FlowStep step_of(const KernelInstruction& i, Pc first, const std::vector<Pc>& indirect) {
  ptx::FlowStep step;
  if (!i.code.form) return step;
  const Opcode o = i.code.opcode;
  step.exits = is_one_of(o, {Opcode::EXIT, Opcode::RET});
  step.ends_block = step.exits || is_one_of(o, {Opcode::BRA, Opcode::BRX, Opcode::CALL});
  step.falls_through = !step.ends_block || o == Opcode::CALL || !always_executes(i.code);
  if ((o == Opcode::BRA || o == Opcode::CALL) && i.target != kNoPc)
    step.targets = {i.target - first};
  if (o == Opcode::BRX) step.targets = indirect;
  step.converges = is_one_of(o, {Opcode::BAR, Opcode::SHFL, Opcode::VOTE, Opcode::MATCH,
                                 Opcode::REDUX, Opcode::WARPSYNC, Opcode::LDSM, Opcode::CALL}) ||
                   warp_product_of(i.code);
  return step;
}

void mark_segment(Kernel& kernel, const CodeSegment& segment, const std::vector<Pc>& indirect) {
  std::vector<ptx::FlowStep> steps;
  for (Pc n = 0; n < segment.count; ++n)
    steps.push_back(step_of(kernel.code[segment.first + n], segment.first, indirect));
  const ptx::Cfg cfg = ptx::build_cfg(steps);
  ptx::LoopForest forest = ptx::find_loops(cfg);
  const auto first_loop = kernel.loops.size();
  for (Pc n = 0; n < segment.count; ++n) {
    KernelInstruction& i = kernel.code[segment.first + n];
    const std::uint32_t block = cfg.block_of[n];
    const std::uint16_t loop = forest.innermost[block];
    if (loop != isa::Loop::kNone && first_loop + loop < isa::Loop::kNone) {
      i.loop = static_cast<std::uint16_t>(first_loop + loop);
      i.loop_header = forest.loops[loop].header == n;
    }
    const std::uint32_t meet = cfg.postdominator[block];
    if (i.op_class == isa::OpClass::branch && meet != ptx::Cfg::kNone)
      i.reconvergence = segment.first + cfg.blocks[meet].first;
  }
  for (isa::Loop& loop : forest.loops) {
    loop.header += segment.first;
    if (loop.parent != isa::Loop::kNone)
      loop.parent = static_cast<std::uint16_t>(loop.parent + first_loop);
    for (Pc& pc : loop.back_edges) pc += segment.first;
    for (auto& [first, end] : loop.ranges) first += segment.first, end += segment.first;
    kernel.loops.push_back(std::move(loop));
  }
}

}  // namespace

void mark_control_flow(Kernel& kernel, const std::vector<std::uint32_t>& indirect_branches) {
  for (std::size_t n = 0; n < kernel.segments.size(); ++n) {
    if (kernel.segments[n].count == 0 || kernel.segments[n].first >= kernel.first_system_call)
      continue;
    mark_segment(
        kernel, kernel.segments[n],
        n == 0 ? indirect_targets(indirect_branches, kernel.segments[n].count) : std::vector<Pc>());
  }
}

}  // namespace heddle::sass
