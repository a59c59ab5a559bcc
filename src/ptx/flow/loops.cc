#include "ptx/flow/loops.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "ptx/flow/dominators.h"

namespace heddle::ptx {

namespace {

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // half-open, ascending

// Of a loop in a deep nest: ranges need far less memory than a list of its blocks.
struct Body {
  std::uint32_t header;
  std::vector<std::uint32_t> closing;  // blocks that end with a back edge
  Ranges ranges;                       // of blocks
  std::size_t size;                    // blocks
  std::uint32_t parent;                // another body or kNone
};

// Loops are nested or disjoint. Inner loops are added first, and each is one node for the loops
// around it (Tarjan, "Testing flow graph reducibility", 1974): no edge is followed twice.
class BodyFinder {
 public:
  explicit BodyFinder(const Cfg& cfg) : cfg_(cfg), innermost_(cfg.blocks.size(), Cfg::kNone) {}

  void add_loop(std::uint32_t header, std::vector<std::uint32_t> closing) {
    const auto loop = static_cast<std::uint32_t>(bodies_.size());
    bodies_.push_back({header, std::move(closing), {}, 0, Cfg::kNone});
    Body& body = bodies_.back();
    around_.push_back(loop);
    add_block(header, body, loop);
    // Nodes whose predecessors are in the loop. That of an inner loop is its header.
    std::vector<std::uint32_t> nodes;
    const auto visit = [&](std::uint32_t block) {
      ++steps_;
      const bool is_reachable = block == 0 || cfg_.dominator[block] != Cfg::kNone;
      if (const std::uint32_t inner = outermost(block); !is_reachable || inner == loop)
        return;
      else if (inner == Cfg::kNone)
        nodes.push_back(add_block(block, body, loop));
      else
        nodes.push_back(add_inner(inner, body, loop));
    };
    std::for_each(body.closing.begin(), body.closing.end(), visit);
    while (!nodes.empty()) {
      const std::uint32_t node = nodes.back();
      nodes.pop_back();
      const auto& before = cfg_.blocks[node].predecessors;
      std::for_each(before.begin(), before.end(), visit);
    }
    merge(body.ranges);
  }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<std::uint32_t>& innermost() const { return innermost_; }  // by block
  std::size_t steps() const { return steps_; }

 private:
  // The outermost loop so far around the block. Shortens the way for later questions.
  std::uint32_t outermost(std::uint32_t block) {
    std::uint32_t loop = innermost_[block];
    if (loop == Cfg::kNone) return loop;
    for (; around_[loop] != loop; loop = around_[loop], ++steps_)
      around_[loop] = around_[around_[loop]];
    return loop;
  }
  std::uint32_t add_block(std::uint32_t block, Body& to, std::uint32_t loop) {
    innermost_[block] = loop;
    to.ranges.emplace_back(block, block + 1);
    ++to.size;
    return block;
  }
  std::uint32_t add_inner(std::uint32_t inner, Body& to, std::uint32_t loop) {
    Body& body = bodies_[inner];
    around_[inner] = body.parent = loop;
    to.ranges.insert(to.ranges.end(), body.ranges.begin(), body.ranges.end());
    to.size += body.size;
    steps_ += body.ranges.size();
    return body.header;
  }
  static void merge(Ranges& ranges) {
    std::sort(ranges.begin(), ranges.end());
    std::size_t last = 0;
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      if (ranges[last].second == ranges[i].first)
        ranges[last].second = ranges[i].second;
      else
        ranges[++last] = ranges[i];
    }
    ranges.resize(last + 1);
  }

  const Cfg& cfg_;
  std::vector<Body> bodies_;
  std::vector<std::uint32_t> innermost_;
  std::vector<std::uint32_t> around_;  // by loop: a loop around it, or itself
  std::size_t steps_ = 0;
};

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
  std::vector<std::uint32_t> headers;
  for (const auto& [header, blocks] : closing) headers.push_back(header);
  std::stable_sort(headers.begin(), headers.end(), [&](std::uint32_t a, std::uint32_t b) {
    return dominators.depth(a) > dominators.depth(b);
  });
  BodyFinder finder(cfg);
  for (const std::uint32_t header : headers) finder.add_loop(header, std::move(closing[header]));

  // Outermost first: a loop is larger than the loops in it.
  const std::vector<Body>& bodies = finder.bodies();
  std::vector<std::uint32_t> order(bodies.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(bodies[b].size, bodies[a].header) <
           std::pair(bodies[a].size, bodies[b].header);
  });
  LoopForest forest;
  forest.steps = finder.steps();
  // By body. The smallest of too many loops are left out.
  std::vector<std::uint16_t> numbers(bodies.size());
  for (const std::uint32_t b : order) {
    const std::uint32_t parent = bodies[b].parent;
    const std::uint16_t around = parent == Cfg::kNone ? Loop::kNone : numbers[parent];
    numbers[b] = around;
    if (forest.loops.size() + 1 >= Loop::kNone) continue;
    numbers[b] = static_cast<std::uint16_t>(forest.loops.size());
    Loop loop = make_loop(cfg, bodies[b]);
    loop.parent = around;
    if (around != Loop::kNone)
      loop.depth = static_cast<std::uint16_t>(forest.loops[around].depth + 1);
    forest.loops.push_back(std::move(loop));
  }
  for (const std::uint32_t body : finder.innermost())
    forest.innermost.push_back(body == Cfg::kNone ? Loop::kNone : numbers[body]);
  return forest;
}

}  // namespace heddle::ptx
