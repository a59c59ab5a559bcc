#include "ptx/flow/convergence_points.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::ptx {
namespace {

using Blocks = std::vector<std::uint32_t>;

// Blocks reached by one walk after another. begin() forgets the last walk without clearing.
class BlockReachability {
 public:
  explicit BlockReachability(std::size_t blocks) : seen_(blocks, 0) {}
  void begin() {
    ++round_;
    reached_.clear();
  }
  void visit(std::uint32_t block) {
    if (reaches(block)) return;
    seen_[block] = round_;
    reached_.push_back(block);
  }
  bool reaches(std::uint32_t block) const { return seen_[block] == round_; }
  const Blocks& reached() const { return reached_; }

 private:
  std::vector<std::uint32_t> seen_;
  std::uint32_t round_ = 0;
  Blocks reached_;  // grows while the walk iterates over it
};

// A place is where lanes may converge: a block with warp-synchronous instructions, or all blocks
// with matching instructions. The places of operations have the numbers after those of blocks.
class Finder {
 public:
  explicit Finder(const FunctionSyncs& function)
      : cfg_(function.cfg),
        base_(function.base),
        places_(cfg_.blocks.size()),
        blocks_of_(cfg_.blocks.size() + kOperations),
        reached_(blocks_of_.size()),
        meets_(kOperations),
        forward_(cfg_.blocks.size()),
        backward_(cfg_.blocks.size()),
        ends_(blocks_of_.size()) {
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      for (Pc pc = cfg_.blocks[b].first; pc < cfg_.blocks[b].end; ++pc) {
        const WarpSynchrony& here = function.synchrony[pc];
        if (here.converges) note(b, b, pc);
        for (std::size_t n = 0; here.operations.any() && n < kOperations; ++n)
          if (here.operations[n]) note(place_of(n), b, pc);
        apart_ |= here.in_several;
      }
    }
    if (std::all_of(places_.begin(), places_.end(),
                    [](const Blocks& here) { return here.empty(); }))
      return;
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if (cfg_.blocks[b].successors.size() > 1) examine_branch(b);
  }

  // By reconvergence block: the blocks from which lanes reach a place first, ascending.
  using Paths = std::map<std::uint32_t, Blocks>;
  // Of the blocks that several sides of a branch reach.
  const std::map<std::uint32_t, Paths>& shared_blocks() const { return found_; }
  // Operations that several sides of a branch reach in different blocks.
  const SyncOperations& apart() const { return apart_; }

  void describe_block(std::uint32_t block, const Paths& paths, ConvergencePoint& out) const {
    describe(block, paths, out);
  }
  // The caller may call the function in a divergent branch, so the end of the function counts as a
  // reconvergence point.
  void describe_operation(std::size_t operation, ConvergencePoint& out) {
    const std::uint32_t place = place_of(operation);
    if (blocks_of_[place].empty()) return;
    add(place, Cfg::kNone);
    for (const std::uint32_t meet : meets_[operation]) add(place, meet);
    describe(place, found_[place], out);
    found_.erase(place);
  }

 private:
  static constexpr std::size_t kOperations = SyncOperations().size();
  // What the sides of the examined branch reach of a place.
  struct Reached {
    std::uint32_t sides = 0, last_side = 0, block = Cfg::kNone;
    bool several_blocks = false;
  };

  std::uint32_t place_of(std::size_t operation) const {
    return static_cast<std::uint32_t>(cfg_.blocks.size() + operation);
  }

  void note(std::uint32_t place, std::uint32_t block, Pc pc) {
    if (blocks_of_[place].empty() || blocks_of_[place].back() != block) {
      blocks_of_[place].push_back(block);
      places_[block].push_back(place);
      ends_[place].emplace_back();
    }
    ends_[place].back() = pc + 1;
  }

  void describe(std::uint32_t place, const Paths& paths, ConvergencePoint& out) const {
    for (std::size_t i = 0; i < blocks_of_[place].size(); ++i)
      out.blocks.emplace_back(base_ + cfg_.blocks[blocks_of_[place][i]].first,
                              base_ + ends_[place][i]);
    for (const auto& [meet, from] : paths) {
      const Pc reconvergence = meet == Cfg::kNone ? kNoPc : base_ + cfg_.blocks[meet].first;
      auto path = std::find_if(
          out.paths.begin(), out.paths.end(),
          [&](const ConvergencePoint::Path& w) { return w.reconvergence == reconvergence; });
      if (path == out.paths.end()) path = out.paths.insert(path, {reconvergence, {}});
      for (const std::uint32_t b : from) {
        const Pc first = base_ + cfg_.blocks[b].first, end = base_ + cfg_.blocks[b].end;
        if (!path->from.empty() && path->from.back().second == first)
          path->from.back().second = end;
        else
          path->from.emplace_back(first, end);
      }
    }
  }

  void walk_forward(std::uint32_t from, std::uint32_t end) {
    forward_.begin();
    const auto visit = [&](std::uint32_t b) {
      if (b != end) forward_.visit(b);
    };
    visit(from);
    for (std::size_t i = 0; i < forward_.reached().size(); ++i) {
      const Blocks& next = cfg_.blocks[forward_.reached()[i]].successors;
      std::for_each(next.begin(), next.end(), visit);
    }
  }

  // Finds the places that the sides of the branch reach before its reconvergence point.
  void examine_branch(std::uint32_t branch) {
    const std::uint32_t meet = cfg_.postdominator[branch];
    Blocks reached;
    std::uint32_t side = 0;
    for (const std::uint32_t first : cfg_.blocks[branch].successors) {
      ++side;
      walk_forward(first, meet);
      for (const std::uint32_t b : forward_.reached()) {
        for (const std::uint32_t place : places_[b]) {
          Reached& at = reached_[place];
          if (at.sides == 0) reached.push_back(place), at.block = b;
          at.several_blocks = at.several_blocks || at.block != b;
          if (at.last_side != side) ++at.sides, at.last_side = side;
        }
      }
    }
    for (const std::uint32_t place : reached) {
      const Reached at = std::exchange(reached_[place], {});
      if (place < cfg_.blocks.size()) {
        if (at.sides > 1) add(place, meet);
        continue;
      }
      const std::size_t operation = place - cfg_.blocks.size();
      meets_[operation].insert(meet);
      if (at.sides > 1 && at.several_blocks) apart_.set(operation);
    }
  }

  // The blocks from which lanes reach the place without passing `meet`.
  void add(std::uint32_t place, std::uint32_t meet) {
    const auto [found, is_new] = found_[place].try_emplace(meet);
    if (!is_new) return;
    backward_.begin();
    const auto visit_before = [&](std::uint32_t block) {
      for (const std::uint32_t b : cfg_.blocks[block].predecessors)
        if (b != meet) backward_.visit(b);
    };
    for (const std::uint32_t b : blocks_of_[place])
      if (b != meet) visit_before(b);
    for (std::size_t i = 0; i < backward_.reached().size(); ++i)
      visit_before(backward_.reached()[i]);
    found->second = backward_.reached();
    std::sort(found->second.begin(), found->second.end());
  }

  const Cfg& cfg_;
  Pc base_;
  std::vector<Blocks> places_;     // by block
  std::vector<Blocks> blocks_of_;  // by place
  std::vector<Reached> reached_;   // by place
  // By operation: the reconvergence blocks of branches with a side that reaches it.
  std::vector<std::set<std::uint32_t>> meets_;
  SyncOperations apart_;
  BlockReachability forward_, backward_;
  std::vector<std::vector<Pc>> ends_;  // by place and block: after its last such instruction
  std::map<std::uint32_t, Paths> found_;
};

bool contains(const ConvergencePoint::Ranges& ranges, Pc pc) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), pc,
                                      [](Pc p, const auto& range) { return p < range.first; });
  return after != ranges.begin() && pc < std::prev(after)->second;
}

}  // namespace

bool ConvergencePoint::can_be_reached(Pc to, Pc from, Pc reconvergence) const {
  if (from <= to && contains(blocks, from)) return true;
  const auto path = std::find_if(paths.begin(), paths.end(),
                                 [&](const Path& w) { return w.reconvergence == reconvergence; });
  return path != paths.end() && contains(path->from, from);
}

std::vector<ConvergencePoint> find_convergence_points(std::span<const FunctionSyncs> functions) {
  std::vector<ConvergencePoint> all;
  std::vector<Finder> finders;
  SyncOperations apart;
  for (const FunctionSyncs& function : functions) {
    const Finder& finder = finders.emplace_back(function);
    apart |= finder.apart();
    for (const auto& [block, paths] : finder.shared_blocks()) {
      for (Pc pc = function.cfg.blocks[block].first; pc < function.cfg.blocks[block].end; ++pc)
        if (function.synchrony[pc].converges)
          function.code[pc].convergence_point = static_cast<std::uint32_t>(all.size());
      finder.describe_block(block, paths, all.emplace_back());
    }
  }
  for (std::size_t operation = 0; operation < apart.size(); ++operation) {
    if (!apart[operation]) continue;
    const auto number = static_cast<std::uint32_t>(all.size());
    ConvergencePoint& point = all.emplace_back();
    for (std::size_t f = 0; f < functions.size(); ++f) {
      finders[f].describe_operation(operation, point);
      for (std::size_t pc = 0; pc < functions[f].code.size(); ++pc)
        if (Instruction& i = functions[f].code[pc];
            functions[f].synchrony[pc].operations[operation] && i.op_class != OpClass::call)
          i.matching_point = number;
    }
  }
  return all;
}

}  // namespace heddle::ptx
