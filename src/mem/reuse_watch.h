// Who reuses the lines of an L2 slice: for policies that choose by it. A read by a warp finds a
// line, or the trace of a line lost lately, that this warp or another SM had brought in. Lee et
// al., HPCA 2016, the scheduler "Adapt_local".
#pragma once

#include "mem/cache.h"
#include "mem/packet.h"
#include "mem/victim_list.h"

namespace heddle::mem {

class ReuseWatch final : public CacheListener {
 public:
  // It remembers as many lost lines as the slice holds.
  explicit ReuseWatch(const config::CacheSpec& spec)
      : victims_(spec.sets() * spec.ways, spec.line_bytes), line_bytes_(spec.line_bytes) {}

  void on_eviction(const Eviction& eviction) override {
    if (eviction.owner.warp) victims_.insert(eviction.line, eviction.owner);
  }
  // Other warps of the same SM count as neither: their reuse is what the SM's own L1 sees.
  Reuse judge(const Request& request, const Access& access) const {
    if (request.kind != PacketKind::read || !request.requester.warp ||
        (request.client != Client::l1d && request.client != Client::local))
      return Reuse::none;
    if (access.outcome == Outcome::hit)
      return access.owner.warp ? of(access.owner, request.requester) : Reuse::none;
    if (access.outcome != Outcome::miss) return Reuse::none;
    const auto found =
        victims_.find(line_of(request.address, line_bytes_), request.requester, elsewhere);
    return found.own ? Reuse::own : found.other ? Reuse::others : Reuse::none;
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
