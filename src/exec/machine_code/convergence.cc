#include "exec/machine_code/convergence.h"

#include <algorithm>
#include <bit>

#include "exec/fault.h"
#include "exec/isa/call_frame.h"
#include "exec/isa/control.h"
#include "exec/isa/host_calls.h"
#include "exec/isa/lanes.h"
#include "exec/isa/memory_access.h"
#include "exec/livelock/spin_yield.h"
#include "exec/machine_code/handlers.h"
#include "sass/encoding/form.h"

namespace heddle::exec {
namespace {

using isa::BarrierOp;
using sass::Opcode;

constexpr U32 kBranchesBeforeYield = 64;

const sass::Kernel& kernel_of(const Warp& w) {
  return static_cast<const sass::Kernel&>(w.machine->kernel());
}
Opcode opcode_at(const Warp& w, Pc pc) { return sass_of(w.machine->code[pc]).opcode; }

// --- Groups of lanes ---

using Group = SimtStack::Entry;

// Group `i` runs next; the running one waits below it.
void raise(SimtStack& stack, int i) {
  stack.regroup([i](Group* first, Group* end) {
    std::rotate(first + i, first + i + 1, end);
    return end;
  });
}
// The running group becomes the last to run.
void lower(SimtStack& stack) {
  stack.regroup([](Group* first, Group* end) {
    std::rotate(first, end - 1, end);
    return end;
  });
}
// Groups that wait at the running one's pc for lanes of `mask` join it.
void gather(SimtStack& stack, U32 mask) {
  stack.regroup([mask](Group* first, Group* end) {
    Group all = end[-1];
    Group* kept = first;
    for (Group* g = first; g < end - 1; ++g) {
      if (g->waits && g->pc == all.pc && (g->mask & mask) != 0)
        all.mask |= g->mask;
      else
        *kept++ = *g;
    }
    *kept++ = all;
    return kept;
  });
}
// The waiting group `i` continues at `next`.
void end_wait(SimtStack& stack, int i, Pc next) {
  stack.regroup([i, next](Group* first, Group* end) {
    first[i].pc = next;
    first[i].waits = 0;
    return end;
  });
}
// The waiting group `i` waits at `pc`.
void move_to(SimtStack& stack, int i, Pc pc) {
  stack.regroup([i, pc](Group* first, Group* end) {
    first[i].pc = pc;
    return end;
  });
}
// The running group does not wait for others at its barrier.
void arrive_alone(SimtStack& stack) {
  stack.regroup([](Group*, Group* end) {
    end[-1].waits = 0;
    end[-1].converged = 1;
    return end;
  });
}

// --- Meetings ---

// The lanes that meet at the BSYNC `r`, seen by a lane of the mask.
U32 members(const Warp& w, const DecodedInstruction& r, U32 mask) {
  return reinterpret_cast<const Lane<U32>*>(row(w, r.machine.extra))[std::countr_zero(mask)] &
         w.live;
}
// Lanes of a warp may have different members: the lanes that have those of the first.
U32 lanes_with_its_members(const Warp& w, const DecodedInstruction& r, U32 mask) {
  if (!r.src[0].present) return mask;
  const auto* members = source<U32>(w, r, 0);
  U32 same = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    same |= U32{members[lane] == members[std::countr_zero(mask)]} << lane;
  }
  return same;
}
U32 warp_sync_members(const Warp& w, const DecodedInstruction& r, U32 mask) {
  if (!r.src[0].present) return w.live;
  return source<U32>(w, r, 0)[std::countr_zero(mask)] & w.live;
}

// The lanes that wait at `opcode`, at one pc or, with kNoPc, anywhere.
U32 waiting_lanes(const Warp& w, Opcode opcode, Pc pc) {
  U32 lanes = 0;
  for (int i = 0; i < w.stack.depth(); ++i) {
    const SimtStack::Entry& e = w.stack.entry(i);
    if (e.waits && (pc == kNoPc ? opcode_at(w, e.pc) == opcode : e.pc == pc)) lanes |= e.mask;
  }
  return lanes;
}

bool is_collective(const Warp& w, Pc pc) {
  return sass_of(w.machine->code[pc]).form->name.starts_with("WARPSYNC.COLLECTIVE");
}

// The running group has met `lanes`: those that wait at its pc join it, those that wait at another
// WARPSYNC continue there. At WARPSYNC.COLLECTIVE, too, those of another place join it: the copies
// of what follows are alike.
void finish_sync(Warp& w, U32 lanes) {
  for (int i = 0; i < w.stack.depth() - 1; ++i) {
    const SimtStack::Entry& e = w.stack.entry(i);
    if (!e.waits || e.pc == w.stack.pc() || (e.mask & lanes) == 0 ||
        opcode_at(w, e.pc) != Opcode::WARPSYNC)
      continue;
    if (is_collective(w, e.pc) && is_collective(w, w.stack.pc()))
      move_to(w.stack, i, w.stack.pc());
    else
      end_wait(w.stack, i, e.pc + 1);
  }
  gather(w.stack, lanes);
  w.stack.stop_waiting();
  w.stack.advance(w.stack.pc() + 1);
}

// Whether the waiting group `i`, which is not the last to arrive, may continue. It does not wait
// any more, and is at the top, when it may.
bool release(Warp& w, int i) {
  const SimtStack::Entry entry = w.stack.entry(i);
  const DecodedInstruction& r = w.machine->code[entry.pc];
  const Opcode opcode = sass_of(r).opcode;
  if (opcode == Opcode::BAR) {
    if ((w.live & ~waiting_lanes(w, Opcode::BAR, kNoPc)) != 0) return false;
    raise(w.stack, i);
    w.stack.stop_waiting();  // executes it again
    return true;
  }
  const bool at_sync = opcode == Opcode::BSYNC;
  const U32 wanted = at_sync ? members(w, r, entry.mask) : warp_sync_members(w, r, entry.mask);
  if ((wanted & ~waiting_lanes(w, opcode, at_sync ? entry.pc : kNoPc)) != 0) return false;
  raise(w.stack, i);
  finish_sync(w, wanted);
  return true;
}

// The top waits or has ended: another group runs.
void run_next(Warp& w) {
  if (w.stack.finished()) return;
  for (int i = w.stack.depth() - 1; i >= 0; --i) {
    if (!w.stack.entry(i).waits) return raise(w.stack, i);
    if (release(w, i)) return;
  }
  // Lanes at a barrier of the CTA arrive without the lanes that wait for them elsewhere.
  for (int i = w.stack.depth() - 1; i >= 0; --i) {
    if (opcode_at(w, w.stack.entry(i).pc) != Opcode::BAR) continue;
    raise(w.stack, i);
    arrive_alone(w.stack);
    return;
  }
  const SimtStack::Entry& top = w.stack.top();
  throw_trap(w, w.machine->code[top.pc], std::countr_zero(top.mask),
             "the lanes of a warp wait for each other");
}

void wait_here(Warp& w) {
  w.stack.start_waiting();
  run_next(w);
}

void yield_to_others(Warp& w) {
  if (w.stack.depth() == 1) return;
  lower(w.stack);
  if (w.stack.top().waits) run_next(w);
}

// The active lanes that are not in `mask` continue behind the instruction, and wait until the
// others have executed it. Afterwards the active lanes are `mask`.
void set_apart(Warp& w, U32 mask) {
  const U32 rest = w.stack.active() & ~mask;
  if (rest) w.stack.diverge({w.pc + 1, rest}, {w.pc, mask}, kNoPc);
}

void note_backward_branch(Warp& w, const DecodedInstruction& r, U32 lanes) {
  bool yields = false;
  if (r.closes_spin_loop && shall_yield(w, r, lanes)) {
    w.spins = yields = true;
  } else if (w.stack.depth() > 1 && !r.closes_spin_loop) {
    if (w.spin_pc != w.pc || w.spin_lanes != lanes)
      w.spin_pc = w.pc, w.spin_lanes = lanes, w.spin_iterations = 0;
    yields = ++w.spin_iterations >= kBranchesBeforeYield;
    if (yields) w.spin_iterations = 0;
  }
  if (yields) yield_to_others(w);
}

void go_to(Warp& w, const DecodedInstruction& r, U32 taken, Step* out) {
  const Pc target = r.instruction->target;
  branch_lanes(w, taken, target, kNoPc, out);
  if (taken && target <= w.pc) note_backward_branch(w, r, taken);
}

// BRA.U: the lanes go together, with .ANY when one of them wants to.
bool branch_together(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  mask &= predicate(w, r.src_predicate[0]) & predicate(w, r.src_predicate[1]);
  if (sass::has_flag(sass_of(r), "ANY") && mask != 0) mask = w.stack.active();
  go_to(w, r, mask, out);
  return false;
}
bool branch(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  go_to(w, r, mask & predicate(w, r.src_predicate[0]), out);
  return false;
}

// BRA.DIV is taken when lanes of the mask are not here, BRA.CONV when all are. Without a mask all
// lanes are meant.
//
// A lane for which the guard of BRA.DIV does not hold counts as one that is not here, and takes the
// branch with the others. ptxas guards it by the predicate of R2UR, where lanes may have different
// masks: those that differ from the first lane's go where WARPSYNC separates them.
template <bool kDivergent>
bool branch_by_convergence(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  U32 wanted = ~U32{0};
  const bool of_mask = kDivergent && r.src[0].present && r.src[0].base == 0;
  if (r.src[0].present) wanted = source<U32>(w, r, 0)[0];
  if (has_source_flag(r, 0, kInverted)) wanted = ~wanted;
  const U32 here = of_mask ? mask : w.stack.active(), leaving = of_mask ? w.stack.active() : mask;
  const bool divergent = (wanted & w.live & ~here) != 0;
  go_to(w, r, divergent == kDivergent ? leaving & predicate(w, r.src_predicate[0]) : 0, out);
  return false;
}

// The lanes go to addresses of their own; address(lane) gives the pc.
template <class Target>
void scatter(Warp& w, U32 taken, Step* out, Target target) {
  const U32 active = w.stack.active();
  if (out) out->taken = LaneMask{taken}, out->fell_through = LaneMask{active & ~taken};
  std::array<SimtStack::Path, kWarpSize> paths;
  int count = 0;
  for (int lane = kWarpSize - 1; lane >= 0; --lane) {
    if (!(active >> lane & 1)) continue;
    const Pc to = taken >> lane & 1 ? target(lane) : w.pc + 1;
    int p = 0;
    while (p < count && paths[static_cast<std::size_t>(p)].pc != to) ++p;
    if (p == count) paths[static_cast<std::size_t>(count++)] = {to, 0};
    paths[static_cast<std::size_t>(p)].mask |= U32{1} << lane;
  }
  w.stack.diverge(paths.data(), count, kNoPc);
}

U64 register_pair(const Warp& w, const DecodedInstruction& r, int lane) {
  RowSource pair = r.src[0];
  pair.pair = true;
  return pair_or_word(w, pair, static_cast<std::size_t>(lane));
}

std::uint64_t label_of(const sass::Instruction& i) {
  for (const sass::Operand& o : i.operands)
    if (o.kind == sass::OperandKind::label) return static_cast<U64>(o.value);
  return 0;
}
std::uint64_t offset_of(const sass::Instruction& i) {
  for (const sass::Operand& o : i.operands)
    if (o.kind == sass::OperandKind::immediate) return static_cast<U64>(o.value);
  return 0;
}

Pc checked(const Warp& w, const DecodedInstruction& r, int lane, U64 address) {
  const Pc pc = kernel_of(w).pc_of(address);
  if (pc == kNoPc) throw_illegal_call(w, r, lane, address);
  return pc;
}

// RET.REL and CALL.REL: the register holds an offset from the label, in this piece of code. BRX:
// from the next instruction. RET.ABS and CALL.ABS: an address.
bool branch_to_register(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  const sass::Instruction& i = sass_of(r);
  const U32 taken = mask & predicate(w, r.src_predicate[0]);
  U64 base = offset_of(i);
  if (i.opcode == Opcode::BRX)
    base += kernel_of(w).address_of(w.pc + 1);
  else if (i.form->name.ends_with(".REL"))
    base = kernel_of(w).segment_of(w.pc).address + label_of(i);
  scatter(w, taken, out,
          [&](int lane) { return checked(w, r, lane, base + register_pair(w, r, lane)); });
  return false;
}

// CALL.ABS with an address.
bool call_at(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  scatter(w, mask & predicate(w, r.src_predicate[0]), out,
          [&](int lane) { return checked(w, r, lane, offset_of(sass_of(r))); });
  return false;
}

bool calls_by_register(const sass::Instruction& i) {
  return i.form->operands[1].kind == sass::OperandKind::reg;
}

// The handle of a condition is the address of a word (cuda/graph/conditions.h).
void set_condition(Warp& w, const DecodedInstruction& r, U32 mask) {
  for (; mask; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const auto value = static_cast<U32>(argument(w, r, lane, 1));
    if (!write_generic(w, lane, argument(w, r, lane, 0), &value, sizeof value))
      throw_bad_pointer(w, r, lane, "cudaGraphSetConditional of what is no condition");
  }
}

// A function of the system: what it does, and its return to the address in R20 and R21.
bool call_system(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  const std::string& name =
      kernel_of(w).system_functions[w.pc - kernel_of(w).segment_of(w.pc).first];
  const bool sets_condition = name == "cudaGraphSetConditional";
  const ptx::Opcode opcode = ptx_of(r).opcode;
  if (!sets_condition && (opcode == ptx::Opcode::nop || opcode == ptx::Opcode::device_runtime))
    throw_trap(w, r, std::countr_zero(mask),
               "calls of " + name + " are not supported in machine code");
  if (opcode == ptx::Opcode::assertfail) fail_assertion(w, r, mask);
  if (sets_condition) {
    set_condition(w, r, mask);
  } else if (!call_host(w, r, mask)) {
    if (out) out->deferred = true, out->executed = LaneMask{};
    return false;
  }
  scatter(w, mask, out, [&](int lane) { return checked(w, r, lane, register_pair(w, r, lane)); });
  return false;
}

bool trap(Warp& w, const DecodedInstruction& r, U32 mask, Step*) {
  if (mask) throw_trap(w, r, std::countr_zero(mask), "trap");
  return w.stack.advance(w.pc + 1), false;
}

bool sync(Warp& w, const DecodedInstruction& r, U32 mask, Step*) {
  mask &= predicate(w, r.src_predicate[0]);
  if (mask == 0) return w.stack.advance(w.pc + 1), false;
  const U32 wanted = members(w, r, mask);
  if ((wanted & ~mask) == 0 && mask == w.stack.active()) [[likely]]
    return w.stack.advance(w.pc + 1), false;
  set_apart(w, mask);
  if ((wanted & ~mask & ~waiting_lanes(w, Opcode::BSYNC, w.pc)) == 0)
    finish_sync(w, wanted);
  else
    wait_here(w);
  return false;
}

bool warp_sync(Warp& w, const DecodedInstruction& r, U32 mask, Step*) {
  mask &= predicate(w, r.src_predicate[0]);
  if (mask == 0) return w.stack.advance(w.pc + 1), false;
  if (r.instruction->target != kNoPc) {
    alignas(64) U32 places[kWarpSize];
    std::fill(std::begin(places), std::end(places), r.instruction->target);
    store_lanes<4>(w.bases[0] + r.machine.extra.offset, places, mask);
  }
  if (const U32 same = lanes_with_its_members(w, r, mask); same != mask) {
    set_apart(w, mask);
    w.stack.diverge({w.pc, mask & ~same}, {w.pc, same}, kNoPc);
    mask = same;
  }
  const U32 wanted = warp_sync_members(w, r, mask);
  if ((wanted & ~mask) == 0 && mask == w.stack.active()) [[likely]]
    return w.stack.advance(w.pc + 1), false;
  set_apart(w, mask);
  if ((wanted & ~mask & ~waiting_lanes(w, Opcode::WARPSYNC, kNoPc)) == 0)
    finish_sync(w, wanted);
  else
    wait_here(w);
  return false;
}

// ENDCOLLECTIVE: each lane continues where its own WARPSYNC.COLLECTIVE says.
bool end_collective(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  const auto* places = reinterpret_cast<const Lane<U32>*>(row(w, r.machine.extra));
  scatter(w, mask & predicate(w, r.src_predicate[0]), out,
          [&](int lane) { return Pc{places[lane]}; });
  return false;
}

// YIELD, NANOSLEEP.
bool yield(Warp& w, const DecodedInstruction&, U32, Step*) {
  w.stack.advance(w.pc + 1);
  yield_to_others(w);
  return false;
}

bool exit_lanes(Warp& w, const DecodedInstruction& r, U32 mask, Step*) {
  mask &= predicate(w, r.src_predicate[0]);
  if (mask == 0) return w.stack.advance(w.pc + 1), false;
  w.live &= ~mask;
  w.stack.exit(mask, w.pc + 1);
  if (!w.stack.finished() && w.stack.top().waits) run_next(w);
  return false;
}

void reduce(Warp& w, const DecodedInstruction& r, U32 lanes) {
  exec::reduce(w, r, predicate(w, r.src_predicate[0]) & lanes, lanes);
}

// True when the warp has arrived.
bool arrive(Warp& w, const DecodedInstruction& r, U32 mask, Step* out) {
  if (mask == 0) return w.stack.advance(w.pc + 1), false;
  set_apart(w, mask);
  const U32 elsewhere = w.live & ~mask;
  if ((elsewhere & ~waiting_lanes(w, Opcode::BAR, kNoPc)) != 0 && !w.stack.top().converged) {
    if (out) out->deferred = true, out->executed = LaneMask{};
    wait_here(w);
    return false;
  }
  w.stack.stop_waiting();
  const BarrierRequest request = barrier_request(w, r, mask);
  record_arrival(w, request,
                 request.threads == kThreadsOfCluster ? (w.cluster_arrived & w.live) != 0
                                                      : r.instruction->barrier != BarrierOp::arrive,
                 out);
  const auto reduces = [](const DecodedInstruction& at) {
    return at.instruction->barrier >= BarrierOp::red_popc &&
           at.instruction->barrier <= BarrierOp::red_or;
  };
  if (reduces(r)) reduce(w, r, mask);
  for (int i = 0; i < w.stack.depth() - 1; ++i) {
    const SimtStack::Entry& e = w.stack.entry(i);
    if (!e.waits || opcode_at(w, e.pc) != Opcode::BAR) continue;
    if (reduces(w.machine->code[e.pc])) reduce(w, w.machine->code[e.pc], e.mask);
    if (e.pc != w.pc) end_wait(w.stack, i, e.pc + 1);
  }
  gather(w.stack, w.live);
  w.stack.advance(w.pc + 1);
  return true;
}

}  // namespace

ControlFunction system_call_function() { return call_system; }

ControlFunction control_function(const sass::Instruction& i) {
  switch (i.opcode) {
    case Opcode::BRA:
      if (i.form->name == "BRA.DIV") return branch_by_convergence<true>;
      if (i.form->name == "BRA.CONV") return branch_by_convergence<false>;
      switch (sass::modifier_of<sass::BranchMode>(i).value_or(sass::BranchMode::ANY_)) {
        case sass::BranchMode::ANY_: return branch;
        case sass::BranchMode::U: return branch_together;
        case sass::BranchMode::DIV: return branch_by_convergence<true>;
        case sass::BranchMode::CONV: return branch_by_convergence<false>;
      }
      return nullptr;
    case Opcode::BRX: return branch_to_register;
    case Opcode::RET: return branch_to_register;
    case Opcode::CALL:
      if (calls_by_register(i)) return branch_to_register;
      return i.form->name == "CALL.REL" ? branch : call_at;
    case Opcode::BSYNC: return sync;
    case Opcode::BPT: return trap;
    case Opcode::WARPSYNC: return warp_sync;
    case Opcode::ENDCOLLECTIVE: return end_collective;
    case Opcode::YIELD:
    case Opcode::NANOSLEEP: return yield;
    case Opcode::EXIT: return exit_lanes;
    case Opcode::UCGABAR_WAIT:
    case Opcode::BAR: return arrive;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
