#include "sm/lsu/load_writeback.h"

#include <bit>

namespace heddle::sm {

using Which = LsuCaches::Which;

void LoadWriteback::cycle() {
  if (is_waiting()) {
    const Op& op = context_.ops[chosen_.op];
    if (!registers_.write(op.warp, op.home, *op.timing)) return;
    deliver();
  }
  while (choose_next() && writes_once_ && !chosen_.is_shared &&
         context_.ops[chosen_.op].pending > chosen_.accesses)
    deliver();
}

void LoadWriteback::deliver() {
  const Data done = chosen_;
  chosen_ = {};
  if (done.is_shared)
    context_.listener->complete(done.op);
  else
    context_.receive_data(done.op, done.accesses);
}

// Returns whether there is one.
bool LoadWriteback::choose_next() {
  const std::uint32_t filled = sources_with_data();
  if (!filled) return false;
  const std::uint32_t from_next = filled >> next_source_ << next_source_;
  const int source = std::countr_zero(from_next ? from_next : filled);
  chosen_ = take_from(static_cast<Source>(source));
  if (announces_ && is_waiting() &&
      (chosen_.is_shared || context_.ops[chosen_.op].pending == chosen_.accesses))
    context_.listener->answered(chosen_.op);
  next_source_ = source + 1 == kSources ? 0 : source + 1;
  return is_waiting();
}

// A bit for each.
std::uint32_t LoadWriteback::sources_with_data() const {
  const auto one = [](Source source, bool has_some) {
    return std::uint32_t{has_some} << static_cast<unsigned>(source);
  };
  const LsuCaches& caches = from_.caches;
  return one(Source::shared, from_.shared.next_result() <= context_.now) |
         one(Source::constant, caches.is_ready(Which::constant)) |
         one(Source::bypass, from_.bypass.has_result()) |
         one(Source::l1d, caches.is_ready(Which::l1d)) |
         one(Source::texture, caches.is_ready(Which::texture)) |
         one(Source::remote,
             from_.remote.next_answer() <= context_.now && from_.remote.answers_load());
}

LoadWriteback::Data LoadWriteback::take_from(Source source) {
  switch (source) {
    case Source::shared: return {from_.shared.pop_result(), 1, true};
    case Source::constant: return take_cached(Which::constant);
    case Source::texture: return take_cached(Which::texture);
    case Source::l1d: return take_cached(Which::l1d);
    case Source::bypass: {
      const BypassUnit::Result bypass = from_.bypass.pop_result();
      return {bypass.op, bypass.sectors, false};
    }
    case Source::remote: {
      const OpId op = from_.remote.pop_result();
      return {op, 1, context_.ops[op].space == isa::Space::shared};
    }
  }
  return {};
}

// A store that the L1 has finished has no data.
LoadWriteback::Data LoadWriteback::take_cached(Which which) {
  const mem::Ready ready = from_.caches.pop_ready(which);
  if (ready.kind != mem::PacketKind::write) return {ready.tag, 1, false};
  if (ready.forwarded) return {};
  const StoreTag store{ready.tag};
  context_.acknowledge_store(store.warp(), store.sectors());
  return {};
}

}  // namespace heddle::sm
