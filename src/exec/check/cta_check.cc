// Checks of barriers and of other instructions that threads execute together.
#include "exec/check/cta_check.h"

#include "exec/fault.h"
#include "exec/isa/lanes.h"
#include "exec/isa/warp_synchronous.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;

// The lane that a shuffle reads from; the lane itself when that is out of range.
int shuffle_source(const Warp& w, const DecodedInstruction& r, int lane) {
  const U32 b = source<U32>(w, r, 1)[lane], c = source<U32>(w, r, 2)[lane];
  const int offset = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31),
            segment = static_cast<int>(c >> 8 & 31);
  const int most = (lane & segment) | (clamp & ~segment);
  int from = lane;
  switch (ptx_of(r).as<ptx::ShflMode>()) {
    case ptx::ShflMode::up: from = lane - offset; return from >= most ? from : lane;
    case ptx::ShflMode::down: from = lane + offset; break;
    case ptx::ShflMode::bfly: from = lane ^ offset; break;
    case ptx::ShflMode::idx: from = (lane & segment) | (offset & ~segment); break;
  }
  return from <= most ? from : lane;
}

}  // namespace

CtaCheck::CtaCheck(Checker& checker, const Machine& machine)
    : checker_(checker), spec_(checker.spec()), machine_(machine), order_(checker.order()) {}

void CtaCheck::start(const Cta& cta) {
  cta_ = cta.linear;
  state_ = &cta;
  if (machine_.launch.clusters) checker_.enter_cluster(cta_, *this);
  ++starts_;
  order_.start(cta_, cta.warps.size());
  arrivals_.fill({});
  born_.fill(0);
  for (const Warp* w : cta.warps) born_[w->warp_in_cta] = w->live;
  shared_unwritten_.clear_all();
  shared_unwritten_.set(0, machine_.declared_shared_bytes);
  local_unwritten_.clear_all();
  // The bytes of a stack are reused, so they are not checked.
  if (!machine_.launch.kernel->uses_stack)
    local_unwritten_.set(0, std::uint64_t{machine_.local_bytes} * kWarpSize * cta.warps.size());
}

void CtaCheck::check_warp_synchronous(Warp& w, const DecodedInstruction& r, U32 mask) {
  if (w.stack.top().converged) return;  // checked with the lanes at another place
  const SyncMeeting meeting = sync_meeting(w, r, mask);
  if (awaited_entry(w, meeting)) return;  // other lanes of the warp may still arrive
  // An election carries no data, so it orders none.
  if (r.flow == Flow::converge && ptx_of(r).opcode != Opcode::elect)
    order_.synchronise_lanes(w.warp_in_cta, ordered_lanes(meeting.lanes));
  if (!w.fragments.empty()) return;
  if (r.flow == Flow::barrier) return check_barrier(w, r, ptx_of(r).aligned ? mask : meeting.lanes);
  if (spec_.barriers && r.flow == Flow::converge && r.members != DecodedInstruction::kAllLanes) {
    meeting.for_each_place([&](const SyncPlace& place) {
      check_members(w, place, meeting);
      if (ptx_of(r).opcode == Opcode::shfl) check_shuffle(w, place, meeting.lanes);
    });
  } else if (spec_.barriers && ptx_of(r).opcode == Opcode::shfl) {
    check_shuffle(w, meeting.here, mask);
  }
}

// Reports lanes that do not arrive at the barrier with `lanes`.
void CtaCheck::check_barrier(const Warp& w, const DecodedInstruction& r, U32 lanes) {
  const U32 missing = w.live & ~lanes, ended = born_[w.warp_in_cta] & ~w.live;
  const U32 absent = missing ? missing : spec_.strict ? ended : 0;
  if (!spec_.barriers || absent == 0) return;
  checker_.add({Tool::barriers, "divergent",
                missing ? "barrier in divergent code" : "barrier without threads that have ended",
                std::to_string(std::popcount(absent)) +
                    " threads of the warp do not execute it (lanes " + mask_text(absent) + ")",
                pc_of(r), id(w, std::countr_zero(lanes)), ptx::Space::none, 0, kNoPc,
                missing ? "does not execute it" : "has ended", id(w, std::countr_zero(absent))});
}

void CtaCheck::check_members(const Warp& w, const SyncPlace& place, const SyncMeeting& meeting) {
  const DecodedInstruction& r = *place.decoded;
  const auto* members = source<U32>(w, r, r.members);
  const std::string name = sync_name(ptx_of(r));
  for (U32 rest = place.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const U32 named = members[lane], missing = named & w.live & ~meeting.lanes;
    if (!(named >> lane & 1)) {
      checker_.add(
          {Tool::barriers, "not a member",
           "the member mask of " + name + " does not name a thread that executes it",
           "the mask is " + mask_text(named) + ", the thread is lane " + std::to_string(lane),
           pc_of(r), id(w, lane)});
    } else if (missing && ptx_of(r).opcode !=
                              Opcode::bar) {  // lanes may execute different bar.warp.sync together
      checker_.add({Tool::barriers, "absent member",
                    "the member mask of " + name + " names threads that do not execute it",
                    "the mask is " + mask_text(named) + ", lanes " + mask_text(missing) +
                        " do not execute it",
                    pc_of(r), id(w, lane), ptx::Space::none, 0, kNoPc, "does not execute it",
                    id(w, std::countr_zero(missing))});
    } else {
      check_same_masks(w, place, lane, meeting);
    }
  }
}

// Reports a lane that executes the instruction with another member mask than `lane`, which names
// it.
void CtaCheck::check_same_masks(const Warp& w, const SyncPlace& place, int lane,
                                const SyncMeeting& meeting) {
  const U32 named = source<U32>(w, *place.decoded, place.decoded->members)[lane];
  bool reported = false;
  meeting.for_each_place([&](const SyncPlace& there) {
    const auto* members = source<U32>(w, *there.decoded, there.decoded->members);
    for (U32 others = named & there.lanes; others && !reported; others &= others - 1) {
      const int other = std::countr_zero(others);
      if (members[other] == named) continue;
      checker_.add(
          {Tool::barriers, "masks differ",
           "threads execute " + sync_name(ptx_of(*place.decoded)) + " with different member masks",
           "the masks are " + mask_text(named) + " and " + mask_text(members[other]),
           pc_of(*place.decoded), id(w, lane), ptx::Space::none, 0, pc_of(*there.decoded),
           "has the other mask", id(w, other)});
      reported = true;
    }
  });
}

// Reductions read lanes that have ended or never existed and do not use the value: reported only
// when `strict`. `lanes` execute the shuffle or a matching one.
void CtaCheck::check_shuffle(const Warp& w, const SyncPlace& place, U32 lanes) {
  for (U32 rest = place.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest), from = shuffle_source(w, *place.decoded, lane);
    if (lanes >> from & 1 || !(spec_.strict || w.live >> from & 1)) continue;
    checker_.add({Tool::barriers, "inactive source",
                  "shfl reads from a thread that does not execute it",
                  "it reads from lane " + std::to_string(from), pc_of(*place.decoded), id(w, lane),
                  ptx::Space::none, 0, kNoPc, "does not execute it", id(w, from)});
  }
}

void CtaCheck::arrive(const Warp& w, const BarrierRequest& request, bool waits) {
  Arrivals& arrivals = arrivals_[request.id];
  if (request.threads == kThreadsOfCluster) {  // its arrival was an instruction of its own
    arrivals.waiting |= U32{1} << w.warp_in_cta;
    return;
  }
  const U32 thread = w.warp_in_cta * kWarpSize;
  const ThreadId who = checker_.thread_id(cta_, thread);
  if (!arrivals.open) {
    arrivals.open = true, arrivals.pc = w.pc, arrivals.thread = thread,
    arrivals.threads = request.threads;
  } else if (spec_.barriers) {
    const ThreadId first = checker_.thread_id(cta_, arrivals.thread);
    const std::string number = "barrier " + std::to_string(request.id);
    if (arrivals.threads != request.threads)
      checker_.add({Tool::barriers, "counts differ",
                    "threads wait at " + number + " for different numbers of threads",
                    std::to_string(request.threads) + " and " + std::to_string(arrivals.threads) +
                        " threads (0: all)",
                    w.pc, who, ptx::Space::none, 0, arrivals.pc, "waits for the other number",
                    first});
    else if (request.threads == 0 && !checker_.same_line(arrivals.pc, w.pc))
      checker_.add({Tool::barriers, "places differ",
                    "warps wait at " + number + " at different source lines",
                    "all threads have to execute the same barrier instruction", w.pc, who,
                    ptx::Space::none, 0, arrivals.pc, "waits at the other line", first});
  }
  if (spec_.barriers && request.threads % kWarpSize != 0)
    checker_.add({Tool::barriers, "odd count",
                  "the number of threads of a barrier is not a multiple of the warp size",
                  std::to_string(request.threads) + " threads", w.pc, who});
  order_.arrive(w.warp_in_cta, arrivals.order);
  if (waits) arrivals.waiting |= U32{1} << w.warp_in_cta;
}

void CtaCheck::complete(U32 barrier_id) {
  Arrivals& arrivals = arrivals_[barrier_id];
  for (U32 rest = arrivals.waiting; rest; rest &= rest - 1)
    if (const auto warp = static_cast<std::size_t>(std::countr_zero(rest));
        barrier_id == isa::kClusterBarrier && machine_.launch.clusters)
      acquire_cluster(warp);
    else
      order_.depart(warp, arrivals.order);
  arrivals = {};
}

void CtaCheck::deadlock(std::span<Warp* const> warps) {
  if (!spec_.barriers) return;
  const Warp* first = nullptr;
  const Warp* second = nullptr;
  for (const Warp* w : warps) {
    if (w->stack.finished()) continue;
    if (first == nullptr)
      first = w;
    else if (second == nullptr && w->pc != first->pc)
      second = w;
  }
  if (first == nullptr) return;
  Checker::Detail detail{Tool::barriers,
                         "deadlock",
                         "deadlock or livelock: no warp of the CTA can continue",
                         "",
                         first->pc,
                         id(*first, std::countr_zero(first->live))};
  if (second)
    detail.other_act = "waits elsewhere", detail.other_pc = second->pc,
    detail.other = id(*second, std::countr_zero(second->live));
  checker_.add(detail);
}

}  // namespace heddle::exec
