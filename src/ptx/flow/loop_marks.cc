#include "ptx/flow/loop_marks.h"

#include <algorithm>
#include <optional>

namespace heddle::ptx {

namespace {

using Kind = AstLoopMark::Kind;
// The marks that have begun and not ended, outermost first. Absent: no path arrives.
using Open = std::optional<std::vector<std::uint32_t>>;

class LoopMarker {
 public:
  LoopMarker(const AstUnit& unit, const AstFunction& function, const Cfg& cfg,
             std::span<const Instruction> code)
      : unit_(unit),
        function_(function),
        marks_(function.loop_marks),
        cfg_(cfg),
        code_(code),
        in_(cfg.blocks.size()),
        used_(marks_.size(), 0) {}

  void mark(std::span<Loop> loops) {
    find_open_marks();
    check_ends();
    for (Loop& loop : loops) {
      loop.marked_group = group_of(loop);
      if (loop.marked_group == 0 && loop.parent != Loop::kNone)
        loop.marked_group = loops[loop.parent].marked_group;
    }
    for (std::size_t m = 0; m < marks_.size(); ++m)
      if (!used_[m] && marks_[m].kind != Kind::end) refuse_without_loop(marks_[m]);
  }

 private:
  void pass(std::uint32_t m, std::vector<std::uint32_t>& open) const {
    if (marks_[m].kind == Kind::begin) open.push_back(m);
    if (marks_[m].kind == Kind::end && !open.empty()) open.pop_back();
  }
  // The marks between the first instruction of the block and its end.
  template <class Use>
  void for_each_inside(const BasicBlock& block, Use use) const {
    for (std::uint32_t m = 0; m < marks_.size(); ++m)
      if (marks_[m].instruction > block.first && marks_[m].instruction < block.end) use(m);
  }
  // The marks before the first instruction of the block, from mark `first` on.
  template <class Use>
  void for_each_before(const BasicBlock& block, std::uint32_t first, Use use) const {
    for (std::uint32_t m = first; m < marks_.size(); ++m)
      if (marks_[m].instruction == block.first) use(m);
  }
  // Calls use(first) for each way from the end of one block to the start of the other, which passes
  // the marks before the latter from `first` on: a branch passes those after its target's label.
  template <class Use>
  void for_each_way(const BasicBlock& from, const BasicBlock& to, Use use) const {
    const Instruction& last = code_[from.end - 1];
    const bool branches = last.opcode == Opcode::bra && last.target == to.first;
    if (branches) use(marks_before_target_of(from.end - 1));
    const bool falls = from.end == to.first && !(last.opcode == Opcode::bra && !last.guard);
    if (falls || !branches) use(0u);
  }
  std::uint32_t marks_before_target_of(Pc branch) const {
    const auto found = function_.marks_before_target.find(branch);
    return found == function_.marks_before_target.end() ? 0 : found->second;
  }

  // The open marks on the edge, at the first instruction of `to`.
  Open along(std::uint32_t from, std::uint32_t to) const {
    Open met;
    if (!in_[from]) return met;
    const BasicBlock &source = cfg_.blocks[from], &target = cfg_.blocks[to];
    std::vector<std::uint32_t> at_end = *in_[from];
    for_each_inside(source, [&](std::uint32_t m) { pass(m, at_end); });
    for_each_way(source, target, [&](std::uint32_t first) {
      Open open{at_end};
      for_each_before(target, first, [&](std::uint32_t m) { pass(m, *open); });
      meet(met, open);
    });
    return met;
  }
  Open at_entry() const {
    Open open{std::in_place};
    for_each_before(cfg_.blocks[0], 0, [&](std::uint32_t m) { pass(m, *open); });
    return open;
  }
  // What both paths have begun.
  static void meet(Open& known, const Open& other) {
    if (!other) return;
    if (!known) {
      known = other;
      return;
    }
    const auto [end, ignored] =
        std::mismatch(known->begin(), known->end(), other->begin(), other->end());
    known->erase(end, known->end());
  }
  void find_open_marks() {
    if (cfg_.blocks.empty()) return;
    in_[0] = at_entry();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
        for (const std::uint32_t next : cfg_.blocks[b].successors) {
          const Open before = in_[next];
          meet(in_[next], along(b, next));
          changed |= in_[next] != before;
        }
    }
  }

  void check_ends() const {
    if (cfg_.blocks.empty()) return;
    const auto check = [&](std::uint32_t m, std::vector<std::uint32_t>& open) {
      if (marks_[m].kind == Kind::end && open.empty())
        fail(marks_[m], "'heddle_ps_end' ends no heddle_ps_begin that every path has passed");
      pass(m, open);
    };
    std::vector<std::uint32_t> none;
    for_each_before(cfg_.blocks[0], 0, [&](std::uint32_t m) { check(m, none); });
    for (const BasicBlock& block : cfg_.blocks) {
      Open open = in_[static_cast<std::size_t>(&block - cfg_.blocks.data())];
      if (!open) continue;
      for_each_inside(block, [&](std::uint32_t m) { check(m, *open); });
      for (const std::uint32_t next : block.successors)
        for_each_way(block, cfg_.blocks[next], [&](std::uint32_t first) {
          Open passed = open;
          for_each_before(cfg_.blocks[next], first, [&](std::uint32_t m) { check(m, *passed); });
        });
    }
  }

  std::uint32_t group_of(const Loop& loop) {
    const std::uint32_t header = cfg_.block_of[loop.header];
    for (std::uint32_t m = 0; m < marks_.size(); ++m)
      if (marks_[m].kind == Kind::loop && marks_[m].instruction == loop.header &&
          is_passed_by(loop.back_edges, m)) {
        used_[m] = 1;
        return marks_[m].group;
      }
    Open open;
    if (header == 0) open = at_entry();
    for (const std::uint32_t before : cfg_.blocks[header].predecessors)
      if (!loop.contains(cfg_.blocks[before].first)) meet(open, along(before, header));
    if (!open || open->empty()) return 0;
    for (const std::uint32_t m : *open) used_[m] = 1;
    return marks_[open->back()].group;
  }

  bool is_passed_by(const std::vector<Pc>& branches, std::uint32_t mark) const {
    return std::all_of(branches.begin(), branches.end(),
                       [&](Pc branch) { return marks_before_target_of(branch) <= mark; });
  }

  [[noreturn]] void refuse_without_loop(const AstLoopMark& mark) const {
    if (mark.kind == Kind::loop)
      fail(mark, "'heddle_ps_loop' does not follow the label of a loop's header");
    fail(mark,
         "'heddle_ps_begin' marks no loop: every path must enter a loop between it and "
         "heddle_ps_end; #pragma unroll 1 keeps a loop that the compiler unrolls");
  }
  [[noreturn]] void fail(const AstLoopMark& mark, const std::string& message) const {
    const auto file = unit_.files.find(mark.file);
    const bool known = mark.file_line != 0 && file != unit_.files.end();
    throw UserError(
        unit_.where(mark.at),
        message + (known ? " (" + file->second + ":" + std::to_string(mark.file_line) + ")" : ""));
  }

  const AstUnit& unit_;
  const AstFunction& function_;
  std::span<const AstLoopMark> marks_;
  const Cfg& cfg_;
  std::span<const Instruction> code_;
  std::vector<Open> in_;    // by block: at its first instruction
  std::vector<char> used_;  // by mark: it marks a loop
};

}  // namespace

void mark_loops(const AstUnit& unit, const AstFunction& function, const Cfg& cfg,
                std::span<const Instruction> code, std::span<Loop> loops) {
  if (!function.loop_marks.empty()) LoopMarker(unit, function, cfg, code).mark(loops);
}

}  // namespace heddle::ptx
