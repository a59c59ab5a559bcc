#include "exec/compiled/divergence.h"

namespace heddle::exec {
namespace {

using Entry = SimtStack::Entry;
using Xbyak::Label;
using Xbyak::Reg32;
using Xbyak::Reg64;

constexpr int kPc = offsetof(Entry, pc), kReconvergence = offsetof(Entry, reconvergence),
              kMask = offsetof(Entry, mask), kCallDepth = 12, kEntry = sizeof(Entry);
constexpr std::uint32_t kCallDepthBits = 0x3fffffff;  // the others are flags
static_assert(kEntry == 16 && kMask == 8 && kNoPc == ~Pc{0});

// From now on the lanes in LaneCode::active run.
void use_active_lanes(LaneCode& c) {
  c.popcnt(c.active_count, c.active);
  c.expand(c.active, offsetof(LaneContext, active_lanes));
}

void write_entry(LaneCode& c, const Reg64& at, Pc pc, Pc reconvergence, const Reg32& mask,
                 const Reg32& call_depth) {
  c.mov(c.dword[at + kPc], pc);
  c.mov(c.dword[at + kReconvergence], reconvergence);
  c.mov(c.dword[at + kMask], mask);
  c.mov(c.dword[at + kCallDepth], call_depth);
}

}  // namespace

Pc first_path(const DecodedInstruction& r, Pc pc) {
  return r.instruction->target != r.instruction->reconvergence ? r.instruction->target : pc + 1;
}

bool can_diverge(const DecodedInstruction& r, Pc pc) {
  return r.instruction->reconvergence != kNoPc && r.instruction->target != pc + 1;
}

void emit_check_of_stack(LaneCode& c, Label& interpret) {
  c.mov(c.rax, c.at(offsetof(LaneContext, stack_top)));
  c.mov(c.rax, c.ptr[c.rax]);
  c.cmp(c.rax, c.at(offsetof(LaneContext, stack_last)));
  c.ja(interpret);
}

// As SimtStack::diverge: the lanes that do not take the branch below those that do, and none that
// is at the reconvergence point.
void emit_divergence(LaneCode& c, const DecodedInstruction& r, Pc pc) {
  const Pc target = r.instruction->target, reconvergence = r.instruction->reconvergence;
  const Reg32 fell = c.r14d, call_depth = c.r13d;
  Label same_point;
  c.mov(c.rax, c.at(offsetof(LaneContext, stack_top)));
  c.mov(c.rbp, c.ptr[c.rax]);
  c.mov(call_depth, c.dword[c.rbp + kCallDepth]);
  c.and_(call_depth, kCallDepthBits);
  c.mov(fell, c.active);
  c.xor_(fell, c.guarded);
  c.cmp(c.reconvergence, reconvergence);
  c.je(same_point);
  c.mov(c.dword[c.rbp + kPc], reconvergence);
  c.add(c.rbp, kEntry);
  c.L(same_point);
  if (pc + 1 != reconvergence) write_entry(c, c.rbp, pc + 1, reconvergence, fell, call_depth);
  if (pc + 1 != reconvergence && target != reconvergence) c.add(c.rbp, kEntry);
  if (target != reconvergence) write_entry(c, c.rbp, target, reconvergence, c.guarded, call_depth);
  c.mov(c.ptr[c.rax], c.rbp);
  c.mov(c.active, target != reconvergence ? c.guarded : fell);
  c.mov(c.reconvergence, reconvergence);
  use_active_lanes(c);
}

void emit_reconvergence(LaneCode& c, Pc pc, Label& all, Label& some, Label& interpret) {
  const Reg32 next = c.r13d, reconvergence = c.r14d, mask = c.r15d;
  Label elsewhere;
  c.mov(c.rax, c.at(offsetof(LaneContext, stack_top)));
  c.mov(c.rbp, c.ptr[c.rax]);
  c.sub(c.rbp, kEntry);
  c.mov(next, c.dword[c.rbp + kPc]);
  c.mov(reconvergence, c.dword[c.rbp + kReconvergence]);
  c.mov(mask, c.dword[c.rbp + kMask]);
  c.test(mask, mask);
  c.jz(interpret);
  c.cmp(next, reconvergence);
  c.je(interpret);
  const auto pop = [&] {
    c.mov(c.ptr[c.rax], c.rbp);
    c.mov(c.active, mask);
    c.mov(c.reconvergence, reconvergence);
    use_active_lanes(c);
  };
  c.cmp(next, pc);
  c.jne(elsewhere);
  pop();
  c.cmp(c.active, -1);
  c.je(all);
  c.jmp(some);
  c.L(elsewhere);
  c.mov(c.rbx, c.at(offsetof(LaneContext, starts)));
  c.mov(c.rbx, c.ptr[c.rbx + c.r13 * 8]);
  c.test(c.rbx, c.rbx);
  c.jz(interpret);
  pop();
  c.jmp(c.rbx);
}

}  // namespace heddle::exec
