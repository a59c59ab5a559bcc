#include "mem/cache.h"

#include <algorithm>
#include <bit>

#include "mem/catalogue.h"

namespace heddle::mem {

using config::Allocation;
using config::Filling;
using config::WriteAllocation;
using config::WritePolicy;

namespace {

constexpr std::uint32_t kPacketBytes = 128;  // longer lines are fetched in pieces

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

struct Cache::Plan {
  enum class Found : std::uint8_t { hit, reserved, sector_missing, line_missing };
  Access access;
  Found found = Found::line_missing;
  std::uint8_t sector = 0;
  std::uint32_t line = kNoLine;    // the line found
  std::uint32_t victim = kNoLine;  // the line to replace when none was found
  std::uint32_t mshr = kNoMshr;    // a fetch in flight to merge with
  bool fetch = false;              // start a fetch or merge with one
  bool waits = false;              // the request itself waits for the fetch
  bool allocate = false;           // the line must exist from now on
  bool written = false;            // the request's bytes go into the line
  bool drop = false;               // the sector becomes invalid
  bool forward = false;            // the write goes to the next level

  Outcome missing() const {
    return found == Found::reserved || mshr != kNoMshr ? Outcome::pending_hit : Outcome::miss;
  }
  void refuse(FailCause cause) {
    access = {Outcome::reservation_fail, cause, Answer::none, {}, kNoPc};
  }
};

Cache::Cache(const config::CacheSpec& spec)
    : spec_(spec),
      tags_(spec),
      mshrs_(mshr_entries(spec), spec.mshr_merges),
      misses_(miss_queue_capacity(spec)),
      data_port_free_at_(std::max(1u, spec.banks)),
      port_bytes_(spec.data_port_bytes ? spec.data_port_bytes : spec.line_bytes),
      fetch_bytes_(spec.filling == Filling::sectors ? kSectorBytes : spec.line_bytes),
      reserves_(spec.allocation == Allocation::on_miss) {
  if (spec.miss_queue < 2) throw UserError("a cache's miss queue needs at least two entries");
  replace_by(policies::parse<ReplacementEntry>(spec.replacement)->build(spec));
}

void Cache::replace_by(std::unique_ptr<ReplacementPolicy> policy) {
  replacement_ = std::move(policy);
  replacement_->resize(spec_.sets() * spec_.ways, spec_.ways);
  lru_ = dynamic_cast<Lru*>(replacement_.get());
}

Access Cache::probe(const Request& request, std::uint64_t now) const {
  if (!data_port_free(now, request.address))
    return {Outcome::reservation_fail, FailCause::port_busy, Answer::none, {}, kNoPc};
  return plan(request, tags_.find(request.address)).access;
}

bool Cache::would_hit(const Request& request, std::uint64_t now) const {
  if (!data_port_free(now, request.address)) return false;
  return readable(tags_.find(request.address), request.address);
}

Access Cache::access(const Request& request, std::uint64_t now) {
  if (!data_port_free(now, request.address)) {
    ++counts().reservation_fails[static_cast<std::size_t>(FailCause::port_busy)];
    return {Outcome::reservation_fail, FailCause::port_busy, Answer::none, {}, kNoPc};
  }
  const std::uint32_t at = tags_.find(request.address);
  if (request.kind == PacketKind::read && readable(at, request.address))
    return read_hit(request, at, now);
  const Plan what = plan(request, at);
  count(request, what);
  if (what.access.outcome == Outcome::reservation_fail) return what.access;
  perform(request, what, now);
  ++changes_;
  if (request.kind != PacketKind::read) ++content_changes_;
  return what.access;
}

bool Cache::readable(std::uint32_t at, Address address) const {
  if (at == kNoLine) return false;
  const Line& line = tags_.line(at);
  return (line.valid & ~line.unreadable & ~line.reserved & tags_.sector_of(address)) != 0;
}

// What plan() and perform() do for the most frequent kind of access, without a plan.
Access Cache::read_hit(const Request& request, std::uint32_t at, std::uint64_t now) {
  const Line& line = tags_.line(at);
  CacheStats& stats = counts();
  ++stats.accesses;
  ++stats.hits;
  ++(line.owner == request.requester ? stats.hits_same_warp : stats.hits_other_warp);
  use(at, {true, PacketKind::read, request.requester.warp, now});
  if (spec_.write != WritePolicy::read_only)
    occupy(data_port_free_at_[bank_of(request.address)], request.bytes, now);
  ++changes_;
  return {Outcome::hit, {}, Answer::now, line.owner, line.owner_pc};
}

Cache::Plan Cache::plan(const Request& request, std::uint32_t found) const {
  Plan plan;
  plan.sector = tags_.sector_of(request.address);
  plan.line = found;
  if (plan.line != kNoLine) {
    const Line& line = tags_.line(plan.line);
    const bool readable = (line.valid & ~line.unreadable & plan.sector) != 0;
    const bool present =
        request.kind == PacketKind::write ? (line.valid & plan.sector) != 0 : readable;
    if (line.reserved & plan.sector)
      plan.found = Plan::Found::reserved;
    else
      plan.found = present ? Plan::Found::hit : Plan::Found::sector_missing;
  }
  if (request.kind == PacketKind::write)
    plan_write(request, plan);
  else
    plan_read(request, plan);
  return plan;
}

void Cache::plan_read(const Request& request, Plan& plan) const {
  if (plan.found == Plan::Found::hit) {
    const Line& line = tags_.line(plan.line);
    plan.access = {Outcome::hit, {}, Answer::now, line.owner, line.owner_pc};
    plan.written = request.kind == PacketKind::atomic && spec_.write == WritePolicy::write_back;
    return;
  }
  // A writable cache may need a second entry, for a write-back.
  if (!plan_fetch(request, plan, spec_.write == WritePolicy::read_only ? 0 : 1)) return;
  plan.waits = true;
  plan.access = {plan.missing(), {}, Answer::on_fill, {}, kNoPc};
  if (plan.mshr != kNoMshr) {
    const MshrEntry& fetch = mshrs_[plan.mshr];
    plan.access.owner = {fetch.owner_sm, fetch.owner_warp, fetch.owner_kernel};
    plan.access.owner_pc = fetch.owner_pc;
  }
}

// Plans to start a fetch or to merge with one. Returns whether it can; refuses the access
// otherwise.
bool Cache::plan_fetch(const Request& request, Plan& plan, std::size_t further_misses) const {
  if (reserves_ && plan.line == kNoLine) {
    plan.victim = victim(request);
    if (plan.victim == kNoLine) return plan.refuse(FailCause::no_replaceable_way), false;
  }
  if (!miss_room(further_misses + (fetch_bytes_ - 1) / kPacketBytes, plan)) return false;
  plan.mshr = mshrs_.find(fetch_key(request.address));
  if (plan.mshr == kNoMshr && mshrs_.full()) return plan.refuse(FailCause::mshr_full), false;
  if (plan.mshr != kNoMshr && !mshrs_.can_merge(plan.mshr))
    return plan.refuse(FailCause::merge_full), false;
  plan.fetch = true;
  plan.allocate = reserves_ && plan.mshr == kNoMshr;
  return true;
}

bool Cache::miss_room(std::size_t further, Plan& plan) const {
  if (misses_.size() + further < spec_.miss_queue) return true;
  plan.refuse(FailCause::miss_queue_full);
  return false;
}

void Cache::plan_write(const Request& request, Plan& plan) const {
  check_invariant(spec_.write != WritePolicy::read_only, "a write was sent to a read-only cache");
  if (plan.found == Plan::Found::hit)
    plan_write_hit(request, plan);
  else
    plan_write_miss(request, plan);
}

void Cache::plan_write_hit(const Request& request, Plan& plan) const {
  const Line& line = tags_.line(plan.line);
  WritePolicy policy = spec_.write;
  if (policy == WritePolicy::local_back_global_through)
    policy = request.client == Client::local ? WritePolicy::write_back : WritePolicy::write_evict;
  if (policy == WritePolicy::write_back) {
    plan.written = true;
    plan.access = {Outcome::hit, {}, Answer::now, line.owner, line.owner_pc};
    return;
  }
  if (!miss_room(0, plan)) return;
  plan.forward = true;
  plan.drop = policy == WritePolicy::write_evict;
  plan.written = policy == WritePolicy::write_through;
  plan.access = {Outcome::hit, {}, Answer::from_below, line.owner, line.owner_pc};
}

void Cache::plan_write_miss(const Request& request, Plan& plan) const {
  switch (spec_.write_allocation) {
    case WriteAllocation::none:
      if (!miss_room(0, plan)) return;
      plan.forward = true;
      plan.access = {plan.missing(), {}, Answer::from_below, {}, kNoPc};
      return;
    case WriteAllocation::allocate:  // forwards the write and fetches the line
      if (!plan_fetch(request, plan, 2)) return;
      plan.forward = true;
      plan.access = {plan.missing(), {}, Answer::from_below, {}, kNoPc};
      return;
    case WriteAllocation::fetch_on_write:
      if (!covers_sector(request.mask, request.address)) {
        if (!plan_fetch(request, plan, 1)) return;
        plan.written = plan.waits = true;
        plan.access = {plan.missing(), {}, Answer::on_fill, {}, kNoPc};
        return;
      }
      [[fallthrough]];  // a whole sector needs no fetch
    case WriteAllocation::lazy_fetch_on_read:
      if (plan.line == kNoLine) plan.victim = victim(request);
      if (plan.line == kNoLine && plan.victim == kNoLine)
        return plan.refuse(FailCause::no_replaceable_way);
      if (!miss_room(0, plan)) return;
      plan.allocate = plan.written = true;
      if (spec_.write == WritePolicy::write_through ||
          (spec_.write != WritePolicy::write_back && request.client != Client::local))
        plan.forward = true;
      plan.access = {
          plan.missing(), {}, plan.forward ? Answer::from_below : Answer::now, {}, kNoPc};
      return;
  }
}

void Cache::perform(const Request& request, const Plan& plan, std::uint64_t now) {
  Miss write_back;
  if (plan.forward) {
    misses_.emplace(Miss::Kind::forwarded_write, request.client,
                    sectors_at(request.address, request.bytes), request.address, request.bytes,
                    request.tag, request.requester, request.pc, request.mask);
    ++counts().forwarded_writes;
  }
  std::uint32_t at = plan.line;
  if (at == kNoLine && plan.allocate)
    at = claim(request, plan.victim, write_back);
  else if (at != kNoLine)
    use(at, {plan.access.outcome == Outcome::hit, request.kind, request.requester.warp, now});
  if (plan.fetch) start_fetch(request, plan, at);
  if (write_back.bytes) misses_.push(write_back);
  if (at != kNoLine) {
    Line& line = tags_.line(at);
    if (plan.drop) {
      line.valid &= static_cast<std::uint8_t>(~plan.sector);
      line.dirty &= line.valid;
      tags_.note_dropped(at);
    }
    if (plan.written) {
      mark_written(line, request);
      tags_.note_written(at);
    }
  }
  if (spec_.write == WritePolicy::read_only) return;
  std::uint64_t& port = data_port_free_at_[bank_of(request.address)];
  if (plan.access.outcome == Outcome::hit)
    occupy(port, request.bytes, now);
  else if (write_back.bytes)
    occupy(port, write_back.bytes, now);
}

// Replaces the victim by the request's line. Returns the write-back through `write_back`, because
// the fetch is sent before it.
std::uint32_t Cache::claim(const Request& request, std::uint32_t victim, Miss& write_back) {
  check_invariant(victim != kNoLine, "a miss was accepted without a line to replace");
  const Line& old = tags_.line(victim);
  if (old.valid) {
    ++counts().evictions;
    replacement_->evict(victim);
    const LineAddress address = tags_.address_of(victim);
    if (listener_)
      listener_->on_eviction({address, old.owner, old.owner_pc,
                              line_of(request.address, spec_.line_bytes), request.requester});
    if (old.dirty && spec_.write != WritePolicy::write_through) {
      ++counts().writebacks;
      const bool sectored = spec_.filling == Filling::sectors;
      write_back.kind = Miss::Kind::write_back;
      write_back.client = request.client;
      write_back.sectors =
          sectored ? old.dirty : sectors_at(Address{address.value}, spec_.line_bytes);
      write_back.address = Address{address.value};
      write_back.bytes = sectored
                             ? static_cast<std::uint32_t>(std::popcount(old.dirty) * kSectorBytes)
                             : spec_.line_bytes;
      write_back.requester = old.owner;
      write_back.pc = old.owner_pc;
      write_back.mask = old.written;
    }
  }
  tags_.assign(victim, request.address, request.requester, request.pc);
  replacement_->insert(victim, {request.address, request.pc});
  return victim;
}

void Cache::start_fetch(const Request& request, const Plan& plan, std::uint32_t line) {
  std::uint32_t entry = plan.mshr;
  if (entry == kNoMshr) {
    const Address from{fetch_key(request.address)};
    entry = mshrs_.open(from.value);
    MshrEntry& fetch = mshrs_[entry];
    fetch.line = line;
    fetch.generation = generation_;
    fetch.sectors_missing = static_cast<std::int32_t>(fetch_bytes_ / kSectorBytes);
    fetch.owner_sm = request.requester.sm;
    fetch.owner_warp = request.requester.warp;
    fetch.owner_kernel = request.requester.kernel;
    fetch.owner_pc = request.pc;
    const std::uint32_t piece = std::min(fetch_bytes_, kPacketBytes);
    for (std::uint32_t at = 0; at < fetch_bytes_; at += piece) {
      const Address first = from + at;
      misses_.emplace(Miss::Kind::fetch, request.client, sectors_at(first, piece), first, piece,
                      entry, request.requester, request.pc, ByteMask{});
      ++counts().fetches;
    }
    if (reserves_) {
      Line& reserved = tags_.line(line);
      if (reserved.dirty & plan.sector) reserved.dirty_on_fill |= plan.sector;
      reserved.reserved |= plan.sector;
    }
  }
  if (plan.waits) mshrs_.merge(entry, {request.tag, request.kind});
  if (request.kind == PacketKind::atomic) mshrs_[entry].has_atomic = true;
}

void Cache::mark_written(Line& line, const Request& request) const {
  const std::uint8_t sector = tags_.sector_of(request.address);
  line.written |= request.mask;
  if (line.reserved & sector) {
    line.dirty_on_fill |= sector;
    return;
  }
  const bool readable = (line.valid & ~line.unreadable & sector) != 0;
  line.valid |= sector;
  if (spec_.write != WritePolicy::write_through) line.dirty |= sector;
  if (readable || covers_sector(line.written, request.address))
    line.unreadable &= static_cast<std::uint8_t>(~sector);
  else
    line.unreadable |= sector;
}

bool Cache::covers_sector(const ByteMask& mask, Address address) const {
  const std::uint64_t first = fetch_key(address);
  for (std::uint64_t a = first; a < first + fetch_bytes_; a += kSectorBytes)
    if (mask.sector(static_cast<unsigned>(a >> 5 & 3)) != ~std::uint32_t{0}) return false;
  return true;
}

std::uint8_t Cache::sectors_at(Address first, std::uint32_t bytes) const {
  const auto from = static_cast<unsigned>(first.value >> 5 & 3);
  const auto to = static_cast<unsigned>(
      std::min<std::uint64_t>((first.value & 127) + std::max(bytes, 1u) - 1, 127) >> 5);
  return static_cast<std::uint8_t>((2u << to) - (1u << from));
}

bool Cache::fill(std::uint32_t tag, int sectors, std::uint64_t now) {
  MshrEntry& fetch = mshrs_[tag];
  fetch.sectors_missing -= sectors;
  check_invariant(fetch.sectors_missing >= 0, "more sectors arrived than were fetched");
  if (fetch.sectors_missing > 0) return false;
  if (fetch.generation == generation_) {
    const Address from{fetch.key};
    std::uint32_t at = fetch.line;
    if (!reserves_) {
      at = tags_.find(from);
      Request request;
      request.address = from;
      request.requester = {fetch.owner_sm, fetch.owner_warp, fetch.owner_kernel};
      request.pc = fetch.owner_pc;
      Miss write_back;
      if (at == kNoLine) at = claim(request, victim(request), write_back);
      if (write_back.bytes) misses_.push(write_back);
    }
    Line& line = tags_.line(at);
    const std::uint8_t sector = tags_.sector_of(from);
    line.reserved &= static_cast<std::uint8_t>(~sector);
    line.unreadable &= static_cast<std::uint8_t>(~sector);
    line.valid |= sector;
    if ((line.dirty_on_fill & sector) ||
        (fetch.has_atomic && spec_.write == WritePolicy::write_back))
      line.dirty |= sector;
    line.dirty_on_fill &= static_cast<std::uint8_t>(~sector);
  }
  mshrs_.complete(tag);
  ++changes_;
  ++content_changes_;
  occupy(fill_port_free_at_, fetch_bytes_, now);
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
    tags_.assign(at, address, {}, kNoPc);
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

bool Cache::contains(Address address) const {
  const std::uint32_t at = tags_.find(address);
  return at != kNoLine &&
         (tags_.line(at).valid & ~tags_.line(at).unreadable & tags_.sector_of(address)) != 0;
}

void Cache::occupy(std::uint64_t& free_at, std::uint32_t bytes, std::uint64_t now) const {
  const bool at_once = bytes == port_bytes_;  // most are, and a division takes long
  free_at = std::max(free_at, now) + (at_once ? 1 : (bytes + port_bytes_ - 1) / port_bytes_);
}

void Cache::count(const Request& request, const Plan& plan) {
  CacheStats& stats = counts();
  const Access& access = plan.access;
  if (access.outcome == Outcome::reservation_fail) {
    ++stats.reservation_fails[static_cast<std::size_t>(access.cause)];
    return;
  }
  const std::uint64_t write = request.kind == PacketKind::write;
  ++stats.accesses;
  stats.write_accesses += write;
  switch (access.outcome) {
    case Outcome::hit:
      ++stats.hits;
      stats.write_hits += write;
      ++(access.owner == request.requester ? stats.hits_same_warp : stats.hits_other_warp);
      break;
    case Outcome::pending_hit:
      ++stats.pending_hits;
      stats.write_pending_hits += write;
      break;
    default:
      ++stats.misses;
      stats.sector_misses += plan.found == Plan::Found::sector_missing;
      stats.write_misses += write;
      break;
  }
}

void Cache::check_conservation() const {
  counts_->check_conservation();
  check_invariant(mshrs_.used() + mshrs_.free() == mshrs_.entries(), "an MSHR was lost");
}

}  // namespace heddle::mem
