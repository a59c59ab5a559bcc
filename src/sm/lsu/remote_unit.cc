#include "sm/lsu/remote_unit.h"

namespace heddle::sm {

bool RemoteUnit::dispatch(Op& op, OpId id, SmStats& stats) {
  if (op.remote_cycles == 0) op.remote_cycles = op.remote_sectors * cycles_per_sector_;
  if (op.remote_cycles > 1) {
    --op.remote_cycles;
    stats.count_stall(LsuStall::network);
    return false;
  }
  const bool store = op.instruction->is_store();
  requests_.push_back(
      {context_.now, store ? kNoOp : id, op.warp, op.kernel, op.remote, op.remote_sectors});
  ++awaited_;
  if (store) context_.send_store(op.warp, 1);
  return true;
}

void RemoteUnit::end_stores() {
  while (!answers_.empty() && answers_.front().at <= context_.now &&
         answers_.front().request.op == kNoOp) {
    const WarpSlot warp = answers_.front().request.warp;
    answers_.pop_front();
    --awaited_;
    context_.acknowledge_store(warp, 1);
  }
}

OpId RemoteUnit::pop_result() {
  const OpId op = answers_.front().request.op;
  answers_.pop_front();
  --awaited_;
  return op;
}

}  // namespace heddle::sm
