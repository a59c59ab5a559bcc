// Walks the control-flow graph once per nesting level of loops: blocks in reverse post-order, an
// inner loop as one step. A loop's body is evaluated twice. The first pass has an unknown for each
// register that the loop carries and finds by how much it changes; the second pass has its value
// as a form of the loop's counter.
#include "analysis/symbolic_evaluation.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "analysis/loop_bounds.h"
#include "analysis/symbolic_values.h"
#include "ptx/flow/cfg.h"

namespace heddle::analysis {
namespace {

using ptx::BasicBlock;
using ptx::Cfg;
using ptx::Instruction;
using ptx::Loop;
using ptx::Opcode;
using ptx::Space;

// Instructions that one analysis evaluates; a kernel that needs more is not analysed.
constexpr std::uint64_t kMaxEvaluated = 400'000;
constexpr std::uint32_t kMaxLoopDepth = std::bit_width(kMaxEvaluated);  // of loops

struct TooLong {};
struct Irreducible {};

using Registers = std::vector<char>;

// Registers that may be read after each block's start.
std::vector<Registers> find_live(const std::vector<Instruction>& code, const Cfg& cfg,
                                 std::size_t count) {
  std::vector<Registers> live(cfg.blocks.size(), Registers(count, 0));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = cfg.blocks.size(); b-- > 0;) {
      Registers now(count, 0);
      for (std::uint32_t s : cfg.blocks[b].successors)
        for (std::size_t r = 0; r < count; ++r) now[r] |= live[s][r];
      for (Pc pc = cfg.blocks[b].end; pc-- > cfg.blocks[b].first;) {
        const Instruction& i = code[pc];
        if (!i.guard)
          for (std::uint32_t w = 0; w < i.write_count; ++w) now[i.writes[w]] = 0;
        for (std::uint32_t r = 0; r < i.read_count; ++r) now[i.reads[r]] = 1;
      }
      if (now != live[b]) {
        live[b] = std::move(now);
        changed = true;
      }
    }
  }
  return live;
}

struct Incoming {
  std::uint32_t from = 0;
  ConditionId condition = Forms::kAlways;
  RegisterState state;
};

class Walk {
 public:
  Walk(const ptx::Kernel& kernel, const LaunchShape& launch, SymbolicKernel& out)
      : kernel_(kernel), forms_(out.forms), out_(out), values_(kernel, launch, out.forms) {
    const Pc end = kernel.functions.size() > 1 ? kernel.functions[1].entry
                                               : static_cast<Pc>(kernel.code.size());
    code_.assign(kernel.code.begin(), kernel.code.begin() + end);
    cfg_ = ptx::build_cfg(code_, kernel.branch_tables);
    live_ = find_live(code_, cfg_, kernel.architectural_registers);
    number_blocks();
    pending_.resize(cfg_.blocks.size());
    conditions_.resize(cfg_.blocks.size(), Forms::kAlways);
    accesses_.resize(kernel.code.size());
    out_.loops.resize(kernel.loops.size());
  }

  void run() {
    // A body is evaluated twice for every loop around it. Without this check a walk into a deep
    // nest fills the stack before it has evaluated so much.
    for (const Loop& loop : kernel_.loops)
      if (loop.depth > kMaxLoopDepth) throw TooLong{};
    pending_[0].push_back(
        {Cfg::kNone, Forms::kAlways, RegisterState(kernel_.architectural_registers, 0)});
    walk(order_, Loop::kNone);
    for (auto& access : accesses_)
      if (access) out_.accesses.push_back(std::move(*access));
    for (Pc pc = static_cast<Pc>(code_.size()); pc < kernel_.code.size(); ++pc)
      if (auto access = described(pc)) {
        access->reason = "it is in a called function, which is not followed";
        out_.accesses.push_back(std::move(*access));
      }
  }

 private:
  void number_blocks() {
    std::vector<char> seen(cfg_.blocks.size(), 0);
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{0, 0}};
    seen[0] = 1;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      const auto& successors = cfg_.blocks[block].successors;
      if (next == successors.size()) {
        order_.push_back(block);
        path.pop_back();
      } else if (const std::uint32_t s = successors[next++]; !seen[s]) {
        seen[s] = 1;
        path.emplace_back(s, 0);
      }
    }
    std::reverse(order_.begin(), order_.end());
    position_.assign(cfg_.blocks.size(), ~std::uint32_t{0});
    for (std::uint32_t n = 0; n < order_.size(); ++n) position_[order_[n]] = n;
  }

  // The loop directly inside `outer` whose header is the block's start, or none.
  std::uint16_t loop_at(std::uint32_t block, std::uint16_t outer) const {
    for (std::size_t l = 0; l < kernel_.loops.size(); ++l)
      if (kernel_.loops[l].header == cfg_.blocks[block].first && kernel_.loops[l].parent == outer)
        return static_cast<std::uint16_t>(l);
    return Loop::kNone;
  }

  void walk(const std::vector<std::uint32_t>& blocks, std::uint16_t loop) {
    std::vector<char> done(cfg_.blocks.size(), 0);
    for (std::uint32_t block : blocks) {
      if (done[block] || pending_[block].empty()) continue;
      Incoming in = merge(block);
      const std::uint16_t inner = loop_at(block, loop);
      if (inner == Loop::kNone) {
        walk_block(block, std::move(in), loop);
        continue;
      }
      std::vector<std::uint32_t> body;
      for (std::uint32_t b : blocks)
        if (kernel_.loops[inner].contains(cfg_.blocks[b].first)) {
          body.push_back(b);
          done[b] = 1;
        }
      walk_loop(inner, block, body, std::move(in), loop);
    }
  }

  // What arrives at a block, on all paths.
  Incoming merge(std::uint32_t block) {
    std::vector<Incoming> paths = std::move(pending_[block]);
    pending_[block].clear();
    if (paths.size() == 1) return std::move(paths.front());
    // What all paths have in common decides nothing here.
    std::vector<ConditionId> common = forms_.conjuncts(paths.front().condition);
    for (const Incoming& p : paths) {
      const std::vector<ConditionId> parts = forms_.conjuncts(p.condition);
      std::erase_if(common, [&](ConditionId c) {
        return std::find(parts.begin(), parts.end(), c) == parts.end();
      });
    }
    std::vector<ConditionId> own;
    for (const Incoming& p : paths) {
      std::vector<ConditionId> parts = forms_.conjuncts(p.condition);
      std::erase_if(parts, [&](ConditionId c) {
        return std::find(common.begin(), common.end(), c) != common.end();
      });
      own.push_back(forms_.all_of(parts));
    }
    Incoming result;
    result.state.assign(kernel_.architectural_registers, 0);
    for (std::size_t r = 0; r < result.state.size(); ++r) {
      if (!live_[block][r]) continue;
      const ValueId first = paths.front().state[r];
      if (std::all_of(paths.begin(), paths.end(),
                      [&](const Incoming& p) { return p.state[r] == first; })) {
        result.state[r] = first;
        continue;
      }
      std::vector<std::pair<ConditionId, ValueId>> cases;
      for (std::size_t p = 0; p < paths.size(); ++p) cases.emplace_back(own[p], paths[p].state[r]);
      result.state[r] = values_.merge(cases);
    }
    const std::uint32_t dominator = cfg_.dominator[block];
    if (dominator != Cfg::kNone && all_paths_reach(dominator, block)) {
      result.condition = conditions_[dominator];
    } else {
      common.push_back(forms_.any_of(own));
      result.condition = forms_.all_of(common);
    }
    return result;
  }

  // Does every path from `from` reach `to`, in the same iteration?
  bool all_paths_reach(std::uint32_t from, std::uint32_t to) const {
    std::vector<char> seen(cfg_.blocks.size(), 0);
    std::vector<std::uint32_t> stack{from};
    seen[from] = 1;
    while (!stack.empty()) {
      const BasicBlock& block = cfg_.blocks[stack.back()];
      stack.pop_back();
      if (block.exits || block.successors.empty()) return false;
      for (std::uint32_t s : block.successors) {
        if (s == to || seen[s]) continue;
        if (position_[s] <= position_[from] || position_[s] > position_[to]) return false;
        seen[s] = 1;
        stack.push_back(s);
      }
    }
    return true;
  }

  void walk_block(std::uint32_t index, Incoming in, std::uint16_t loop) {
    const BasicBlock& block = cfg_.blocks[index];
    evaluated_ += block.end - block.first;
    if (evaluated_ > kMaxEvaluated) throw TooLong{};
    conditions_[index] = in.condition;
    for (Pc pc = block.first; pc < block.end; ++pc) {
      record_access(pc, in);
      values_.execute(pc, in.state, in.condition);
      const Instruction& i = code_[pc];
      // A guarded return or exit: the lanes that stay.
      if ((i.opcode == Opcode::ret || i.opcode == Opcode::exit) && i.guard)
        in.condition =
            forms_.all_of({in.condition, forms_.negate(values_.predicate(i.guard, in.state))});
    }
    const Instruction& last = code_[block.end - 1];
    if (block.successors.empty()) return;
    if (last.opcode == Opcode::bra && last.guard && block.successors.size() == 2) {
      const ConditionId taken = values_.predicate(last.guard, in.state);
      const std::uint32_t target =
          last.target < code_.size() ? cfg_.block_of[last.target] : Cfg::kNone;
      for (std::uint32_t s : block.successors)
        continue_at(index, s,
                    forms_.all_of({in.condition, s == target ? taken : forms_.negate(taken)}),
                    in.state, loop);
      return;
    }
    const bool indexed = block.successors.size() > 1;
    for (std::uint32_t s : block.successors) {
      ConditionId condition = in.condition;
      if (indexed)
        condition = forms_.all_of(
            {condition,
             values_.add_unknown(values_
                                     .value(values_.add_opaque("a branch through a table at " +
                                                               values_.place(block.end - 1)))
                                     .reason)});
      continue_at(index, s, condition, in.state, loop);
    }
  }

  void continue_at(std::uint32_t from, std::uint32_t to, ConditionId condition, RegisterState state,
                   std::uint16_t loop) {
    if (condition == Forms::kNever) return;
    if (loop != Loop::kNone && kernel_.loops[loop].header == cfg_.blocks[to].first) {
      back_edges_->push_back({from, condition, std::move(state)});
      return;
    }
    if (loop != Loop::kNone && !kernel_.loops[loop].contains(cfg_.blocks[to].first)) {
      exits_->push_back({{from, condition, std::move(state)}, to});
      return;
    }
    if (position_[to] <= position_[from]) throw Irreducible{};
    pending_[to].push_back({from, condition, std::move(state)});
  }

  struct Exit {
    Incoming in;
    std::uint32_t to;
  };

  // Evaluates a loop's body with these values at its header.
  void walk_body(std::uint16_t loop, std::uint32_t header, const std::vector<std::uint32_t>& body,
                 Incoming at_header, std::vector<Incoming>& back, std::vector<Exit>& exits) {
    std::vector<Incoming>* const outer_back = std::exchange(back_edges_, &back);
    std::vector<Exit>* const outer_exits = std::exchange(exits_, &exits);
    for (std::uint32_t b : body) pending_[b].clear();
    // The header is walked as a block of the loop.
    walk_block(header, std::move(at_header), loop);
    std::vector<std::uint32_t> rest(body.begin(), body.end());
    std::erase(rest, header);
    walk(rest, loop);
    back_edges_ = outer_back;
    exits_ = outer_exits;
  }

  void walk_loop(std::uint16_t loop, std::uint32_t header, const std::vector<std::uint32_t>& body,
                 Incoming in, std::uint16_t outer) {
    LoopBounds bounds(kernel_, forms_, values_, loop);
    Registers written(kernel_.architectural_registers, 0);
    for (std::uint32_t b : body)
      for (Pc pc = cfg_.blocks[b].first; pc < cfg_.blocks[b].end; ++pc) {
        for (std::uint32_t w = 0; w < code_[pc].write_count; ++w) written[code_[pc].writes[w]] = 1;
        if (code_[pc].opcode == Opcode::wgmma)
          for (const ptx::Operand& d :
               kernel_.accumulators[code_[pc].as<ptx::Wgmma>().accumulators])
            written[d.reg] = 1;
      }
    for (std::size_t r = 0; r < written.size(); ++r) {
      if (!live_[header][r])
        in.state[r] = 0;
      else if (written[r])
        bounds.carry(static_cast<std::uint16_t>(r), in.state[r]);
    }

    // First pass.
    Incoming unknown = in;
    bounds.set_unknowns(unknown.state);
    std::vector<Incoming> back;
    std::vector<Exit> exits;
    walk_body(loop, header, body, unknown, back, exits);
    std::vector<BackEdge> edges;
    for (Incoming& b : back) edges.push_back({strip(b.condition, in.condition), b.state});
    std::vector<ConditionId> exit_conditions;
    for (const Exit& e : exits) exit_conditions.push_back(strip(e.in.condition, in.condition));
    bounds.solve(edges, exit_conditions, in.condition);
    SymbolicLoop& record = out_.loops[loop];
    record = bounds.result();

    // Second pass.
    Incoming counted = in;
    bounds.set_solutions(counted.state);
    back.clear();
    exits.clear();
    walk_body(loop, header, body, counted, back, exits);
    const bool single = exits.size() == 1;
    for (Exit& e : exits) {
      for (std::size_t r = 0; r < e.in.state.size(); ++r)
        e.in.state[r] =
            live_[e.to][r] ? bounds.after_loop(e.in.state[r], single && record.counted) : 0;
      ConditionId condition = in.condition;
      if (!single)
        condition = forms_.all_of(
            {condition, values_.add_unknown(values_
                                                .value(values_.add_opaque(
                                                    "one of several exits of the loop at " +
                                                    values_.place(kernel_.loops[loop].header)))
                                                .reason)});
      continue_at(e.in.from, e.to, condition, std::move(e.in.state), outer);
    }
  }

  // The parts of a condition that the loop's entry does not have already.
  ConditionId strip(ConditionId condition, ConditionId entry) {
    const std::vector<ConditionId> held = forms_.conjuncts(entry);
    std::vector<ConditionId> parts = forms_.conjuncts(condition);
    std::erase_if(
        parts, [&](ConditionId c) { return std::find(held.begin(), held.end(), c) != held.end(); });
    return forms_.all_of(parts);
  }

  // The access of an instruction, without its address; none when it accesses neither space.
  std::optional<SymbolicAccess> described(Pc pc) const {
    const Instruction& i = kernel_.code[pc];
    const bool space =
        i.space == Space::global || i.space == Space::local || i.space == Space::generic;
    const bool copies = i.opcode == Opcode::cp_async || i.opcode == Opcode::bulk_load ||
                        i.opcode == Opcode::bulk_store;
    if (!copies &&
        (!space || (i.op_class != ptx::OpClass::load && i.op_class != ptx::OpClass::store &&
                    i.op_class != ptx::OpClass::atomic)))
      return std::nullopt;
    SymbolicAccess access;
    access.pc = pc;
    access.space = copies ? Space::global : i.space;
    access.store = i.op_class != ptx::OpClass::load && i.opcode != Opcode::cp_async &&
                   i.opcode != Opcode::bulk_load;
    access.bytes =
        static_cast<std::uint32_t>(i.access_bytes) * std::max<std::uint32_t>(1, i.vector);
    access.loop = i.loop;
    return access;
  }

  void record_access(Pc pc, const Incoming& in) {
    std::optional<SymbolicAccess> access = described(pc);
    if (!access) return;
    const Instruction& i = code_[pc];
    access->condition = in.condition;
    if (i.guard)
      access->condition = forms_.all_of({in.condition, values_.predicate(i.guard, in.state)});
    if (ptx::is_matrix(i.opcode)) {
      access->reason = "a matrix instruction accesses several addresses per lane";
    } else if (i.opcode == Opcode::bulk_load || i.opcode == Opcode::bulk_store) {
      access->reason = "a bulk copy accesses several lines per lane";
    } else {
      const Value value = values_.address(i, i.src[0], in.state, access->condition);
      if (value.kind == Value::Kind::form) {
        access->affine = true;
        access->address = value.form;
        if (access->space == Space::generic) access->space = Space::global;
      } else {
        const Reason& reason = values_.reason(value.reason);
        if (reason.shared_address) return;
        access->reason = "its address depends on " + reason.text;
      }
    }
    accesses_[pc] = std::move(access);
  }

  const ptx::Kernel& kernel_;
  Forms& forms_;
  SymbolicKernel& out_;
  SymbolicValues values_;
  std::vector<Instruction> code_;
  Cfg cfg_;
  std::vector<Registers> live_;
  std::vector<std::uint32_t> order_, position_;
  std::vector<std::vector<Incoming>> pending_;
  std::vector<ConditionId> conditions_;  // at the start of each block
  std::vector<Incoming>* back_edges_ = nullptr;
  std::vector<Exit>* exits_ = nullptr;
  std::vector<std::optional<SymbolicAccess>> accesses_;
  std::uint64_t evaluated_ = 0;
};

}  // namespace

SymbolicKernel evaluate_symbolically(const ptx::Kernel& kernel, const LaunchShape& launch) {
  SymbolicKernel out;
  const auto last = [](std::uint32_t n) { return Interval{0, std::int64_t{n} - 1}; };
  const char* const names[] = {"tidx", "tidy", "tidz", "bidx", "bidy", "bidz"};
  const std::uint32_t extents[] = {launch.block.x, launch.block.y, launch.block.z,
                                   launch.grid.x,  launch.grid.y,  launch.grid.z};
  for (AtomId v = 0; v < kAxes; ++v) out.forms.add_variable(names[v], last(extents[v]));
  try {
    Walk(kernel, launch, out).run();
  } catch (const Irreducible&) {
    out.not_analysed = "its control flow has a cycle with two entries";
  } catch (const TooLong&) {
    out.not_analysed = "it has too many instructions in nested loops";
  } catch (const NumberTooLarge&) {
    out.not_analysed = "it computes with a number that does not fit into 63 bits";
  }
  return out;
}

}  // namespace heddle::analysis
