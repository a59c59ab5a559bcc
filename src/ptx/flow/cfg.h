// The control-flow graph of one function, its dominators and post-dominators.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/instruction.h"

namespace heddle::ptx {

struct BasicBlock {
  Pc first = 0, end = 0;                                // half-open range of instructions
  std::vector<std::uint32_t> successors, predecessors;  // each once, in ascending order
  bool exits = false;  // may return, exit or trap: an edge to the end of the function
};

struct Cfg {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<BasicBlock> blocks;        // in program order; block 0 is the entry
  std::vector<std::uint32_t> block_of;   // by instruction
  std::vector<std::uint32_t> dominator;  // immediate; kNone for block 0 and for unreachable blocks
  std::vector<std::uint32_t> postdominator;  // immediate, early exits ignored (cfg.cc); kNone: the
                                             // end of the function
};

// Is the instruction warp-synchronous or a barrier, or a call that may execute one?
bool converges(const Instruction& instruction);

// What the control flow needs to know of an instruction, of whatever kind of code.
struct FlowStep {
  std::vector<Pc> targets;    // of a branch, counted from the first instruction
  bool ends_block = false;    // a branch or an exit
  bool exits = false;         // may return, exit or trap
  bool falls_through = true;  // the next instruction may follow
  bool converges = false;     // see converges()
};
Cfg build_cfg(std::span<const FlowStep> code);

// `code` is one function, with branch targets counted from its first instruction. A guarded ret or
// exit is a branch to the end.
Cfg build_cfg(std::span<const Instruction> code, std::span<const std::vector<Pc>> branch_tables);

}  // namespace heddle::ptx
