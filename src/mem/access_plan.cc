#include "mem/access_plan.h"

namespace heddle::mem {

using config::Allocation;
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

}  // namespace

AccessPlan AccessPlanner::plan(const Request& request, std::uint32_t found) const {
  using Found = AccessPlan::Found;
  AccessPlan plan;
  plan.sector = tags_.sector_of(request.address);
  plan.line = found;
  if (plan.line != kNoLine) {
    const Line& line = tags_.line(plan.line);
    const std::uint8_t present = request.kind == PacketKind::write
                                     ? line.valid
                                     : static_cast<std::uint8_t>(line.valid & ~line.unreadable);
    plan.found = line.reserved & plan.sector ? Found::reserved
                 : present & plan.sector     ? Found::hit
                                             : Found::sector_missing;
  }
  if (request.kind == PacketKind::write)
    plan_write(request, plan);
  else
    plan_read(request, plan);
  return plan;
}

void AccessPlanner::plan_read(const Request& request, AccessPlan& plan) const {
  if (plan.found == AccessPlan::Found::hit) {
    plan.access = {Outcome::hit, {}, Answer::now, tags_.line(plan.line).owner};
    plan.written = request.kind == PacketKind::atomic && spec_.write == WritePolicy::write_back;
    return;
  }
  // A writable cache may need a second entry, for a write-back.
  if (!plan_fetch(request, plan, spec_.write == WritePolicy::read_only ? 0 : 1)) return;
  plan.waits = true;
  plan.access = {outcome_of_missing(plan), {}, Answer::on_fill, {}};
  if (plan.mshr != kNoMshr) plan.access.owner = mshrs_[plan.mshr].owner;
}

// Plans to start a fetch or to merge with one. Returns whether it can; refuses the access
// otherwise.
bool AccessPlanner::plan_fetch(const Request& request, AccessPlan& plan,
                               std::size_t further_misses) const {
  const bool reserves = spec_.allocation == Allocation::on_miss;
  if (reserves && plan.line == kNoLine) {
    plan.victim = victim(request);
    if (plan.victim == kNoLine) return refuse(plan, FailCause::no_replaceable_way), false;
  }
  const std::uint32_t further_pieces = (tags_.fetch_bytes() - 1) / kLineBytes;
  if (!has_room_for_misses(further_misses + further_pieces, plan)) return false;
  plan.mshr = mshrs_.find(tags_.fetch_start(request.address).value);
  if (plan.mshr == kNoMshr && mshrs_.full()) return refuse(plan, FailCause::mshr_full), false;
  if (plan.mshr != kNoMshr && !mshrs_.can_merge(plan.mshr))
    return refuse(plan, FailCause::merge_full), false;
  plan.fetch = true;
  plan.allocate = reserves && plan.mshr == kNoMshr;
  return true;
}

bool AccessPlanner::has_room_for_misses(std::size_t further, AccessPlan& plan) const {
  if (misses_ + further < spec_.miss_queue) return true;
  refuse(plan, FailCause::miss_queue_full);
  return false;
}

void AccessPlanner::plan_write(const Request& request, AccessPlan& plan) const {
  check_invariant(spec_.write != WritePolicy::read_only, "a write was sent to a read-only cache");
  if (plan.found == AccessPlan::Found::hit)
    plan_write_hit(request, plan);
  else
    plan_write_miss(request, plan);
}

void AccessPlanner::plan_write_hit(const Request& request, AccessPlan& plan) const {
  const Origin& owner = tags_.line(plan.line).owner;
  WritePolicy policy = spec_.write;
  if (policy == WritePolicy::local_back_global_through)
    policy = request.client == Client::local ? WritePolicy::write_back : WritePolicy::write_evict;
  if (policy == WritePolicy::write_back) {
    plan.written = true;
    plan.access = {Outcome::hit, {}, Answer::now, owner};
    return;
  }
  if (!has_room_for_misses(0, plan)) return;
  plan.forward = true;
  plan.drop = policy == WritePolicy::write_evict;
  plan.written = policy == WritePolicy::write_through;
  plan.access = {Outcome::hit, {}, Answer::from_below, owner};
}

void AccessPlanner::plan_write_miss(const Request& request, AccessPlan& plan) const {
  switch (spec_.write_allocation) {
    case WriteAllocation::none:
      if (!has_room_for_misses(0, plan)) return;
      plan.forward = true;
      plan.access = {outcome_of_missing(plan), {}, Answer::from_below, {}};
      return;
    case WriteAllocation::allocate:  // forwards the write and fetches the line
      if (!plan_fetch(request, plan, 2)) return;
      plan.forward = true;
      plan.access = {outcome_of_missing(plan), {}, Answer::from_below, {}};
      return;
    case WriteAllocation::fetch_on_write:
      if (!tags_.covers_sector(request.mask, request.address)) {
        if (!plan_fetch(request, plan, 1)) return;
        plan.written = plan.waits = true;
        plan.access = {outcome_of_missing(plan), {}, Answer::on_fill, {}};
        return;
      }
      [[fallthrough]];  // a whole sector needs no fetch
    case WriteAllocation::lazy_fetch_on_read:
      if (plan.line == kNoLine) plan.victim = victim(request);
      if (plan.line == kNoLine && plan.victim == kNoLine)
        return refuse(plan, FailCause::no_replaceable_way);
      if (!has_room_for_misses(0, plan)) return;
      plan.allocate = plan.written = true;
      plan.forward = spec_.write == WritePolicy::write_through ||
                     (spec_.write != WritePolicy::write_back && request.client != Client::local);
      plan.access = {
          outcome_of_missing(plan), {}, plan.forward ? Answer::from_below : Answer::now, {}};
      return;
  }
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
