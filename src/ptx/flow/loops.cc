#include "ptx/flow/loops.h"

#include <algorithm>
#include <map>

namespace heddle::ptx {

namespace {

struct Body {
  std::uint32_t header;
  std::vector<std::uint32_t> closing;  // blocks that end with a back edge
  std::vector<std::uint32_t> blocks;   // ascending
};

bool dominates(const Cfg& cfg, std::uint32_t a, std::uint32_t b) {
  while (b != a && b != Cfg::kNone) b = cfg.dominator[b];
  return b == a;
}

std::vector<std::uint32_t> body_of(const Cfg& cfg, std::uint32_t header,
                                   const std::vector<std::uint32_t>& closing) {
  std::vector<char> in(cfg.blocks.size(), 0);
  std::vector<std::uint32_t> blocks{header}, work;
  in[header] = 1;
  const auto add_block = [&](std::uint32_t b) {
    const bool reachable = b == 0 || cfg.dominator[b] != Cfg::kNone;
    if (in[b] || !reachable) return;
    in[b] = 1;
    blocks.push_back(b);
    work.push_back(b);
  };
  for (std::uint32_t b : closing) add_block(b);
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    for (std::uint32_t p : cfg.blocks[b].predecessors) add_block(p);
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

Loop make_loop(const Cfg& cfg, const Body& body) {
  Loop loop;
  loop.header = cfg.blocks[body.header].first;
  for (std::uint32_t b : body.closing) loop.back_edges.push_back(cfg.blocks[b].end - 1);
  for (std::uint32_t b : body.blocks) {
    const BasicBlock& block = cfg.blocks[b];
    if (!loop.ranges.empty() && loop.ranges.back().second == block.first)
      loop.ranges.back().second = block.end;
    else
      loop.ranges.emplace_back(block.first, block.end);
  }
  return loop;
}

}  // namespace

LoopForest find_loops(const Cfg& cfg) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> closing;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    if (b != 0 && cfg.dominator[b] == Cfg::kNone) continue;
    for (std::uint32_t s : cfg.blocks[b].successors)
      if (dominates(cfg, s, b)) closing[s].push_back(b);
  }
  std::vector<Body> bodies;
  for (const auto& [header, blocks] : closing)
    bodies.push_back({header, blocks, body_of(cfg, header, blocks)});
  // Outermost first: a loop is larger than the loops in it.
  std::stable_sort(bodies.begin(), bodies.end(),
                   [](const Body& a, const Body& b) { return a.blocks.size() > b.blocks.size(); });
  if (bodies.size() >= Loop::kNone) bodies.resize(Loop::kNone - 1);

  LoopForest forest;
  forest.innermost.assign(cfg.blocks.size(), Loop::kNone);
  for (const Body& body : bodies) {
    Loop loop = make_loop(cfg, body);
    loop.parent = forest.innermost[body.header];
    if (loop.parent != Loop::kNone)
      loop.depth = static_cast<std::uint16_t>(forest.loops[loop.parent].depth + 1);
    for (std::uint32_t b : body.blocks)
      forest.innermost[b] = static_cast<std::uint16_t>(forest.loops.size());
    forest.loops.push_back(std::move(loop));
  }
  return forest;
}

const SourceLine& line_of(const Kernel& kernel, const Loop& loop) {
  const auto line_at = [&](Pc pc) -> const SourceLine& {
    return kernel.source_lines.at(kernel.code[pc].source);
  };
  for (const Pc pc : loop.back_edges)
    if (line_at(pc).line != 0) return line_at(pc);
  for (const auto& [first, end] : loop.ranges)
    for (Pc pc = first; pc < end; ++pc)
      if (line_at(pc).line != 0) return line_at(pc);
  return kernel.source_lines.at(0);
}

}  // namespace heddle::ptx
