#include "ptx/flow/convergence_points.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace heddle::ptx {
namespace {

using Blocks = std::vector<std::uint32_t>;
using Ranges = ConvergencePoint::Ranges;
using Paths = std::map<Pc, Ranges>;  // by reconvergence point, as ConvergencePoint::paths

// A set of blocks in the order of their insertion. It is cleared without a visit to each block, and
// may grow while a walk iterates over it by index.
class BlockSet {
 public:
  explicit BlockSet(std::size_t blocks) : round_of_(blocks, 0) {}
  void clear() {
    ++round_;
    blocks_.clear();
  }
  void insert(std::uint32_t block) {
    if (contains(block)) return;
    round_of_[block] = round_;
    blocks_.push_back(block);
  }
  bool contains(std::uint32_t block) const { return round_of_[block] == round_; }
  const Blocks& blocks() const { return blocks_; }

 private:
  std::vector<std::uint32_t> round_of_;
  std::uint32_t round_ = 1;
  Blocks blocks_;
};

// Finds where lanes may converge: blocks with warp-synchronous instructions that several sides of a
// branch reach, and operations. It looks at the branches of one reconvergence block at a time, and
// at the region of these branches only: the blocks from which lanes still reach an operation or a
// warp-synchronous instruction before that block. The time is that of the sum of the regions where
// a branch has several sides in its region; branches with one side have nothing to share.
class Finder {
 public:
  explicit Finder(const FunctionSyncs& function)
      : cfg_(function.cfg),
        base_(function.base),
        end_of_(cfg_.blocks.size(), 0),
        operations_in_(cfg_.blocks.size()),
        blocks_of_(kOperations),
        paths_of_(kOperations),
        leading_(cfg_.blocks.size()),
        region_(cfg_.blocks.size()),
        backward_(cfg_.blocks.size()),
        forward_(cfg_.blocks.size()),
        shared_(cfg_.blocks.size()),
        owned_(cfg_.blocks.size()),
        side_of_(cfg_.blocks.size(), 0),
        first_of_(cfg_.blocks.size(), 0) {
    note_places(function);
    if (leading_.blocks().empty()) return;
    add_predecessors(leading_, [](std::uint32_t) { return true; });
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if (cfg_.blocks[b].successors.size() > 1) branches_to_[cfg_.postdominator[b]].push_back(b);
    for (const auto& [meet, branches] : branches_to_) examine(meet, branches);
  }

  // Finds the paths to these operations.
  void find_paths(const SyncOperations& operations) {
    leading_.clear();
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if ((operations_in_[b] & operations).any()) leading_.insert(b);
    if (leading_.blocks().empty()) return;
    add_predecessors(leading_, [](std::uint32_t) { return true; });
    for (const auto& [meet, branches] : branches_to_) {
      find_region(meet, branches);
      const SyncOperations here = operations_of_region() & operations;
      for (std::size_t n = 0; here.any() && n < kOperations; ++n) {
        if (!here[n]) continue;
        walk_backward(blocks_of_region_with(n));
        paths_of_[n][reconvergence(meet)] = backward_ranges();
      }
    }
  }

  // By block: the paths to the blocks that several sides of a branch reach.
  const std::map<std::uint32_t, Paths>& shared_blocks() const { return paths_to_; }
  // Operations that several sides of a branch reach in different blocks.
  const SyncOperations& apart() const { return apart_; }

  std::pair<Pc, Pc> range_of_block(std::uint32_t block) const {
    return {base_ + cfg_.blocks[block].first, end_of_[block]};
  }
  const Ranges& ranges_of(std::size_t operation) const { return blocks_of_[operation]; }
  const Paths& paths_of(std::size_t operation) const { return paths_of_[operation]; }

 private:
  static constexpr std::size_t kOperations = SyncOperations().size();

  void note_places(const FunctionSyncs& function) {
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      const Pc first = base_ + cfg_.blocks[b].first;
      for (Pc pc = cfg_.blocks[b].first; pc < cfg_.blocks[b].end; ++pc) {
        const WarpSynchrony& here = function.synchrony[pc];
        if (here.converges) end_of_[b] = base_ + pc + 1;
        for (std::size_t n = 0; here.operations.any() && n < kOperations; ++n) {
          if (!here.operations[n]) continue;
          Ranges& blocks = blocks_of_[n];
          if (blocks.empty() || blocks.back().first != first) blocks.emplace_back(first, 0);
          blocks.back().second = base_ + pc + 1;
        }
        operations_in_[b] |= here.operations;
        apart_ |= here.in_several;
      }
      operations_ |= operations_in_[b];
      if (end_of_[b] != 0 || operations_in_[b].any()) leading_.insert(b);
    }
  }

  // Adds all blocks from which a path through allowed blocks leads to the set.
  template <class Allowed>
  void add_predecessors(BlockSet& set, Allowed allowed) const {
    for (std::size_t i = 0; i < set.blocks().size(); ++i)
      for (const std::uint32_t b : cfg_.blocks[set.blocks()[i]].predecessors)
        if (allowed(b)) set.insert(b);
  }
  // Calls visit(successor) for the successors from which a place is reached before `meet`.
  template <class Visit>
  void visit_successors(std::uint32_t block, std::uint32_t meet, Visit visit) const {
    for (const std::uint32_t s : cfg_.blocks[block].successors)
      if (s != meet && leading_.contains(s)) visit(s);
  }
  void add_successors(BlockSet& set, std::uint32_t meet) const {
    for (std::size_t i = 0; i < set.blocks().size(); ++i)
      visit_successors(set.blocks()[i], meet, [&](std::uint32_t s) { set.insert(s); });
  }

  void examine(std::uint32_t meet, const Blocks& branches) {
    const auto has_sides = [&](std::uint32_t branch) {
      int sides = 0;
      visit_successors(branch, meet, [&](std::uint32_t) { ++sides; });
      return sides > 1;
    };
    if (std::none_of(branches.begin(), branches.end(), has_sides)) return;
    shared_.clear();
    for (const std::uint32_t branch : branches) find_shared_blocks(branch, meet);
    if (shared_.blocks().empty() && (operations_ & ~apart_).none()) return;
    find_region(meet, branches);
    const SyncOperations operations = operations_of_region() & ~apart_;
    for (std::size_t n = 0; operations.any() && n < kOperations; ++n)
      if (operations[n] && is_apart(n, meet, branches)) apart_.set(n);
    for (const std::uint32_t b : shared_.blocks())
      if (end_of_[b] != 0) find_paths_to_block(b, meet);
  }

  void find_region(std::uint32_t meet, const Blocks& branches) {
    region_.clear();
    if (meet == Cfg::kNone) {
      // The caller may call the function in a divergent branch, so the end of the function is the
      // reconvergence point of every block.
      for (const std::uint32_t b : leading_.blocks()) region_.insert(b);
      return;
    }
    for (const std::uint32_t branch : branches)
      visit_successors(branch, meet, [&](std::uint32_t s) { region_.insert(s); });
    add_successors(region_, meet);
  }
  SyncOperations operations_of_region() const {
    SyncOperations operations;
    for (const std::uint32_t b : region_.blocks()) operations |= operations_in_[b];
    return operations;
  }
  Blocks blocks_of_region_with(std::size_t operation) const {
    Blocks blocks;
    std::copy_if(region_.blocks().begin(), region_.blocks().end(), std::back_inserter(blocks),
                 [&](std::uint32_t b) { return operations_in_[b][operation]; });
    return blocks;
  }

  Pc reconvergence(std::uint32_t meet) const {
    return meet == Cfg::kNone ? kNoPc : base_ + cfg_.blocks[meet].first;
  }

  // The set `backward_` holds.
  Ranges backward_ranges() const {
    Blocks blocks = backward_.blocks();
    std::sort(blocks.begin(), blocks.end());
    Ranges ranges;
    for (const std::uint32_t b : blocks) {
      const Pc first = base_ + cfg_.blocks[b].first, end = base_ + cfg_.blocks[b].end;
      if (!ranges.empty() && ranges.back().second == first)
        ranges.back().second = end;
      else
        ranges.emplace_back(first, end);
    }
    return ranges;
  }

  // The blocks of the region from which lanes reach another one of `to` by a predecessor.
  void walk_backward(std::span<const std::uint32_t> to) {
    backward_.clear();
    const auto in_region = [&](std::uint32_t b) { return region_.contains(b); };
    for (const std::uint32_t block : to)
      for (const std::uint32_t b : cfg_.blocks[block].predecessors)
        if (in_region(b)) backward_.insert(b);
    add_predecessors(backward_, in_region);
  }

  void find_paths_to_block(std::uint32_t block, std::uint32_t meet) {
    const auto [found, is_new] = paths_to_[block].try_emplace(reconvergence(meet));
    if (!is_new) return;
    walk_backward({&block, 1});
    found->second = backward_ranges();
    if (!backward_.contains(block)) return;
    // The blocks of a loop are reached from the same blocks.
    forward_.clear();
    forward_.insert(block);
    add_successors(forward_, meet);
    for (const std::uint32_t b : forward_.blocks())
      if (end_of_[b] != 0 && backward_.contains(b) && shared_.contains(b))
        paths_to_[b].try_emplace(found->first, found->second);
  }

  // Whether several sides of a branch reach the operation in different blocks.
  bool is_apart(std::size_t operation, std::uint32_t meet, const Blocks& branches) {
    const Blocks in_region = blocks_of_region_with(operation);
    if (in_region.size() < 2) return false;
    // From each block: the one block with the operation that lanes reach, or several.
    constexpr std::uint32_t kSeveral = Cfg::kNone;
    Blocks work;
    const auto add = [&](std::uint32_t at, std::uint32_t reached) {
      if (forward_.contains(at) && first_of_[at] != reached) reached = kSeveral;
      if (forward_.contains(at) && first_of_[at] == reached) return;
      forward_.insert(at);
      first_of_[at] = reached;
      work.push_back(at);
    };
    forward_.clear();
    for (const std::uint32_t b : in_region) add(b, b);
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      for (const std::uint32_t b : cfg_.blocks[block].predecessors)
        if (region_.contains(b)) add(b, first_of_[block]);
    }
    return std::any_of(branches.begin(), branches.end(), [&](std::uint32_t branch) {
      std::uint32_t sides = 0, reached = 0;
      visit_successors(branch, meet, [&](std::uint32_t s) {
        if (!forward_.contains(s)) return;
        reached = sides++ == 0 || reached == first_of_[s] ? first_of_[s] : kSeveral;
      });
      return sides > 1 && reached == kSeveral;
    });
  }

  // What one side of a branch reaches before the others.
  struct Side {
    Blocks blocks;
    std::size_t walked = 0;
    std::size_t places = 0;  // blocks with warp-synchronous instructions that only it reaches
  };

  // Adds to `shared_` what several sides of the branch reach. The sides walk in turn, so that the
  // walk ends with the last but one where that has no place.
  void find_shared_blocks(std::uint32_t branch, std::uint32_t meet) {
    std::vector<Side> sides;
    owned_.clear();
    visit_successors(branch, meet, [&](std::uint32_t s) {
      if (shared_.contains(s)) return;
      sides.emplace_back();
      reach(sides, sides.size() - 1, s, meet);
    });
    std::size_t walking = sides.size();
    while (walking > 1 || (walking == 1 && sides_that_ended_have_places(sides))) {
      walking = 0;
      for (std::size_t n = 0; n < sides.size(); ++n) {
        if (sides[n].walked == sides[n].blocks.size()) continue;
        const std::uint32_t block = sides[n].blocks[sides[n].walked++];
        if (!shared_.contains(block))
          visit_successors(block, meet, [&](std::uint32_t s) { reach(sides, n, s, meet); });
        walking += sides[n].walked < sides[n].blocks.size();
      }
    }
  }
  static bool sides_that_ended_have_places(const std::vector<Side>& sides) {
    return std::any_of(sides.begin(), sides.end(), [](const Side& side) {
      return side.walked == side.blocks.size() && side.places > 0;
    });
  }
  void reach(std::vector<Side>& sides, std::size_t side, std::uint32_t block, std::uint32_t meet) {
    if (shared_.contains(block)) return;
    if (!owned_.contains(block)) {
      owned_.insert(block);
      side_of_[block] = static_cast<std::uint32_t>(side);
      sides[side].blocks.push_back(block);
      sides[side].places += end_of_[block] != 0;
      return;
    }
    if (side_of_[block] == side) return;
    std::size_t walked = shared_.blocks().size();
    const auto share = [&](std::uint32_t b) {
      if (owned_.contains(b) && !shared_.contains(b)) sides[side_of_[b]].places -= end_of_[b] != 0;
      shared_.insert(b);
    };
    for (share(block); walked < shared_.blocks().size(); ++walked)
      visit_successors(shared_.blocks()[walked], meet, share);
  }

  const Cfg& cfg_;
  Pc base_;
  std::map<std::uint32_t, Blocks> branches_to_{{Cfg::kNone, {}}};  // by reconvergence block
  std::vector<Pc> end_of_;  // by block: after its last warp-synchronous instruction; 0: none
  std::vector<SyncOperations> operations_in_;  // by block
  std::vector<Ranges> blocks_of_;              // by operation
  std::vector<Paths> paths_of_;                // by operation
  std::map<std::uint32_t, Paths> paths_to_;    // by block
  SyncOperations operations_, apart_;
  BlockSet leading_;  // blocks that have a place, or from which lanes reach one
  BlockSet region_, backward_, forward_, shared_, owned_;
  std::vector<std::uint32_t> side_of_;   // of owned blocks
  std::vector<std::uint32_t> first_of_;  // of blocks of `forward_`
};

bool contains(const ConvergencePoint::Ranges& ranges, Pc pc) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), pc,
                                      [](Pc p, const auto& range) { return p < range.first; });
  return after != ranges.begin() && pc < std::prev(after)->second;
}

}  // namespace

bool ConvergencePoint::can_be_reached(Pc to, Pc from, Pc reconvergence) const {
  if (from <= to && contains(blocks, from)) return true;
  const auto path = std::lower_bound(paths.begin(), paths.end(), reconvergence,
                                     [](const Path& w, Pc pc) { return w.reconvergence < pc; });
  return path != paths.end() && path->reconvergence == reconvergence && contains(path->from, from);
}

std::vector<ConvergencePoint> find_convergence_points(std::span<const FunctionSyncs> functions) {
  std::vector<ConvergencePoint> all;
  std::vector<Finder> finders;
  SyncOperations apart;
  const auto add_point = [&](const Ranges& blocks, const Paths& paths) {
    ConvergencePoint& point = all.emplace_back();
    point.blocks = blocks;
    for (const auto& [reconvergence, from] : paths) point.paths.push_back({reconvergence, from});
  };
  for (const FunctionSyncs& function : functions) {
    const Finder& finder = finders.emplace_back(function);
    apart |= finder.apart();
    for (const auto& [block, paths] : finder.shared_blocks()) {
      for (Pc pc = function.cfg.blocks[block].first; pc < function.cfg.blocks[block].end; ++pc)
        if (function.synchrony[pc].converges)
          function.code[pc].convergence_point = static_cast<std::uint32_t>(all.size());
      add_point({finder.range_of_block(block)}, paths);
    }
  }
  for (Finder& finder : finders) finder.find_paths(apart);
  for (std::size_t operation = 0; operation < apart.size(); ++operation) {
    if (!apart[operation]) continue;
    const auto number = static_cast<std::uint32_t>(all.size());
    Ranges blocks;
    Paths paths;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const Ranges& here = finders[f].ranges_of(operation);
      blocks.insert(blocks.end(), here.begin(), here.end());
      for (const auto& [reconvergence, from] : finders[f].paths_of(operation)) {
        Ranges& all_from = paths[reconvergence];
        all_from.insert(all_from.end(), from.begin(), from.end());
      }
      for (std::size_t pc = 0; pc < functions[f].code.size(); ++pc)
        if (Instruction& i = functions[f].code[pc];
            functions[f].synchrony[pc].operations[operation] && i.op_class != OpClass::call)
          i.matching_point = number;
    }
    add_point(blocks, paths);
  }
  return all;
}

}  // namespace heddle::ptx
