#include "ptx/flow/convergence_points.h"

#include <algorithm>
#include <map>

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
// with a bar.warp.sync, which together have the number after the last block's.
class Finder {
 public:
  Finder(const Cfg& cfg, const std::vector<WarpSynchrony>& synchrony, Pc base)
      : cfg_(cfg),
        base_(base),
        places_(cfg.blocks.size()),
        blocks_of_(cfg.blocks.size() + 1),
        sides_(cfg.blocks.size() + 1, 0),
        last_side_(cfg.blocks.size() + 1, 0),
        forward_(cfg.blocks.size()),
        backward_(cfg.blocks.size()),
        ends_(cfg.blocks.size() + 1) {
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      for (Pc pc = cfg.blocks[b].first; pc < cfg.blocks[b].end; ++pc) {
        if (synchrony[pc].converges) note(b, b, pc);
        if (synchrony[pc].warp_sync) note(warp_syncs(), b, pc);
      }
    }
  }

  bool has_places() const {
    return std::any_of(places_.begin(), places_.end(),
                       [](const Blocks& here) { return !here.empty(); });
  }
  std::uint32_t warp_syncs() const { return static_cast<std::uint32_t>(cfg_.blocks.size()); }

  // By reconvergence block: the blocks from which lanes reach a place first, ascending.
  using Paths = std::map<std::uint32_t, Blocks>;
  std::map<std::uint32_t, Paths> find() {
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if (cfg_.blocks[b].successors.size() > 1) examine_branch(b);
    if (!blocks_of_[warp_syncs()].empty())
      add(warp_syncs(), Cfg::kNone);  // the caller may call the function in a divergent branch
    return std::move(found_);
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

 private:
  void note(std::uint32_t place, std::uint32_t block, Pc pc) {
    if (blocks_of_[place].empty() || blocks_of_[place].back() != block) {
      blocks_of_[place].push_back(block);
      places_[block].push_back(place);
      ends_[place].emplace_back();
    }
    ends_[place].back() = pc + 1;
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

  // Finds the places that several sides of the branch reach before its reconvergence point.
  void examine_branch(std::uint32_t branch) {
    const std::uint32_t meet = cfg_.postdominator[branch];
    Blocks once, shared;
    std::uint32_t side = 0;
    for (const std::uint32_t first : cfg_.blocks[branch].successors) {
      ++side;
      walk_forward(first, meet);
      for (const std::uint32_t b : forward_.reached()) {
        for (const std::uint32_t place : places_[b]) {
          if (last_side_[place] == side) continue;
          last_side_[place] = side;
          if (++sides_[place] == 1) once.push_back(place);
          if (sides_[place] == 2) shared.push_back(place);
        }
      }
    }
    for (const std::uint32_t place : once) sides_[place] = last_side_[place] = 0;
    for (const std::uint32_t place : shared) add(place, meet);
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
  // By place, of the examined branch: the number of sides that reach it, and the last of them.
  std::vector<std::uint32_t> sides_, last_side_;
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

void find_convergence_points(const Cfg& cfg, const std::vector<WarpSynchrony>& synchrony, Pc base,
                             std::span<Instruction> code, std::vector<ConvergencePoint>& all) {
  Finder finder(cfg, synchrony, base);
  if (all.empty()) all.emplace_back();
  if (!finder.has_places()) return;
  for (const auto& [place, paths] : finder.find()) {
    if (place == finder.warp_syncs()) {
      finder.describe(place, paths, all.front());
      continue;
    }
    for (Pc pc = cfg.blocks[place].first; pc < cfg.blocks[place].end; ++pc)
      if (synchrony[pc].converges)
        code[pc].convergence_point = static_cast<std::uint32_t>(all.size());
    finder.describe(place, paths, all.emplace_back());
  }
  for (std::size_t pc = 0; pc < code.size(); ++pc)
    if (synchrony[pc].warp_sync) code[pc].convergence_point = ConvergencePoint::kWarpSyncs;
}

}  // namespace heddle::ptx
