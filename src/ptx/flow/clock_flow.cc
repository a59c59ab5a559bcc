#include "ptx/flow/clock_flow.h"

#include <algorithm>

namespace heddle::ptx {
namespace {

bool reads_clock(const Instruction& i) {
  return i.opcode == Opcode::read_special && is_dynamic(i.special);
}

bool changes_registers_only(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::alloca:
    case Opcode::stacksave:
    case Opcode::stackrestore:
    case Opcode::vprintf:
    case Opcode::assertfail:
    case Opcode::device_malloc:
    case Opcode::device_free:
    case Opcode::device_runtime:
    case Opcode::call_through_site:
    case Opcode::cp_async_commit:
    case Opcode::cp_async_wait:
    case Opcode::cp_async_arrive:
    case Opcode::mbarrier_count:
    case Opcode::cluster_arrive: return false;
    default:
      return !i.carry_out && (i.op_class < OpClass::load || i.op_class == OpClass::memory_barrier);
  }
}

class ClockAnalysis {
 public:
  ClockAnalysis(std::span<const Instruction> code, const Cfg& cfg, std::uint16_t first_register,
                std::size_t count)
      : code_(code), cfg_(cfg), first_register_(first_register) {
    flow_.registers.assign(count, 0);
    flow_.decided.assign(code.size(), 0);
    flow_.acts.assign(code.size(), 0);
  }

  ClockFlow run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) changed = propagate_in(b) || changed;
    }
    for (Pc pc = 0; pc < code_.size(); ++pc) {
      const Instruction& i = code_[pc];
      if (is_branch(pc)) continue;  // depends on its region, below
      flow_.acts[pc] = (flow_.decided[pc] && converges(i)) ||
                       ((flow_.decided[pc] || uses(i)) && !changes_registers_only(i));
    }
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if (decides(b) && decides_about_effects(b)) flow_.acts[cfg_.blocks[b].end - 1] = 1;
    return std::move(flow_);
  }

 private:
  bool is_branch(Pc pc) const { return code_[pc].op_class == OpClass::branch; }
  bool uses(const Instruction& i) const {
    return std::any_of(i.reads.begin(), i.reads.begin() + i.read_count,
                       [&](std::uint16_t r) { return flow_.registers[r - first_register_] != 0; });
  }
  // Does the block end in a branch that depends on a clock?
  bool decides(std::uint32_t block) const {
    const Pc last = cfg_.blocks[block].end - 1;
    return is_branch(last) && cfg_.blocks[block].successors.size() > 1 && uses(code_[last]);
  }

  bool propagate_in(std::uint32_t block) {
    bool changed = false;
    for (Pc pc = cfg_.blocks[block].first; pc < cfg_.blocks[block].end; ++pc) {
      const Instruction& i = code_[pc];
      if (!reads_clock(i) && !flow_.decided[pc] && !uses(i)) continue;
      for (std::uint8_t n = 0; n < i.write_count; ++n) {
        char& depends = flow_.registers[i.writes[n] - first_register_];
        changed = changed || !depends;
        depends = 1;
      }
    }
    if (!decides(block)) return changed;
    for (const std::uint32_t b : region(block))
      for (Pc pc = cfg_.blocks[b].first; pc < cfg_.blocks[b].end; ++pc)
        if (!flow_.decided[pc]) flow_.decided[pc] = changed = true;
    return changed;
  }

  // The blocks that the branch at the end of `block` decides about: those before its reconvergence
  // point.
  std::vector<std::uint32_t> region(std::uint32_t block) const {
    std::vector<char> seen(cfg_.blocks.size(), 0);
    std::vector<std::uint32_t> reached;
    const auto visit = [&](std::uint32_t b) {
      if (b != cfg_.postdominator[block] && !seen[b]) seen[b] = 1, reached.push_back(b);
    };
    for (const std::uint32_t b : cfg_.blocks[block].successors) visit(b);
    for (std::size_t n = 0; n < reached.size(); ++n)
      for (const std::uint32_t b : cfg_.blocks[reached[n]].successors) visit(b);
    return reached;
  }

  bool decides_about_effects(std::uint32_t block) const {
    const std::vector<std::uint32_t> blocks = region(block);
    return cfg_.postdominator[block] == Cfg::kNone ||
           std::any_of(blocks.begin(), blocks.end(), [&](std::uint32_t b) {
             return cfg_.blocks[b].exits || std::any_of(flow_.acts.begin() + cfg_.blocks[b].first,
                                                        flow_.acts.begin() + cfg_.blocks[b].end,
                                                        [](char c) { return c != 0; });
           });
  }

  std::span<const Instruction> code_;
  const Cfg& cfg_;
  std::uint16_t first_register_;
  ClockFlow flow_;
};

}  // namespace

ClockFlow find_clock_dependence(std::span<const Instruction> code, const Cfg& cfg,
                                std::uint16_t first_register, std::size_t count) {
  if (std::none_of(code.begin(), code.end(), reads_clock)) return {};
  return ClockAnalysis(code, cfg, first_register, count).run();
}

}  // namespace heddle::ptx
