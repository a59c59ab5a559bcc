#include "ptx/flow/cfg.h"

#include <algorithm>
#include <utility>

#include "ptx/flow/dominators.h"

namespace heddle::ptx {

namespace {

bool exits_function(const Instruction& i) {
  return i.opcode == Opcode::ret || i.opcode == Opcode::exit || i.opcode == Opcode::trap;
}
bool ends_block(const Instruction& i) {
  return i.opcode == Opcode::bra || i.opcode == Opcode::brx || exits_function(i);
}

FlowStep flow_step(const Instruction& i, std::span<const std::vector<Pc>> tables) {
  FlowStep step;
  step.ends_block = ends_block(i);
  step.exits = exits_function(i);
  step.falls_through = !step.ends_block || i.guard;
  step.converges = converges(i);
  if (i.opcode == Opcode::bra) step.targets = {i.target};
  if (i.opcode == Opcode::brx) step.targets = tables[i.as<BranchTable>().index];
  return step;
}

std::vector<char> block_starts(std::span<const FlowStep> code) {
  std::vector<char> starts(code.size() + 1, 0);
  starts[0] = 1;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    if (code[pc].ends_block) starts[pc + 1] = 1;
    for (const Pc target : code[pc].targets) starts[target] = 1;
  }
  return starts;
}

void connect(Cfg& cfg, std::span<const FlowStep> code) {
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    BasicBlock& block = cfg.blocks[b];
    const FlowStep& last = code[block.end - 1];
    const auto link = [&](Pc target) {
      if (target >= code.size())
        block.exits = true;
      else
        block.successors.push_back(cfg.block_of[target]);
    };
    for (const Pc target : last.targets) link(target);
    if (last.exits) block.exits = true;
    if (last.falls_through) link(block.end);
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                           block.successors.end());
    for (std::uint32_t s : block.successors) cfg.blocks[s].predecessors.push_back(b);
  }
}

// Dominators of the reversed graph, which has one more node: the end of the function. Blocks that
// never reach the end (endless loops) get an edge to it from the last of them, so that their
// branches have a reconvergence point.
void find_postdominators(Cfg& cfg) {
  const auto end = static_cast<std::uint32_t>(cfg.blocks.size());
  Edges backward(end + 1), forward(end + 1);
  const auto add_exit = [&](std::uint32_t b) {
    forward[b].push_back(end), backward[end].push_back(b);
  };
  for (std::uint32_t b = 0; b < end; ++b) {
    forward[b] = cfg.blocks[b].successors;
    backward[b] = cfg.blocks[b].predecessors;
  }
  for (std::uint32_t b = 0; b < end; ++b)
    if (cfg.blocks[b].exits) add_exit(b);
  std::vector<char> reached(end + 1, 0);
  const auto mark = [&](std::uint32_t from) {
    std::vector<std::uint32_t> work{from};
    reached[from] = 1;
    while (!work.empty()) {
      const std::uint32_t b = work.back();
      work.pop_back();
      for (std::uint32_t p : backward[b])
        if (!reached[p]) reached[p] = 1, work.push_back(p);
    }
  };
  mark(end);
  for (std::uint32_t b = end; b-- > 0;) {
    if (reached[b]) continue;
    add_exit(b);
    mark(b);
  }
  cfg.postdominator = immediate_dominators(backward, forward, end);
  cfg.postdominator.resize(end);
  for (std::uint32_t& p : cfg.postdominator)
    if (p == end) p = Cfg::kNone;
}

bool converges(const BasicBlock& block, std::span<const FlowStep> code) {
  const auto steps = code.subspan(block.first, block.end - block.first);
  return std::any_of(steps.begin(), steps.end(), [](const FlowStep& i) { return i.converges; });
}

// Blocks of early exits: without warp-synchronous instructions, and every path leads to an exit of
// the function without a loop.
std::vector<char> early_exit_blocks(const Cfg& cfg, std::span<const FlowStep> code,
                                    const Edges& successors) {
  std::vector<char> early(cfg.blocks.size(), 0);
  for (const std::uint32_t b : postorder(successors, 0)) {
    const BasicBlock& block = cfg.blocks[b];
    early[b] = !converges(block, code) && (!successors[b].empty() || block.exits) &&
               std::all_of(successors[b].begin(), successors[b].end(),
                           [&](std::uint32_t s) { return early[s]; });
  }
  return early;
}

// `exits_early`: blocks whose edges to early exits are ignored. A loop without another exit keeps
// the exits of the blocks with its back edges, or, if it has none there, all of them.
void keep_loop_exits(const Cfg& cfg, const std::vector<char>& early,
                     std::vector<char>& exits_early) {
  const auto count = static_cast<std::uint32_t>(cfg.blocks.size());
  const DominatorTree dominators(cfg.dominator);
  const auto has_back_edge = [&](std::uint32_t b) {
    const auto& next = cfg.blocks[b].successors;
    return std::any_of(next.begin(), next.end(),
                       [&](std::uint32_t s) { return dominators.dominates(s, b); });
  };
  for (const bool all : {false, true}) {
    std::vector<char> ends(count, 0);
    std::vector<std::uint32_t> work;
    const auto add = [&](std::uint32_t b) {
      if (!ends[b]) ends[b] = 1, work.push_back(b);
    };
    for (std::uint32_t b = 0; b < count; ++b)
      if (cfg.blocks[b].exits && !exits_early[b]) add(b);
    while (!work.empty()) {
      const std::uint32_t b = work.back();
      work.pop_back();
      for (const std::uint32_t p : cfg.blocks[b].predecessors)
        if (!exits_early[p] || !early[b]) add(p);
    }
    for (std::uint32_t b = 0; b < count; ++b)
      if (exits_early[b] && !ends[b] && (all || has_back_edge(b))) exits_early[b] = 0;
  }
}

// `cfg` without the edges of these blocks to early exits.
Cfg without_early_exits(const Cfg& cfg, const std::vector<char>& early,
                        const std::vector<char>& exits_early) {
  Cfg remaining = cfg;
  for (BasicBlock& block : remaining.blocks) block.predecessors.clear();
  for (std::uint32_t b = 0; b < remaining.blocks.size(); ++b) {
    BasicBlock& block = remaining.blocks[b];
    if (exits_early[b]) {
      std::erase_if(block.successors, [&](std::uint32_t s) { return early[s]; });
      block.exits = false;
    }
    for (const std::uint32_t s : block.successors) remaining.blocks[s].predecessors.push_back(b);
  }
  find_postdominators(remaining);
  return remaining;
}

// Blocks from which a path leads to a warp-synchronous instruction.
std::vector<char> blocks_before_convergence(const Cfg& cfg, std::span<const FlowStep> code) {
  std::vector<char> before(cfg.blocks.size(), 0);
  std::vector<std::uint32_t> work;
  const auto add = [&](std::uint32_t b) {
    if (!before[b]) before[b] = 1, work.push_back(b);
  };
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (converges(cfg.blocks[b], code)) add(b);
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    for (const std::uint32_t p : cfg.blocks[b].predecessors) add(p);
  }
  return before;
}

// Blocks between one of the branches and its reconvergence point. Outer branches first: a block
// that an earlier walk has marked leads to no other unmarked block before the point of a later one.
std::vector<char> blocks_inside(const Cfg& cfg, std::vector<std::uint32_t> branches) {
  const DominatorTree postdominators(cfg.postdominator);
  std::stable_sort(branches.begin(), branches.end(), [&](std::uint32_t a, std::uint32_t b) {
    return postdominators.depth(a) < postdominators.depth(b);
  });
  std::vector<char> inside(cfg.blocks.size(), 0);
  for (const std::uint32_t branch : branches) {
    std::vector<std::uint32_t> work{branch};
    while (!work.empty()) {
      const std::uint32_t b = work.back();
      work.pop_back();
      for (const std::uint32_t s : cfg.blocks[b].successors)
        if (s != cfg.postdominator[branch] && !inside[s]) inside[s] = 1, work.push_back(s);
    }
  }
  return inside;
}

// The immediate post-dominator of a branch with an early exit is the end of the function. Where a
// warp-synchronous instruction comes before that, early-exit edges are ignored: the remaining lanes
// reconverge at the post-dominator of the other paths; lanes that have exited are in no mask.
void ignore_early_exits(Cfg& cfg, std::span<const FlowStep> code, const Edges& successors) {
  if (std::none_of(code.begin(), code.end(), [](const FlowStep& i) { return i.converges; })) return;
  const std::vector<char> early = early_exit_blocks(cfg, code, successors);
  const auto count = static_cast<std::uint32_t>(cfg.blocks.size());
  std::vector<char> exits_early(count, 0);
  for (std::uint32_t b = 0; b < count; ++b) {
    const auto exiting = std::count_if(successors[b].begin(), successors[b].end(),
                                       [&](std::uint32_t s) { return early[s]; });
    exits_early[b] = exiting < std::ssize(successors[b]) && (exiting > 0 || cfg.blocks[b].exits);
  }
  keep_loop_exits(cfg, early, exits_early);
  const Cfg remaining = without_early_exits(cfg, early, exits_early);
  // No path from an early exit converges, so those that pass `before` need no exception.
  const std::vector<char> leads_to_convergence = blocks_before_convergence(remaining, code);
  std::vector<std::uint32_t> changed;
  for (std::uint32_t b = 0; b < count; ++b) {
    const std::uint32_t before = cfg.postdominator[b], meet = remaining.postdominator[b];
    if (exits_early[b] || successors[b].size() < 2 || meet == Cfg::kNone || meet == before ||
        (before != Cfg::kNone && !early[before]))
      continue;
    if (!leads_to_convergence[meet]) continue;
    cfg.postdominator[b] = meet;
    changed.push_back(b);
  }
  // Branches between such a branch and its new reconvergence point reconverge there, too.
  const std::vector<char> inside = blocks_inside(remaining, std::move(changed));
  for (std::uint32_t b = 0; b < count; ++b) {
    if (inside[b] && remaining.postdominator[b] != Cfg::kNone)
      cfg.postdominator[b] = remaining.postdominator[b];
  }
}

}  // namespace

bool converges(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::bar:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::redux:
    case Opcode::elect:
    case Opcode::wmma_load:
    case Opcode::wmma_store:
    case Opcode::mma:
    case Opcode::wgmma:
    case Opcode::wgmma_commit:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
    case Opcode::call:
    case Opcode::call_through_site: return true;
    default: return false;
  }
}

Cfg build_cfg(std::span<const Instruction> code, std::span<const std::vector<Pc>> branch_tables) {
  std::vector<FlowStep> steps;
  steps.reserve(code.size());
  for (const Instruction& i : code) steps.push_back(flow_step(i, branch_tables));
  return build_cfg(steps);
}

Cfg build_cfg(std::span<const FlowStep> code) {
  Cfg cfg;
  if (code.empty()) return cfg;
  const std::vector<char> starts = block_starts(code);
  cfg.block_of.resize(code.size());
  for (Pc pc = 0; pc < code.size(); ++pc) {
    if (starts[pc]) {
      cfg.blocks.emplace_back();
      cfg.blocks.back().first = pc;
    }
    cfg.blocks.back().end = pc + 1;
    cfg.block_of[pc] = static_cast<std::uint32_t>(cfg.blocks.size() - 1);
  }
  connect(cfg, code);
  Edges successors, predecessors;
  for (const BasicBlock& block : cfg.blocks) {
    successors.push_back(block.successors);
    predecessors.push_back(block.predecessors);
  }
  cfg.dominator = immediate_dominators(successors, predecessors, 0);
  find_postdominators(cfg);
  ignore_early_exits(cfg, code, successors);
  return cfg;
}

}  // namespace heddle::ptx
