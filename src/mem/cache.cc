#include "mem/cache.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::mem {

using config::Filling;
using config::WritePolicy;

namespace {

MissClass class_of(const Request& request, const AccessPlan& plan, const TagArray& tags,
                   LineOwners& owners) {
  const std::uint64_t line = tags.fetch_start(request.address).value;
  const bool brings = plan.fetch || plan.allocate;
  return class_of_miss(brings ? owners.replace(line, request.origin) : owners.find(line),
                       request.origin);
}

}  // namespace

Cache::Cache(const config::CacheSpec& spec, std::uint32_t fills)
    : state_(spec), ports_(spec, fills) {}

void Cache::replace_by(std::unique_ptr<ReplacementPolicy> policy) {
  state_.replace_by(std::move(policy));
}

Access Cache::access(const Request& request, std::uint64_t now, CacheStats& stats) {
  if (!ports_.data_free(now, request.address)) {
    stats.count_refusals(FailCause::port_busy);
    return {};
  }
  const std::uint32_t at = state_.tags.find(request.address, found_);
  if (request.kind == PacketKind::read && state_.tags.readable(at, request.address)) {
    read_hit(at, request.address, request.bytes, request.origin, now, stats);
    return {Outcome::hit, {}, Answer::now, state_.tags.line(at).owner};
  }
  return access_by_plan(request, at, now, stats);
}

Access Cache::access_by_plan(const Request& request, std::uint32_t at, std::uint64_t now,
                             CacheStats& stats) {
  AccessPlan what = plan_access(state_, request, at);
  what.count(request, stats);
  if (what.access.outcome == Outcome::reservation_fail) return what.access;
  if (owners_ && what.access.outcome == Outcome::miss)
    what.access.miss_class = class_of(request, what, state_.tags, *owners_);
  perform(request, what, now, stats);
  ++changes_;
  ++other_changes_;
  if (request.kind != PacketKind::read) ++content_changes_;
  return what.access;
}

void Cache::perform(const Request& request, const AccessPlan& plan, std::uint64_t now,
                    CacheStats& stats) {
  if (plan.forward) {
    state_.misses.emplace(Miss::Kind::forwarded_write, request.client,
                          sectors_touched(request.address, request.bytes), request.address,
                          request.bytes, request.tag, request.origin, request.mask);
    ++stats.forwarded_writes;
  }
  Departure departure;
  std::uint32_t at = plan.line;
  if (at != kNoLine) {
    state_.use(at, {plan.access.outcome == Outcome::hit, request.kind, request.origin.warp, now});
  } else if (plan.allocate) {
    at = plan.victim;
    departure = replace(at, request, stats);
  }
  if (plan.fetch) start_fetch(request, plan, at, stats);
  if (departure.write_back.bytes) state_.send(departure);  // behind the fetch
  if (at != kNoLine) {
    if (plan.drop) state_.tags.drop(at, request.address);
    if (plan.written)
      state_.tags.write(at, request.address, request.mask,
                        state_.spec.write != WritePolicy::write_through);
  }
  if (state_.spec.write == WritePolicy::read_only) return;
  if (plan.access.outcome == Outcome::hit)
    ports_.pass_data(request.address, request.bytes, now);
  else if (departure.write_back.bytes && !(plan.forward && plan.waits))
    ports_.pass_data(request.address, departure.write_back.bytes, now);  // of merged stores: free
}

Departure Cache::replace(std::uint32_t at, const Request& by, CacheStats& stats) {
  check_invariant(at != kNoLine, "a miss was accepted without a line to replace");
  Departure departure;
  if (const Line& old = state_.tags.line(at); old.valid) {
    ++stats.evictions;
    state_.replacement->evict(at);
    const Address address{state_.tags.address_of(at).value};
    if (listener_) listener_->on_eviction({state_.tags.address_of(at), old.owner});
    if (old.dirty && state_.spec.write != WritePolicy::write_through) {
      ++stats.writebacks;
      const bool sectored = state_.spec.filling == Filling::sectors;
      const auto dirty_bytes = static_cast<std::uint32_t>(std::popcount(old.dirty)) * kSectorBytes;
      departure.write_back = {
          Miss::Kind::write_back,
          by.client,
          sectored ? old.dirty : sectors_touched(address, state_.spec.line_bytes),
          address,
          sectored ? dirty_bytes : state_.spec.line_bytes,
          0,
          old.owner,
          old.written};
      if (sectored && state_.spec.fills_partial_writes && (old.dirty & old.unreadable)) {
        departure.partial_sectors = old.dirty & old.unreadable;
        ++stats.fetches;
      }
    }
  }
  state_.tags.assign(at, by.address, by.origin);
  state_.replacement->insert(at, {by.address, by.origin.pc});
  return departure;
}

void Cache::start_fetch(const Request& request, const AccessPlan& plan, std::uint32_t line,
                        CacheStats& stats) {
  std::uint32_t entry = plan.mshr;
  if (entry == kNoMshr) {
    const Address from = state_.tags.fetch_start(request.address);
    const std::uint8_t sectors = state_.tags.fetched_sectors(line, request.address);
    const std::uint32_t bytes = state_.tags.bytes_of(sectors);
    entry = state_.mshrs.open(from.value);
    MshrEntry& fetch = state_.mshrs[entry];
    fetch.sectors = sectors;
    fetch.line = line;
    fetch.generation = generation_;
    fetch.sectors_missing = static_cast<std::int32_t>(bytes / kSectorBytes);
    fetch.owner = request.origin;
    const std::uint32_t piece = std::min(bytes, kLineBytes);  // longer lines come in pieces
    const Address start = state_.tags.start_of(sectors, from);
    for (std::uint32_t at = 0; at < bytes; at += piece) {
      const Address first = start + at;
      state_.misses.emplace(Miss::Kind::fetch, request.client, sectors_touched(first, piece), first,
                            piece, entry, request.origin, ByteMask{});
      ++stats.fetches;
    }
    if (state_.reserves) state_.tags.reserve(line, sectors);
  } else if (plan.allocate) {  // no fetch fills it
    state_.tags.reserve(line, state_.tags.fetched_sectors(line, request.address));
  }
  if (plan.waits) state_.mshrs.merge(entry, {request.tag, request.kind, plan.forward});
  if (request.kind == PacketKind::atomic)
    state_.mshrs[entry].atomic_sectors |= state_.tags.sector_of(request.address);
}

bool Cache::fill(std::uint32_t tag, std::uint32_t sectors, std::uint64_t now, CacheStats& stats) {
  if (fill_part(tag, sectors)) return false;
  MshrEntry& fetch = state_.mshrs[tag];
  check_invariant(fetch.sectors_missing == static_cast<std::int32_t>(sectors),
                  "more sectors arrived than were fetched");
  if (fetch.generation == generation_) {
    const Address from{fetch.key};
    std::uint32_t at = fetch.line;
    if (!state_.reserves && (at = state_.tags.find(from)) == kNoLine) {
      at = state_.replacement->victim(state_.tags, {from, fetch.owner.pc});
      Request by;
      by.address = from;
      by.origin = fetch.owner;
      const Departure departure = replace(at, by, stats);
      if (departure.write_back.bytes) state_.send(departure), ++other_changes_;
    }
    state_.tags.fill(
        at, fetch.sectors,
        state_.spec.write == WritePolicy::write_back ? fetch.atomic_sectors : std::uint8_t{0});
  }
  state_.mshrs.complete(tag);
  ++changes_;
  ++fills_;
  ++content_changes_;
  ports_.pass_fill(state_.tags.bytes_of(fetch.sectors), now);
  return true;
}

Ready Cache::pop_ready() {
  const WaitingRequest request = state_.mshrs.pop_ready();
  ++changes_;
  if (state_.spec.merges_while_draining) ++other_changes_;
  return {request.tag, request.kind, request.forwarded};
}

void Cache::preload(Address address) {
  std::uint32_t at = state_.tags.find(address);
  const bool found = at != kNoLine;
  if (!found) {
    at = state_.replacement->victim(state_.tags, {address, kNoPc});
    if (at == kNoLine) return;
    if (state_.tags.line(at).valid) state_.replacement->evict(at);
    state_.tags.assign(at, address, {});
    state_.replacement->insert(at, {address, kNoPc});
  }
  ++changes_;
  ++other_changes_;
  ++content_changes_;
  Line& line = state_.tags.line(at);
  const std::uint8_t sector = state_.tags.sector_of(address);
  if (line.reserved & sector) return;
  line.valid |= sector;
  line.unreadable &= static_cast<std::uint8_t>(~sector);
  if (found) state_.use(at, {});
}

void Cache::invalidate_all() {
  state_.tags.clear();
  if (owners_) owners_->clear();
  ++generation_;
  ++changes_;
  ++other_changes_;
}

void Cache::drop_filled_lines() {
  if (changes_ == dropped_at_) return;
  state_.tags.keep_reserved();
  ++other_changes_;
  dropped_at_ = ++changes_;
}

void Cache::set_ways(std::uint32_t ways) {
  check_invariant(idle(), "a cache was resized while it was in use");
  if (ways == state_.spec.ways) return;
  state_.spec.size_bytes = std::uint64_t{state_.spec.sets()} * ways * state_.spec.line_bytes;
  state_.spec.ways = ways;
  state_.tags = TagArray(state_.spec);
  found_ = 0;
  state_.replacement->resize(state_.spec.sets() * ways, ways);
  ++generation_;
}

}  // namespace heddle::mem
