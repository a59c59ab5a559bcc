#include "ptx/flow/loops.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ptx/flow/dominators.h"

namespace heddle::ptx {

namespace {

// Of a loop in a deep nest: ranges need far less memory than a list of its blocks.
struct Body {
  std::uint32_t header;
  std::vector<std::uint32_t> closing;                           // blocks that end with a back edge
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  // of blocks, half-open, ascending
  std::size_t size = 0;                                         // blocks
};

Body body_of(const Cfg& cfg, std::uint32_t header, std::vector<std::uint32_t> closing) {
  std::vector<char> in(cfg.blocks.size(), 0);
  std::vector<std::uint32_t> blocks{header};
  in[header] = 1;
  const auto add_block = [&](std::uint32_t b) {
    const bool reachable = b == 0 || cfg.dominator[b] != Cfg::kNone;
    if (in[b] || !reachable) return;
    in[b] = 1;
    blocks.push_back(b);
  };
  for (const std::uint32_t b : closing) add_block(b);
  for (std::size_t i = 1; i < blocks.size(); ++i)
    for (const std::uint32_t p : cfg.blocks[blocks[i]].predecessors) add_block(p);
  std::sort(blocks.begin(), blocks.end());
  Body body{header, std::move(closing), {}, blocks.size()};
  for (const std::uint32_t b : blocks) {
    if (!body.ranges.empty() && body.ranges.back().second == b)
      ++body.ranges.back().second;
    else
      body.ranges.emplace_back(b, b + 1);
  }
  return body;
}

Loop make_loop(const Cfg& cfg, const Body& body) {
  Loop loop;
  loop.header = cfg.blocks[body.header].first;
  for (const std::uint32_t b : body.closing) loop.back_edges.push_back(cfg.blocks[b].end - 1);
  for (const auto& [first, end] : body.ranges)
    loop.ranges.emplace_back(cfg.blocks[first].first, cfg.blocks[end - 1].end);
  return loop;
}

}  // namespace

LoopForest find_loops(const Cfg& cfg) {
  const DominatorTree dominators(cfg.dominator);
  std::map<std::uint32_t, std::vector<std::uint32_t>> closing;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    if (b != 0 && cfg.dominator[b] == Cfg::kNone) continue;
    for (std::uint32_t s : cfg.blocks[b].successors)
      if (dominators.dominates(s, b)) closing[s].push_back(b);
  }
  std::vector<Body> bodies;
  for (auto& [header, blocks] : closing) bodies.push_back(body_of(cfg, header, std::move(blocks)));
  // Outermost first: a loop is larger than the loops in it.
  std::stable_sort(bodies.begin(), bodies.end(),
                   [](const Body& a, const Body& b) { return a.size > b.size; });
  if (bodies.size() >= Loop::kNone) bodies.resize(Loop::kNone - 1);

  LoopForest forest;
  forest.innermost.assign(cfg.blocks.size(), Loop::kNone);
  for (const Body& body : bodies) {
    Loop loop = make_loop(cfg, body);
    loop.parent = forest.innermost[body.header];
    if (loop.parent != Loop::kNone)
      loop.depth = static_cast<std::uint16_t>(forest.loops[loop.parent].depth + 1);
    for (const auto& [first, end] : body.ranges)
      std::fill(forest.innermost.begin() + first, forest.innermost.begin() + end,
                static_cast<std::uint16_t>(forest.loops.size()));
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
