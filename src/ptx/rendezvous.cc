#include "ptx/rendezvous.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::ptx {
namespace {

using Blocks = std::vector<std::uint32_t>;

// Walks over blocks, again and again: what a walk has seen costs nothing to forget.
class Walk {
 public:
  explicit Walk(std::size_t blocks) : seen_(blocks, 0) {}
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
  Blocks reached_;  // grows while it is gone through
};

class Finder {
 public:
  Finder(const Cfg& cfg, const std::vector<char>& together)
      : cfg_(cfg), sides_(cfg.blocks.size(), 0), forward_(cfg.blocks.size()), backward_(cfg.blocks.size()) {
    for (const BasicBlock& block : cfg.blocks)
      together_.push_back(std::any_of(together.begin() + block.first, together.begin() + block.end, [](char c) { return c != 0; }));
  }

  std::vector<Rendezvous> find(Pc base) {
    if (std::find(together_.begin(), together_.end(), true) == together_.end()) return {};
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) if (cfg_.blocks[b].successors.size() > 1) look_at_branch(b);
    std::vector<Rendezvous> all;
    for (const auto& [block, ways] : found_) {
      Rendezvous& one = all.emplace_back();
      one.first = base + cfg_.blocks[block].first;
      for (const auto& [meet, from] : ways) one.ways.push_back({meet == Cfg::kNone ? kNoPc : base + cfg_.blocks[meet].first, ranges(from, base)});
    }
    return all;
  }

 private:
  void walk_forward(const Blocks& from, std::uint32_t end) {
    forward_.begin();
    const auto visit = [&](std::uint32_t b) { if (b != end) forward_.visit(b); };
    std::for_each(from.begin(), from.end(), visit);
    for (std::size_t i = 0; i < forward_.reached().size(); ++i) {
      const Blocks& next = cfg_.blocks[forward_.reached()[i]].successors;
      std::for_each(next.begin(), next.end(), visit);
    }
  }

  // Which blocks do several sides of the branch come to before they meet, and from where?
  void look_at_branch(std::uint32_t branch) {
    const std::uint32_t meet = cfg_.postdominator[branch];
    Blocks once, shared;
    for (const std::uint32_t side : cfg_.blocks[branch].successors) {
      walk_forward({side}, meet);
      for (const std::uint32_t b : forward_.reached()) {
        if (!together_[b]) continue;
        if (++sides_[b] == 1) once.push_back(b);
        if (sides_[b] == 2) shared.push_back(b);
      }
    }
    for (const std::uint32_t b : once) sides_[b] = 0;
    if (shared.empty()) return;
    walk_forward(cfg_.blocks[branch].successors, meet);
    for (const std::uint32_t to : shared) {
      backward_.begin();
      const auto visit = [&](std::uint32_t b) { if (forward_.reaches(b)) backward_.visit(b); };
      const Blocks& before = cfg_.blocks[to].predecessors;
      std::for_each(before.begin(), before.end(), visit);
      for (std::size_t i = 0; i < backward_.reached().size(); ++i) {
        const Blocks& previous = cfg_.blocks[backward_.reached()[i]].predecessors;
        std::for_each(previous.begin(), previous.end(), visit);
      }
      found_[to][meet].insert(backward_.reached().begin(), backward_.reached().end());
    }
  }

  std::vector<std::pair<Pc, Pc>> ranges(const std::set<std::uint32_t>& blocks, Pc base) const {
    std::vector<std::pair<Pc, Pc>> all;
    for (const std::uint32_t b : blocks) {
      const Pc first = base + cfg_.blocks[b].first, end = base + cfg_.blocks[b].end;
      if (!all.empty() && all.back().second == first) all.back().second = end;
      else all.emplace_back(first, end);
    }
    return all;
  }

  const Cfg& cfg_;
  std::vector<char> together_;       // by block
  std::vector<std::uint32_t> sides_; // of the branch that is looked at, by block: how many come to it
  Walk forward_, backward_;
  std::map<std::uint32_t, std::map<std::uint32_t, std::set<std::uint32_t>>> found_;  // by block, by meeting place: from which blocks
};

}  // namespace

bool Rendezvous::can_be_reached(Pc to, Pc from, Pc reconvergence) const {
  if (from >= first && from <= to) return true;
  const auto way = std::find_if(ways.begin(), ways.end(), [&](const Way& w) { return w.reconvergence == reconvergence; });
  if (way == ways.end()) return false;
  const auto behind = std::upper_bound(way->from.begin(), way->from.end(), from, [](Pc pc, const auto& range) { return pc < range.first; });
  return behind != way->from.begin() && from < std::prev(behind)->second;
}

std::vector<Rendezvous> find_rendezvous(const Cfg& cfg, const std::vector<char>& together, Pc base) { return Finder(cfg, together).find(base); }

}  // namespace heddle::ptx
