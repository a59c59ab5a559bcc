#include "sm/lsu/read_only_unit.h"

namespace heddle::sm {

ReadOnlyUnit::ReadOnlyUnit(LsuCaches::Which which, bool perfect, LsuCaches& caches,
                           LsuContext& context)
    : which_(which),
      perfect_(perfect),
      client_(which == LsuCaches::Which::constant ? mem::Client::constant : mem::Client::texture),
      refused_(which == LsuCaches::Which::constant ? LsuStall::constant_cache
                                                   : LsuStall::texture_cache),
      caches_(caches),
      context_(context) {}

bool ReadOnlyUnit::dispatch(Op& op, OpId id, SmStats& stats) {
  if (perfect_) {
    op.pending = 0;
    op.accesses.clear();
    return true;
  }
  if (!caches_.cache(which_).ports().data_free(context_.step)) {
    stats.count_stall(refused_);
    return false;
  }
  mem::Request r;
  r.address = op.accesses.back().address;
  r.bytes = op.accesses.back().bytes;
  r.client = client_;
  r.origin = context_.origin_of(op);
  r.tag = id;
  const mem::Access answer = caches_.access(which_, r, context_.step, stats);
  if (answer.outcome == mem::Outcome::reservation_fail) {
    stats.count_stall(refused_);
    return false;
  }
  if (answer.answer == mem::Answer::now) --op.pending;
  return LsuContext::pop_access(op, stats);
}

}  // namespace heddle::sm
