#include "mem/access_plan.h"

namespace heddle::mem {

using config::WriteAllocation;
using config::WritePolicy;

namespace {

Outcome outcome_of_missing(const AccessPlan& plan) {
  return plan.found == AccessPlan::Found::reserved || plan.mshr != kNoMshr ? Outcome::pending_hit
                                                                           : Outcome::miss;
}
void refuse(AccessPlan& plan, FailCause cause) {
  plan.access = {Outcome::reservation_fail, cause, Answer::none, {}};
}

bool has_room_for_misses(const CacheState& cache, std::size_t further, AccessPlan& plan) {
  if (cache.misses.size() + further < cache.spec.miss_queue) return true;
  refuse(plan, FailCause::miss_queue_full);
  return false;
}

// Lines that got a way from a complete MSHR wait for no fetch (merges_while_draining). Once they
// have all ways of a set they would keep them for ever.
std::uint32_t victim(const CacheState& cache, const Request& request) {
  const std::uint32_t line =
      cache.replacement->victim(cache.tags, {request.address, request.origin.pc});
  const bool keeps_all = cache.spec.merges_while_draining && cache.mshrs.empty();
  return line == kNoLine && keeps_all ? cache.tags.first_of_set(request.address) : line;
}

// Plans to start a fetch or to merge with one. Returns whether it can; refuses the access
// otherwise.
bool plan_fetch(const CacheState& cache, const Request& request, AccessPlan& plan,
                std::size_t further_misses) {
  if (cache.reserves && plan.line == kNoLine) {
    plan.victim = victim(cache, request);
    if (plan.victim == kNoLine) return refuse(plan, FailCause::no_replaceable_way), false;
  }
  const std::uint32_t further_pieces = (cache.tags.fetch_bytes() - 1) / kLineBytes;
  if (!has_room_for_misses(cache, further_misses + further_pieces, plan)) return false;
  const MshrTable& mshrs = cache.mshrs;
  plan.mshr = mshrs.find(cache.tags.fetch_start(request.address).value);
  if (plan.mshr == kNoMshr && mshrs.full()) return refuse(plan, FailCause::mshr_full), false;
  if (plan.mshr != kNoMshr && !mshrs.can_merge(plan.mshr))
    return refuse(plan, FailCause::merge_full), false;
  plan.fetch = true;
  plan.allocate = cache.reserves && (plan.mshr == kNoMshr || mshrs[plan.mshr].complete);
  return true;
}

void plan_read(const CacheState& cache, const Request& request, AccessPlan& plan) {
  if (plan.found == AccessPlan::Found::hit) {
    plan.access = {Outcome::hit, {}, Answer::now, cache.tags.line(plan.line).owner};
    plan.written =
        request.kind == PacketKind::atomic && cache.spec.write == WritePolicy::write_back;
    return;
  }
  // A writable cache may need a second entry, for a write-back.
  if (!plan_fetch(cache, request, plan, cache.spec.write == WritePolicy::read_only ? 0 : 1)) return;
  plan.waits = true;
  plan.access = {outcome_of_missing(plan), {}, Answer::on_fill, {}};
  if (plan.mshr != kNoMshr) plan.access.owner = cache.mshrs[plan.mshr].owner;
}

void plan_write_hit(const CacheState& cache, const Request& request, AccessPlan& plan) {
  const Origin& owner = cache.tags.line(plan.line).owner;
  WritePolicy policy = cache.spec.write;
  if (policy == WritePolicy::local_back_global_through)
    policy = request.client == Client::local ? WritePolicy::write_back : WritePolicy::write_evict;
  if (policy == WritePolicy::write_back) {
    plan.written = true;
    plan.access = {Outcome::hit, {}, Answer::now, owner};
    return;
  }
  if (!has_room_for_misses(cache, 0, plan)) return;
  plan.forward = true;
  plan.drop = policy == WritePolicy::write_evict;
  plan.written = policy == WritePolicy::write_through;
  plan.access = {Outcome::hit, {}, Answer::from_below, owner};
}

void plan_write_miss(const CacheState& cache, const Request& request, AccessPlan& plan) {
  switch (cache.spec.write_allocation) {
    case WriteAllocation::none_with_way:
      if (cache.reserves && plan.line == kNoLine && victim(cache, request) == kNoLine)
        return refuse(plan, FailCause::no_replaceable_way);
      [[fallthrough]];
    case WriteAllocation::none:
      if (!has_room_for_misses(cache, 0, plan)) return;
      plan.forward = true;
      plan.access = {outcome_of_missing(plan), {}, Answer::from_below, {}};
      return;
    case WriteAllocation::allocate:  // forwards the write and fetches the line
    case WriteAllocation::allocate_merged:
      if (!plan_fetch(cache, request, plan, 2)) return;
      plan.forward = true;
      plan.waits = cache.spec.write_allocation == WriteAllocation::allocate_merged;
      plan.access = {outcome_of_missing(plan), {}, Answer::from_below, {}};
      return;
    case WriteAllocation::fetch_on_write:
      if (!cache.tags.covers_sector(request.mask, request.address)) {
        if (!plan_fetch(cache, request, plan, 1)) return;
        plan.written = plan.waits = true;
        plan.access = {outcome_of_missing(plan), {}, Answer::on_fill, {}};
        return;
      }
      [[fallthrough]];  // a whole sector needs no fetch
    case WriteAllocation::lazy_fetch_on_read:
      if (plan.line == kNoLine) plan.victim = victim(cache, request);
      if (plan.line == kNoLine && plan.victim == kNoLine)
        return refuse(plan, FailCause::no_replaceable_way);
      if (!has_room_for_misses(cache, 0, plan)) return;
      plan.allocate = plan.written = true;
      plan.forward =
          cache.spec.write == WritePolicy::write_through ||
          (cache.spec.write != WritePolicy::write_back && request.client != Client::local);
      plan.access = {
          outcome_of_missing(plan), {}, plan.forward ? Answer::from_below : Answer::now, {}};
      return;
  }
}

void plan_write(const CacheState& cache, const Request& request, AccessPlan& plan) {
  check_invariant(cache.spec.write != WritePolicy::read_only,
                  "a write was sent to a read-only cache");
  if (plan.found == AccessPlan::Found::hit)
    plan_write_hit(cache, request, plan);
  else
    plan_write_miss(cache, request, plan);
}

}  // namespace

AccessPlan plan_access(const CacheState& cache, const Request& request, std::uint32_t found) {
  using Found = AccessPlan::Found;
  AccessPlan plan;
  plan.sector = cache.tags.sector_of(request.address);
  plan.line = found;
  if (plan.line != kNoLine) {
    const Line& line = cache.tags.line(plan.line);
    const bool readable = (line.valid & ~line.unreadable & plan.sector) != 0;
    const bool present =
        request.kind == PacketKind::write ? (line.valid & plan.sector) != 0 : readable;
    if (line.reserved & plan.sector)
      plan.found = Found::reserved;
    else
      plan.found = present ? Found::hit : Found::sector_missing;
  }
  if (request.kind == PacketKind::write)
    plan_write(cache, request, plan);
  else
    plan_read(cache, request, plan);
  return plan;
}

void AccessPlan::count(const Request& request, CacheStats& stats) const {
  if (access.outcome == Outcome::reservation_fail) return stats.count_refusals(access.cause);
  const std::uint64_t write = request.kind == PacketKind::write;
  ++stats.accesses;
  stats.write_accesses += write;
  switch (access.outcome) {
    case Outcome::hit:
      ++stats.hits;
      stats.write_hits += write;
      ++(access.owner == request.origin ? stats.hits_same_warp : stats.hits_other_warp);
      break;
    case Outcome::pending_hit:
      ++stats.pending_hits;
      stats.write_pending_hits += write;
      break;
    default:
      ++stats.misses;
      stats.sector_misses += found == Found::sector_missing;
      stats.write_misses += write;
      break;
  }
}

}  // namespace heddle::mem
