#include "trace/flow_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ptx/flow/cfg.h"
#include "ptx/flow/loops.h"

namespace heddle::trace {
namespace {

using isa::OpClass;

constexpr std::size_t kMostOpen = 32;

bool branches(OpClass c) {
  return c == OpClass::branch || c == OpClass::call || c == OpClass::return_;
}

bool converges(OpClass c) {
  return c == OpClass::barrier || c == OpClass::shuffle || c == OpClass::tensor ||
         c == OpClass::call;
}

}  // namespace

void FlowTable::begin_warp() {
  begins_ = true;
  open_.clear();
}

void FlowTable::add_edge(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& known = followers_[from];
  if (std::find(known.begin(), known.end(), to) == known.end()) known.push_back(to);
}

// A divergent warp executes one path after the other. What follows a branch is one of its paths;
// the other one begins where the warp jumps later, from an instruction that is no branch.
void FlowTable::add(std::uint32_t number, const CodeTable::Entry& entry, LaneMask executed,
                    std::uint32_t instruction_bytes) {
  if (number >= followers_.size()) followers_.resize(number + 1);
  const bool begins = std::exchange(begins_, false);
  const bool sequential = !begins && entry.address == last_.end;
  if (!begins) {
    if (sequential || (last_.branches && (last_.lanes & executed).any())) {
      add_edge(last_.number, number);
    } else {
      explain_jump(number, entry.address, executed);
    }
  }
  const bool stays = sequential && !(last_.branches && last_.lanes.any());
  last_ = {number, entry.address + instruction_bytes, executed,
           stays ? last_.active | executed : executed, branches(entry.instruction.op_class)};
  if (!last_.branches || executed.none() || (last_.active & ~executed).none()) return;
  if (open_.size() == kMostOpen) open_.erase(open_.begin());
  open_.push_back(last_);
}

void FlowTable::explain_jump(std::uint32_t number, std::uint32_t address, LaneMask executed) {
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Passed& branch) {
    return (address == branch.end && (executed & branch.active & ~branch.lanes).any()) ||
           (executed.any() && (executed & ~branch.lanes).none());
  });
  if (found == open_.rend()) return;
  add_edge(found->number, number);
  open_.erase(std::next(found).base());
}

void FlowTable::mark(TracedKernel& kernel) const {
  // What no warp executed leads nowhere.
  std::vector<ptx::FlowStep> steps(kernel.instructions.size());
  for (ptx::FlowStep& step : steps) {
    step.ends_block = step.exits = true;
    step.falls_through = false;
  }
  for (std::uint32_t number = 0; number < followers_.size(); ++number) {
    const Pc pc = kernel.pcs[number];
    isa::Instruction& i = kernel.instructions[pc];
    ptx::FlowStep& step = steps[pc];
    for (const std::uint32_t follower : followers_[number]) {
      const Pc next = kernel.pcs[follower];
      if (next == pc + 1)
        step.falls_through = true;
      else
        step.targets.push_back(next);
      kernel.text += fmt::format("{}>{} ", pc, next);
    }
    if (i.op_class == OpClass::call && pc + 1 < steps.size()) step.falls_through = true;
    step.exits = i.op_class == OpClass::exit_ || i.op_class == OpClass::return_ ||
                 followers_[number].empty();
    step.ends_block = step.exits || branches(i.op_class) || !step.targets.empty();
    step.converges = converges(i.op_class);
    if ((i.op_class == OpClass::branch || i.op_class == OpClass::call) && step.targets.size() == 1)
      i.target = step.targets.front();
    if (i.op_class == OpClass::return_) step.targets.clear();
  }
  const ptx::Cfg cfg = ptx::build_cfg(steps);
  ptx::LoopForest forest = ptx::find_loops(cfg);
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    isa::Instruction& i = kernel.instructions[pc];
    const std::uint32_t block = cfg.block_of[pc];
    i.loop = forest.innermost[block];
    i.loop_header = i.loop != isa::kNoLoop && forest.loops[i.loop].header == pc;
    const std::uint32_t meet = cfg.postdominator[block];
    if (i.op_class == OpClass::branch && meet != ptx::Cfg::kNone)
      i.reconvergence = cfg.blocks[meet].first;
  }
  kernel.loops = std::move(forest.loops);
}

}  // namespace heddle::trace
