#include "mem/cache.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "mem/catalogue.h"

namespace heddle::mem {

using config::Allocation;
using config::Filling;
using config::WritePolicy;

namespace {

// A streaming cache never refuses an access because no line is free, so it has an MSHR per line.
std::uint32_t mshr_entries(const config::CacheSpec& spec) {
  return spec.allocation == Allocation::streaming
             ? std::max(spec.mshr_entries, spec.sets() * spec.ways)
             : spec.mshr_entries;
}
// In a cache that allocates on fill, fills may evict dirty lines although accesses have filled the
// miss queue.
std::size_t miss_queue_capacity(const config::CacheSpec& spec) {
  return std::size_t{spec.miss_queue} + 3 +
         (spec.allocation == Allocation::on_miss ? 0 : mshr_entries(spec));
}

}  // namespace

Cache::Cache(const config::CacheSpec& spec)
    : spec_(spec),
      tags_(spec),
      mshrs_(mshr_entries(spec), spec.mshr_merges),
      misses_(miss_queue_capacity(spec)),
      ports_(spec),
      reserves_(spec.allocation == Allocation::on_miss) {
  if (spec.miss_queue < 2) throw UserError("a cache's miss queue needs at least two entries");
  replace_by(policies::parse<ReplacementEntry>(spec.replacement)->build(spec));
}

void Cache::replace_by(std::unique_ptr<ReplacementPolicy> policy) {
  replacement_ = std::move(policy);
  replacement_->resize(spec_.sets() * spec_.ways, spec_.ways);
  lru_ = dynamic_cast<Lru*>(replacement_.get());
}

AccessPlan Cache::plan(const Request& request, std::uint32_t found) const {
  return AccessPlanner(spec_, tags_, mshrs_, misses_.size(), *replacement_).plan(request, found);
}

Access Cache::probe(const Request& request, std::uint64_t now) const {
  if (!ports_.data_free(now, request.address)) return {};
  return plan(request, tags_.find(request.address)).access;
}

bool Cache::would_hit(const Request& request, std::uint64_t now) const {
  return ports_.data_free(now, request.address) &&
         tags_.readable(tags_.find(request.address), request.address);
}

Access Cache::access(const Request& request, std::uint64_t now, CacheStats& stats) {
  if (!ports_.data_free(now, request.address)) {
    stats.count_refusals(FailCause::port_busy);
    return {};
  }
  const std::uint32_t at = tags_.find(request.address);
  if (request.kind == PacketKind::read && tags_.readable(at, request.address))
    return read_hit(request, at, now, stats);
  const AccessPlan what = plan(request, at);
  what.count(request, stats);
  if (what.access.outcome == Outcome::reservation_fail) return what.access;
  perform(request, what, now, stats);
  ++changes_;
  if (request.kind != PacketKind::read) ++content_changes_;
  return what.access;
}

// What plan() and perform() do for the most frequent kind of access, without a plan.
Access Cache::read_hit(const Request& request, std::uint32_t at, std::uint64_t now,
                       CacheStats& stats) {
  const Line& line = tags_.line(at);
  ++stats.accesses;
  ++stats.hits;
  ++(line.owner == request.origin ? stats.hits_same_warp : stats.hits_other_warp);
  use(at, {true, PacketKind::read, request.origin.warp, now});
  if (spec_.write != WritePolicy::read_only) ports_.pass_data(request.address, request.bytes, now);
  ++changes_;
  return {Outcome::hit, {}, Answer::now, line.owner};
}

void Cache::perform(const Request& request, const AccessPlan& plan, std::uint64_t now,
                    CacheStats& stats) {
  if (plan.forward) {
    misses_.emplace(Miss::Kind::forwarded_write, request.client,
                    sectors_touched(request.address, request.bytes), request.address, request.bytes,
                    request.tag, request.origin, request.mask);
    ++stats.forwarded_writes;
  }
  Miss write_back;
  std::uint32_t at = plan.line;
  if (at != kNoLine) {
    use(at, {plan.access.outcome == Outcome::hit, request.kind, request.origin.warp, now});
  } else if (plan.allocate) {
    at = plan.victim;
    write_back = replace(at, request, stats);
  }
  if (plan.fetch) start_fetch(request, plan, at, stats);
  if (write_back.bytes) misses_.push(write_back);
  if (at != kNoLine) {
    if (plan.drop) tags_.drop(at, request.address);
    if (plan.written)
      tags_.write(at, request.address, request.mask, spec_.write != WritePolicy::write_through);
  }
  if (spec_.write == WritePolicy::read_only) return;
  if (plan.access.outcome == Outcome::hit)
    ports_.pass_data(request.address, request.bytes, now);
  else if (write_back.bytes)
    ports_.pass_data(request.address, write_back.bytes, now);
}

// Returns the write-back, which is sent after the fetch; without bytes: none.
Miss Cache::replace(std::uint32_t at, const Request& by, CacheStats& stats) {
  check_invariant(at != kNoLine, "a miss was accepted without a line to replace");
  Miss write_back;
  if (const Line& old = tags_.line(at); old.valid) {
    ++stats.evictions;
    replacement_->evict(at);
    const Address address{tags_.address_of(at).value};
    if (listener_)
      listener_->on_eviction(
          {tags_.address_of(at), old.owner, line_of(by.address, spec_.line_bytes), by.origin});
    if (old.dirty && spec_.write != WritePolicy::write_through) {
      ++stats.writebacks;
      const bool sectored = spec_.filling == Filling::sectors;
      const auto dirty_bytes = static_cast<std::uint32_t>(std::popcount(old.dirty)) * kSectorBytes;
      write_back = {Miss::Kind::write_back,
                    by.client,
                    sectored ? old.dirty : sectors_touched(address, spec_.line_bytes),
                    address,
                    sectored ? dirty_bytes : spec_.line_bytes,
                    0,
                    old.owner,
                    old.written};
    }
  }
  tags_.assign(at, by.address, by.origin);
  replacement_->insert(at, {by.address, by.origin.pc});
  return write_back;
}

void Cache::start_fetch(const Request& request, const AccessPlan& plan, std::uint32_t line,
                        CacheStats& stats) {
  std::uint32_t entry = plan.mshr;
  if (entry == kNoMshr) {
    const Address from = tags_.fetch_start(request.address);
    const std::uint32_t bytes = tags_.fetch_bytes();
    entry = mshrs_.open(from.value);
    MshrEntry& fetch = mshrs_[entry];
    fetch.line = line;
    fetch.generation = generation_;
    fetch.sectors_missing = static_cast<std::int32_t>(bytes / kSectorBytes);
    fetch.owner = request.origin;
    const std::uint32_t piece = std::min(bytes, kLineBytes);  // longer lines come in pieces
    for (std::uint32_t at = 0; at < bytes; at += piece) {
      const Address first = from + at;
      misses_.emplace(Miss::Kind::fetch, request.client, sectors_touched(first, piece), first,
                      piece, entry, request.origin, ByteMask{});
      ++stats.fetches;
    }
    if (reserves_) tags_.reserve(line, request.address);
  }
  if (plan.waits) mshrs_.merge(entry, {request.tag, request.kind});
  if (request.kind == PacketKind::atomic) mshrs_[entry].has_atomic = true;
}

bool Cache::fill(std::uint32_t tag, std::uint32_t sectors, std::uint64_t now, CacheStats& stats) {
  MshrEntry& fetch = mshrs_[tag];
  fetch.sectors_missing -= static_cast<std::int32_t>(sectors);
  check_invariant(fetch.sectors_missing >= 0, "more sectors arrived than were fetched");
  if (fetch.sectors_missing > 0) return false;
  if (fetch.generation == generation_) {
    const Address from{fetch.key};
    std::uint32_t at = fetch.line;
    if (!reserves_ && (at = tags_.find(from)) == kNoLine) {
      at = replacement_->victim(tags_, {from, fetch.owner.pc});
      Request by;
      by.address = from;
      by.origin = fetch.owner;
      if (const Miss write_back = replace(at, by, stats); write_back.bytes)
        misses_.push(write_back);
    }
    tags_.fill(at, from, fetch.has_atomic && spec_.write == WritePolicy::write_back);
  }
  mshrs_.complete(tag);
  ++changes_;
  ++content_changes_;
  ports_.pass_fill(tags_.fetch_bytes(), now);
  return true;
}

Ready Cache::pop_ready() {
  const WaitingRequest request = mshrs_.pop_ready();
  ++changes_;
  return {request.tag, request.kind};
}

void Cache::preload(Address address) {
  std::uint32_t at = tags_.find(address);
  const bool found = at != kNoLine;
  if (!found) {
    at = replacement_->victim(tags_, {address, kNoPc});
    if (at == kNoLine) return;
    if (tags_.line(at).valid) replacement_->evict(at);
    tags_.assign(at, address, {});
    replacement_->insert(at, {address, kNoPc});
  }
  ++changes_;
  ++content_changes_;
  Line& line = tags_.line(at);
  const std::uint8_t sector = tags_.sector_of(address);
  if (line.reserved & sector) return;
  line.valid |= sector;
  line.unreadable &= static_cast<std::uint8_t>(~sector);
  if (found) use(at, {});
}

void Cache::invalidate_all() {
  tags_.clear();
  ++generation_;
  ++changes_;
}

void Cache::drop_filled_lines() {
  if (changes_ == dropped_at_) return;
  tags_.keep_reserved();
  dropped_at_ = ++changes_;
}

void Cache::set_ways(std::uint32_t ways) {
  check_invariant(idle(), "a cache was resized while it was in use");
  if (ways == spec_.ways) return;
  spec_.size_bytes = std::uint64_t{spec_.sets()} * ways * spec_.line_bytes;
  spec_.ways = ways;
  tags_ = TagArray(spec_);
  replacement_->resize(spec_.sets() * ways, ways);
  ++generation_;
}

}  // namespace heddle::mem
