// Detects reuse in an L2 slice, for policies that depend on it: a read of a line that its own warp
// or another SM brought in, and that is in the slice or was evicted recently. Lee et al., HPCA
// 2016, the scheduler "Adapt_local".
#pragma once

#include "mem/cache.h"
#include "mem/packet.h"
#include "mem/victim_list.h"

namespace heddle::mem {

class ReuseWatch final : public CacheListener {
 public:
  // The list of evicted lines has as many entries as the slice has lines.
  explicit ReuseWatch(const config::CacheSpec& spec)
      : victims_(spec.sets() * spec.ways, spec.line_bytes), line_bytes_(spec.line_bytes) {}

  void on_eviction(const Eviction& eviction) override {
    if (eviction.owner.warp) victims_.insert(eviction.line, eviction.owner);
  }
  // Lines of other warps of the same SM count as neither, because the SM's L1 serves that reuse.
  Reuse judge(const Request& request, const Access& access) const {
    if (request.kind != PacketKind::read || !request.origin.warp ||
        (request.client != Client::l1d && request.client != Client::local))
      return Reuse::none;
    if (access.outcome == Outcome::hit)
      return access.owner.warp ? of(access.owner, request.origin) : Reuse::none;
    if (access.outcome != Outcome::miss) return Reuse::none;
    const auto found =
        victims_.find(line_of(request.address, line_bytes_), request.origin, elsewhere);
    return found.own ? Reuse::own_lost : found.other ? Reuse::others_lost : Reuse::none;
  }

 private:
  static bool elsewhere(const Requester& owner, const Requester& asks) {
    return owner.sm != asks.sm;
  }
  static Reuse of(const Requester& owner, const Requester& asks) {
    return owner == asks ? Reuse::own : elsewhere(owner, asks) ? Reuse::others : Reuse::none;
  }

  VictimList<Requester> victims_;
  std::uint32_t line_bytes_;
};

}  // namespace heddle::mem
