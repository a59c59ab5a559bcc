#include "ptx/flow/sync_operations.h"

namespace heddle::ptx {
namespace {

// Immediate numbers of one value have one row of constants; all numbers in registers may be equal.
bool may_be_same_barrier(const Instruction& a, const Instruction& b) {
  const Operand &x = a.src[0], &y = b.src[0];
  return x.kind == y.kind && (x.kind != Operand::Kind::constant || x.row == y.row);
}

// Of a barrier some lanes of a warp may execute sync and others arrive.
bool combine(BarrierOp a, BarrierOp b) {
  const auto counts = [](BarrierOp op) { return op == BarrierOp::sync || op == BarrierOp::arrive; };
  return a == b || (counts(a) && counts(b));
}

}  // namespace

int member_source(const Instruction& i) {
  int n = -1;
  switch (i.opcode) {
    case Opcode::shfl: n = 3; break;
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux: n = 1; break;
    case Opcode::elect: n = 0; break;
    case Opcode::bar: n = i.barrier == BarrierOp::warp_sync ? 0 : -1; break;
    default: break;
  }
  return n >= 0 && i.src[static_cast<std::size_t>(n)] ? n : -1;
}

bool may_match(const Instruction& i) { return member_source(i) >= 0 || i.opcode == Opcode::bar; }

bool matches(const Instruction& a, const Instruction& b) {
  if (a.opcode != b.opcode || a.type != b.type || !may_match(a) || !may_match(b)) return false;
  switch (a.opcode) {
    case Opcode::shfl: return a.as<ShflMode>() == b.as<ShflMode>();
    case Opcode::vote: return a.as<VoteMode>() == b.as<VoteMode>();
    case Opcode::match: return a.as<MatchMode>() == b.as<MatchMode>();
    case Opcode::redux: return a.atomic == b.atomic && a.nan == b.nan && a.absolute == b.absolute;
    case Opcode::bar:
      return combine(a.barrier, b.barrier) && a.cluster == b.cluster &&
             (a.barrier == BarrierOp::warp_sync || may_be_same_barrier(a, b));
    default: return true;
  }
}

}  // namespace heddle::ptx
