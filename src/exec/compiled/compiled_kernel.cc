#include "exec/compiled/compiled_kernel.h"

#include <deque>

#include "exec/compiled/access.h"
#include "exec/compiled/divergence.h"
#include "exec/compiled/families.h"

namespace heddle::exec {
namespace {

// The instructions at which straight code may begin: behind each that changes the control flow, and
// where a branch or a call goes or lanes reconverge.
std::vector<char> leaders_of(const DecodedKernel& kernel) {
  std::vector<char> leads(kernel.code.size(), 0);
  const auto mark = [&](Pc pc) {
    if (pc < leads.size()) leads[pc] = 1;
  };
  mark(0);
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    const DecodedInstruction& r = kernel.code[pc];
    if (r.flow == Flow::plain) continue;
    mark(static_cast<Pc>(pc) + 1);
    mark(r.instruction->target);
    mark(r.instruction->reconvergence);
  }
  const auto& ptx = static_cast<const ptx::Kernel&>(*kernel.kernel);
  for (const auto& table : ptx.branch_tables)
    for (const Pc target : table) mark(target);
  for (const ptx::Function& function : ptx.functions) mark(function.entry);
  return leads;
}

}  // namespace

class KernelCompiler {
 public:
  KernelCompiler(const DecodedKernel& kernel, CompiledKernel& out)
      : kernel_(kernel), out_(out), leads_(leaders_of(kernel)) {
    out_.compiled_.assign(kernel.code.size(), 0);
    out_.entries_.resize(kernel.code.size());
    for (std::size_t pc = 0; pc < leads_.size(); ++pc) out_.entries_[pc].leads = leads_[pc] != 0;
    out_.code_ = std::make_unique<LaneCode>(kernel, RowUses(kernel, leads_));
  }

  void compile() {
    LaneCode& c = *out_.code_;
    emit_address_description(c);
    entries_.fill(std::vector<Xbyak::Label>(kernel_.code.size()));
    std::array<Xbyak::Label, 2> enter;
    for (const bool all : {false, true}) {
      all_active_ = all;
      resumptions_.clear();
      c.L(enter[all]);
      emit_prologue();
      for (Pc pc = 0; pc < kernel_.code.size();) pc = emit_block(pc);
      emit_divergences();
      emit_exits();
      keep_labels();
    }
    c.ready(Xbyak::CodeArray::PROTECT_RE);
    for (const bool all : {false, true}) {
      out_.enter_[all] = reinterpret_cast<CompiledKernel::Enter>(
          reinterpret_cast<std::uintptr_t>(enter[all].getAddress()));
      set_addresses(all);
    }
    for (const CompiledKernel::Entries& e : out_.entries_)
      out_.starts_.push_back(e.at_start[false]);
  }

 private:
  // Instructions of a block so far, and those without a guard.
  struct Executed {
    int instructions = 0, unguarded = 0;
  };
  struct Exit {
    Xbyak::Label label;
    std::uint32_t end = 0;
    Executed executed;
    int counted = 0;  // instructions that `left` lacks already
    KeptRows kept;    // not in memory yet
  };
  // A branch that some active lanes take.
  struct Divergence {
    Xbyak::Label label;
    Pc pc = 0;
    Executed executed;
    Xbyak::Label* interpret = nullptr;
  };
  struct Reconvergence {
    Xbyak::Label label;
    Pc pc = 0;
  };
  struct Resumption {
    Xbyak::Label label, behind;
    Pc pc = 0;
    Executed executed;
    KeptRows kept;
  };

  static std::array<Xbyak::Reg64, 6> saved_registers(const LaneCode& c) {
    return {c.rbx, c.rbp, c.r12, c.r13, c.r14, c.r15};
  }

  void emit_prologue() {
    LaneCode& c = *out_.code_;
    for (const Xbyak::Reg64& saved : saved_registers(c)) c.push(saved);
    c.mov(c.rax, c.rsi);
    c.mov(c.registers, c.at(offsetof(LaneContext, registers)));
    c.mov(c.constants, c.at(offsetof(LaneContext, constants)));
    c.mov(c.predicates, c.at(offsetof(LaneContext, predicates)));
    c.mov(c.left, c.at(offsetof(LaneContext, left)));
    c.mov(c.threads, c.at(offsetof(LaneContext, threads)));
    c.mov(c.active, c.at(offsetof(LaneContext, active)));
    c.mov(c.reconvergence, c.at(offsetof(LaneContext, reconvergence)));
    c.popcnt(c.active_count, c.active);
    if (!all_active_) c.expand(c.active, offsetof(LaneContext, active_lanes));
    c.jmp(c.rax);
  }

  // Emits the block that begins at `pc`; returns the first instruction behind it.
  Pc emit_block(Pc pc) {
    LaneCode& c = *out_.code_;
    c.L(entries_[all_active_][pc]);
    c.begin_block(all_active_);
    executed_ = {};
    c.cmp(c.reconvergence, pc);
    c.je(reconvergences_.emplace_back(Reconvergence{{}, pc}).label);
    do {
      const DecodedInstruction& r = kernel_.code[pc];
      if (r.flow != Flow::plain) {
        c.store_all();
        if (r.flow == Flow::branch && !r.closes_spin_loop)
          emit_branch(r, pc);
        else
          c.jmp(exit(pc));
        return pc + 1;
      }
      emit_plain(r, pc++);
    } while (!leads_[pc]);
    c.store_all();
    c.sub(c.left, executed_.instructions);
    count_threads(executed_.unguarded);
    return pc;
  }

  void emit_plain(const DecodedInstruction& r, Pc pc) {
    LaneCode& c = *out_.code_;
    Xbyak::Label& interpret = exit(pc);
    c.begin_instruction(r, pc);
    bool needs_start = false;
    out_.compiled_[pc] = emit_family(r, interpret, needs_start);
    if (!out_.compiled_[pc]) c.jmp(interpret);
    const bool may_stop = interpret.getId() != 0;
    if (may_stop)
      exits_.back().kept = c.kept_at_exit();
    else
      exits_.pop_back();
    if (needs_start) exits_.back().end |= CompiledKernel::kNeedsStart;
    if (c.has_guard()) {
      c.popcnt(c.eax, c.guarded);
      c.add(c.threads, c.rax);
    } else {
      ++executed_.unguarded;
    }
    ++executed_.instructions;
    c.end_instruction();
    if (!out_.compiled_[pc]) c.begin_block(all_active_);
    if (may_stop && !needs_start) add_resumption(pc + 1);
  }

  bool emit_family(const DecodedInstruction& r, Xbyak::Label& interpret, bool& needs_start) {
    LaneCode& c = *out_.code_;
    return compile_access(c, r, interpret, needs_start) || compile_move(c, r) ||
           compile_choice(c, r) || compile_floating(c, r) || compile_integer(c, r);
  }

  void emit_branch(const DecodedInstruction& r, Pc pc) {
    LaneCode& c = *out_.code_;
    const int counted = executed_.instructions + 1;
    Xbyak::Label& out = exit(pc);
    exits_.back().counted = counted;
    c.sub(c.left, counted);
    c.jle(out);
    c.begin_instruction(r, pc);
    if (!c.has_guard()) {
      count_threads(executed_.unguarded + 1);
      c.jmp(entries_[all_active_][r.instruction->target]);
      return;
    }
    Xbyak::Label fall_through;
    c.test(c.guarded, c.guarded);
    c.jz(fall_through);
    c.cmp(c.guarded, c.active);
    if (can_diverge(r, pc))
      c.jne(divergences_.emplace_back(Divergence{{}, pc, executed_, &out}).label);
    else
      c.jne(out);
    count_threads(executed_.unguarded + 1);
    c.jmp(entries_[all_active_][r.instruction->target]);
    c.L(fall_through);
    count_threads(executed_.unguarded);
  }

  void count_threads(int instructions) {
    LaneCode& c = *out_.code_;
    if (instructions == 0) return;
    c.imul(c.eax, c.active_count, instructions < 0 ? -instructions : instructions);
    instructions < 0 ? c.sub(c.threads, c.rax) : c.add(c.threads, c.rax);
  }

  Xbyak::Label& exit(std::uint32_t end) {
    Exit& e = exits_.emplace_back();
    e.end = end;
    e.executed = executed_;
    return e.label;
  }

  void add_resumption(Pc pc) {
    LaneCode& c = *out_.code_;
    Resumption& r = resumptions_.emplace_back();
    r.pc = pc;
    r.executed = executed_;
    r.kept = c.kept();
    c.L(r.behind);
  }

  void emit_divergences() {
    LaneCode& c = *out_.code_;
    for (Divergence& d : divergences_) {
      const DecodedInstruction& r = kernel_.code[d.pc];
      c.L(d.label);
      emit_check_of_stack(c, *d.interpret);
      count_threads(d.executed.unguarded);
      c.popcnt(c.eax, c.guarded);
      c.add(c.threads, c.rax);
      emit_divergence(c, r, d.pc);
      c.jmp(entries_[false][first_path(r, d.pc)]);
    }
    divergences_.clear();
    executed_ = {};
    for (Reconvergence& r : reconvergences_) {
      c.L(r.label);
      emit_reconvergence(c, r.pc, entries_[true][r.pc], entries_[false][r.pc],
                         exit(r.pc | CompiledKernel::kReached));
    }
    reconvergences_.clear();
  }

  void emit_exits() {
    LaneCode& c = *out_.code_;
    Xbyak::Label epilogue;
    for (Exit& e : exits_) {
      c.L(e.label);
      if (const int difference = e.counted - e.executed.instructions; difference != 0)
        c.add(c.left, difference);
      count_threads(e.executed.unguarded);
      c.store_rows(e.kept);
      c.mov(c.eax, e.end);
      c.jmp(epilogue);
    }
    exits_.clear();
    for (Resumption& r : resumptions_) {
      c.L(r.label);
      c.add(c.left, r.executed.instructions);
      count_threads(-r.executed.unguarded);
      c.load_rows(r.kept);
      c.jmp(r.behind);
    }
    c.L(epilogue);
    c.mov(c.at(offsetof(LaneContext, left)), c.left);
    c.mov(c.at(offsetof(LaneContext, threads)), c.threads);
    c.vzeroupper();
    const auto saved = saved_registers(c);
    for (auto last = saved.rbegin(); last != saved.rend(); ++last) c.pop(*last);
    c.ret();
  }

  void keep_labels() {
    for (Resumption& r : resumptions_) kept_resumptions_[all_active_].push_back({r.label, r.pc});
  }

  // Only where an instruction is compiled: the interpreter executes others without entering.
  void set_addresses(bool all) {
    for (std::size_t pc = 0; pc < kernel_.code.size(); ++pc)
      if (leads_[pc] && out_.compiled_[pc])
        out_.entries_[pc].at_start[all] = entries_[all][pc].getAddress();
    for (const auto& [label, pc] : kept_resumptions_[all])
      if (out_.compiled_[pc]) out_.entries_[pc].in_block[all] = label.getAddress();
  }

  const DecodedKernel& kernel_;
  CompiledKernel& out_;
  std::vector<char> leads_;  // by pc
  bool all_active_ = false;
  Executed executed_;
  std::deque<Exit> exits_;
  std::deque<Resumption> resumptions_;
  std::deque<Divergence> divergences_;
  std::deque<Reconvergence> reconvergences_;
  std::array<std::vector<Xbyak::Label>, 2> entries_;  // by `all lanes are active`, pc
  std::array<std::vector<std::pair<Xbyak::Label, Pc>>, 2> kept_resumptions_;
};

CompiledKernel::CompiledKernel(const DecodedKernel& kernel) {
  KernelCompiler(kernel, *this).compile();
}
CompiledKernel::~CompiledKernel() = default;

std::unique_ptr<const CompiledKernel> CompiledKernel::compile(const DecodedKernel& kernel) {
  if (kernel.machine_code) return nullptr;
  try {
    return std::make_unique<const CompiledKernel>(kernel);
  } catch (const Xbyak::Error&) {
    return nullptr;  // the host does not allow generated code
  }
}

}  // namespace heddle::exec
