#include "exec/isa/control.h"

#include "exec/fault.h"
#include "exec/isa/host_calls.h"
#include "exec/isa/lanes.h"
#include "exec/isa/warp_synchronous.h"
#include "exec/isa/warpgroup_product.h"
#include "exec/livelock/spin_yield.h"
#include "exec/state/frames.h"

namespace heddle::exec {
namespace {

using ptx::BarrierOp;
using ptx::ConvergencePoint;

bool is_reduction(BarrierOp op) {
  return op == BarrierOp::red_popc || op == BarrierOp::red_and || op == BarrierOp::red_or;
}

void branch(Warp& w, const DecodedInstruction& r, std::uint32_t taken, Step* out) {
  branch_lanes(w, taken, r.instruction->target, r.instruction->reconvergence, out);
  if (r.closes_spin_loop && taken) note_loop_iteration(w, r, taken);
}

void indexed_branch(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out) {
  const auto& targets =
      ptx_kernel(*w.machine).branch_tables[ptx_of(r).as<ptx::BranchTable>().index];
  const auto* index = source<std::uint32_t>(w, r, 0);
  std::array<SimtStack::Path, kWarpSize> paths;
  int count = 0;
  if (out) out->taken = LaneMask{mask}, out->fell_through = LaneMask{w.stack.active() & ~mask};
  for (int lane = kWarpSize - 1; lane >= 0; --lane) {
    if (!(w.stack.active() >> lane & 1)) continue;
    Pc to = w.pc + 1;
    if (mask >> lane & 1) {
      if (index[lane] >= targets.size())
        throw_trap(w, r, lane,
                   "brx.idx with an index beyond its branch table: " + std::to_string(index[lane]));
      to = targets[index[lane]];
    }
    int p = 0;
    while (p < count && paths[static_cast<std::size_t>(p)].pc != to) ++p;
    if (p == count) paths[static_cast<std::size_t>(count++)] = {to, 0};
    paths[static_cast<std::size_t>(p)].mask |= std::uint32_t{1} << lane;
  }
  w.stack.diverge(paths.data(), count, r.instruction->reconvergence);
}

// The predicate that bar.red reduces is its last source.
const PredicateSource& reduced_predicate(const DecodedInstruction& r) {
  for (std::size_t n = r.src.size(); n-- > 0;)
    if (ptx_of(r).src[n].kind == ptx::Operand::Kind::pred) return r.src_predicate[n];
  return r.src_predicate[2];
}

// The instruction does nothing now and executes again later.
void defer(Step* out) {
  if (out) out->deferred = true, out->executed = LaneMask{};
}

void end_lanes(Warp& w, std::uint32_t mask) {
  w.live &= ~mask;
  forget_lanes(w, mask);
  w.stack.exit(mask, w.pc + 1);
  resume_fragment(w);
}

// A pending atomic writes the registers that it was issued with, so they cannot be saved or
// restored before its result has arrived.
void return_lanes(Warp& w, std::uint32_t mask, Step* out) {
  if (w.stack.call_depth() == 0) return end_lanes(w, mask);
  if (!w.activations.empty()) {
    if (w.pending_atomics) return defer(out);
    restore_frames(w, mask);
  }
  w.stack.return_lanes(mask, w.pc + 1);
}

std::uint32_t callee_at(const Warp& w, const DecodedInstruction& r, int lane) {
  const ptx::Kernel& kernel = ptx_kernel(*w.machine);
  const ptx::CallSite& site = kernel.call_sites[ptx_of(r).as<ptx::CallSiteIndex>().index];
  if (!r.src[0].present) return site.callees.front();
  const std::uint64_t address = source<std::uint64_t>(w, r, 0)[lane];
  for (std::uint32_t callee : site.callees)
    if (kernel.functions[callee].address == address) return callee;
  throw_illegal_call(w, r, lane, address);
}

void call_through_site(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out) {
  if (w.pending_atomics) return defer(out);
  const ptx::Kernel& kernel = ptx_kernel(*w.machine);
  std::array<SimtStack::Path, kWarpSize> paths;
  std::array<std::uint32_t, kWarpSize> callees;
  std::size_t count = 0;
  for (std::uint32_t rest = mask; rest;) {
    const int highest = 31 - std::countl_zero(rest);
    const std::uint32_t callee = callee_at(w, r, highest);
    std::uint32_t same = rest;
    if (r.src[0].present) {
      const auto* address = source<std::uint64_t>(w, r, 0);
      for (int lane = 0; lane < kWarpSize; ++lane)
        if (address[lane] != address[highest]) same &= ~(std::uint32_t{1} << lane);
    }
    callees[count] = callee;
    paths[count++] = {kernel.functions[callee].entry, same};
    rest &= ~same;
  }
  for (std::size_t p = 0; p < count; ++p) enter_function(w, r, callees[p], paths[p].mask);
  w.stack.call(paths.data(), static_cast<int>(count), w.pc + 1);
}

// Do lanes have to arrive at the instruction, in the stack or in other fragments?
bool must_wait(Warp& w, const SyncMeeting& meeting) {
  return wait_for_members(w, meeting) ||
         (!w.fragments.empty() &&
          run_lanes_first(w, meeting.named & ~meeting.lanes & ~w.stack.active()));
}

// May lanes of the warp be elsewhere that execute the instruction together with the running ones?
bool may_meet(const Warp& w, const DecodedInstruction& r) {
  const SimtStack::Entry& top = w.stack.top();
  return !w.fragments.empty() || top.waits || top.converged ||
         (w.stack.depth() > 1 && (ptx_of(r).convergence_point != ConvergencePoint::kNone ||
                                  ptx_of(r).matching_point != ConvergencePoint::kNone));
}

// Executes the instruction with the lanes that meet here, or waits for them.
void converge(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out) {
  if (!w.stack.top().converged) {
    const SyncMeeting meeting = sync_meeting(w, r, mask);
    if (must_wait(w, meeting)) return defer(out);
    warn_of_lone_lanes(w, r, meeting);
    if (meeting.others.empty())
      r.handler(w, r, mask);
    else
      execute_together(w, meeting.here, meeting.others);
    end_waits(w, meeting);
  }
  w.stack.stop_waiting();
  w.stack.advance(w.pc + 1);
}

// True when the warp has arrived.
bool arrive_at_barrier(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out) {
  SyncMeeting meeting;
  meeting.here = {&r, mask};
  if (may_meet(w, r)) {
    if (w.stack.top().converged) {  // with the lanes at another place
      if (out) out->deferred = true;
      w.stack.stop_waiting();
      w.stack.advance(w.pc + 1);
      return false;
    }
    meeting = sync_meeting(w, r, mask);
    if (must_wait(w, meeting)) return defer(out), false;
    for (const SimtStack& fragment : w.fragments)
      if ((fragment.lanes() & ~meeting.lanes) != 0)
        throw_trap(w, r, std::countr_zero(mask), "lanes of one warp wait at different barriers");
    warn_of_lone_lanes(w, r, meeting);
    end_waits(w, meeting);
    w.stack.stop_waiting();
  }
  const BarrierRequest request = barrier_request(w, r, mask);
  bool waits = false;
  meeting.for_each_place([&](const SyncPlace& place) {
    waits |= place.decoded->instruction->barrier != BarrierOp::arrive;
  });
  if (request.threads == kThreadsOfCluster)
    waits = (w.cluster_arrived & (mask | meeting.lanes)) != 0;
  record_arrival(w, request, waits, out);
  if (is_reduction(r.instruction->barrier))
    meeting.for_each_place([&](const SyncPlace& place) {
      const std::uint32_t holds = predicate(w, reduced_predicate(*place.decoded)) & place.lanes;
      reduce(w, *place.decoded, holds, place.lanes);
    });
  w.stack.advance(w.pc + 1);
  return true;
}

// True when other lanes have to arrive at a call before the running ones make it.
bool waits_at_call(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out) {
  if (ptx_of(r).convergence_point == ConvergencePoint::kNone) return false;
  if (wait_for_members(w, sync_meeting(w, r, mask))) return defer(out), true;
  w.stack.stop_waiting();
  return false;
}

// The warps of a warpgroup commit together: when one waits for a group, all have read its matrices.
BarrierRequest warpgroup_barrier(const Warp& w) {
  return {.id = isa::kWarpgroupBarrier + w.warp_in_cta / kWarpsInWarpgroup,
          .threads = kWarpsInWarpgroup * kWarpSize};
}

}  // namespace

BarrierRequest barrier_request(const Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  const int lane = std::countr_zero(mask);
  BarrierRequest request;
  if (ptx_of(r).cluster) {
    request.id = ptx::kClusterBarrier;
    if (w.machine->launch.clusters) request.threads = kThreadsOfCluster;
    return request;
  }
  if (isa::ends_products(r.instruction->copy)) return warpgroup_barrier(w);
  if (r.src[0].present) request.id = source<std::uint32_t>(w, r, 0)[lane];
  if (r.src[1].present) request.threads = source<std::uint32_t>(w, r, 1)[lane];
  // Machine code has both in one register, at these bits.
  if (r.machine.control && r.src[0].base == 0 && r.src[0].offset == r.src[1].offset &&
      r.src[1].base == 0 && r.src[1].present) {
    request.threads = request.id >> 16 & 0xfff;
    request.id &= 15;
  }
  if (request.id >= ptx::kClusterBarrier)
    throw_trap(w, r, lane,
               "barrier " + std::to_string(request.id) + " does not exist: there are 16");
  return request;
}

void record_arrival(Warp& w, const BarrierRequest& request, bool waits, Step* out) {
  w.arrived_at = request;
  w.waits_at_barrier = waits;
  if (!out) return;
  out->barrier_id = request.id, out->barrier_threads = request.threads;
  out->waits_at_barrier = waits;
}

void reduce(Warp& w, const DecodedInstruction& r, std::uint32_t holds, std::uint32_t lanes) {
  BarrierTally& tally = w.cta->barriers[w.arrived_at.id];
  tally.count += static_cast<std::uint32_t>(std::popcount(holds));
  tally.all = tally.all && holds == lanes;
  tally.any = tally.any || holds != 0;
  tally.reduces = true;
  w.barrier_results.emplace_back(&r, lanes);
}

bool control(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out) {
  if (r.flow == Flow::branch) return branch(w, r, mask, out), false;
  if (r.machine.control) return r.machine.control(w, r, mask, out);
  if (mask == 0) return w.stack.advance(w.pc + 1), false;
  switch (r.flow) {
    case Flow::indexed_branch: indexed_branch(w, r, mask, out); return false;
    case Flow::call:
      if (!waits_at_call(w, r, mask, out)) w.stack.call(r.instruction->target, w.pc + 1, mask);
      return false;
    case Flow::call_through_site:
      if (!waits_at_call(w, r, mask, out)) call_through_site(w, r, mask, out);
      return false;
    case Flow::host:
      if (call_host(w, r, mask))
        w.stack.advance(w.pc + 1);
      else
        defer(out);
      return false;
    case Flow::return_: return_lanes(w, mask, out); return false;
    case Flow::exit: end_lanes(w, mask); return false;
    case Flow::converge:
      if (may_meet(w, r)) [[unlikely]]
        return converge(w, r, mask, out), false;
      r.handler(w, r, mask);
      w.stack.advance(w.pc + 1);
      return false;
    case Flow::clock:
      r.handler(w, r, mask);
      w.stack.advance(w.pc + 1);
      return false;
    case Flow::trap:
      if (ptx_of(r).opcode == ptx::Opcode::assertfail) fail_assertion(w, r, mask);
      throw_trap(w, r, std::countr_zero(mask),
                 ptx_of(r).opcode == ptx::Opcode::brkpt ? "breakpoint" : "trap");
    case Flow::barrier: return arrive_at_barrier(w, r, mask, out);
    case Flow::plain:
    case Flow::machine_code:
    case Flow::branch: break;
  }
  return false;
}

namespace {
void write_result(Warp& w, const DecodedInstruction& r, std::uint32_t lanes,
                  const BarrierTally& tally) {
  switch (r.instruction->barrier) {
    case BarrierOp::red_popc: {
      alignas(64) std::uint32_t count[kWarpSize];
      for (auto& c : count) c = tally.count;
      store_lanes<4>(w.bases[0] + r.dst[0], count, lanes);
      break;
    }
    case BarrierOp::red_and:
      set_predicate(w, r.dst_predicate[0], tally.all ? ~0u : 0, lanes);
      break;
    default: set_predicate(w, r.dst_predicate[0], tally.any ? ~0u : 0, lanes); break;
  }
}
}  // namespace

void complete_barrier(Cta& cta, std::uint32_t id) {
  if (id == isa::kClusterBarrier) {
    cta.cluster_opens = false;
    for (Warp* w : cta.warps) w->cluster_arrived = 0;
  }
  BarrierTally& tally = cta.barriers[id];
  if (!tally.reduces) return;
  for (Warp* w : cta.warps) {
    if (w->arrived_at.id != id) continue;
    for (const auto& [r, lanes] : w->barrier_results) write_result(*w, *r, lanes, tally);
    w->barrier_results.clear();
  }
  tally = {};
}

}  // namespace heddle::exec
