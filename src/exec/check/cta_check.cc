// Barriers and other instructions at which threads meet.
#include "exec/check/cta_check.h"

#include <cstdio>

#include "exec/convergence/warp_synchronous.h"
#include "exec/isa/lanes.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using U32 = std::uint32_t;

std::string hex(U32 value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

const char* name_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::shfl: return "shfl.sync";
    case Opcode::vote: return "vote.sync";
    case Opcode::match: return "match.sync";
    case Opcode::redux: return "redux.sync";
    case Opcode::elect: return "elect.sync";
    default: return "bar.warp.sync";
  }
}

// The lane from which a shuffle reads; the lane itself where that would be out of range.
int shuffle_source(const Warp& w, const Record& r, int lane) {
  const U32 b = source<U32>(w, r, 1)[lane], c = source<U32>(w, r, 2)[lane];
  const int offset = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31),
            segment = static_cast<int>(c >> 8 & 31);
  const int most = (lane & segment) | (clamp & ~segment);
  int from = lane;
  switch (r.instruction->as<ptx::ShflMode>()) {
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
  ++starts_;
  order_.start(cta_);
  meetings_.fill({});
  born_.fill(0);
  for (const Warp* w : cta.warps) born_[w->warp_in_cta] = w->live;
  shared_unwritten_.clear_all();
  shared_unwritten_.set(0, machine_.shared_bytes);
  local_unwritten_.clear_all();
  // A stack is used again and again, so its bytes tell nothing.
  if (!machine_.launch.kernel->uses_stack)
    local_unwritten_.set(0, std::uint64_t{machine_.local_bytes} * kWarpSize * cta.warps.size());
}

void CtaCheck::meet(Warp& w, const Record& r, U32 mask) {
  if (!w.parked.empty() || awaited_entry(w, r, mask))
    return;  // others of the warp may still be on their way here
  if (r.flow == Flow::barrier) {
    const U32 missing = w.live & ~mask, ended = born_[w.warp_in_cta] & ~w.live;
    const int lane = std::countr_zero(mask);
    if (!spec_.barriers || (missing == 0 && !(spec_.strict && ended))) return;
    const U32 absent = missing ? missing : ended;
    checker_.add({Tool::barriers, "divergent",
                  missing ? "barrier in divergent code" : "barrier without threads that have ended",
                  std::to_string(std::popcount(absent)) +
                      " threads of the warp do not come to it (lanes " + hex(absent) + ")",
                  w.pc, id(w, lane), ptx::Space::none, 0, kNoPc,
                  missing ? "does not come" : "has ended", id(w, std::countr_zero(absent))});
    return;
  }
  if (spec_.barriers && r.flow == Flow::converge && r.members != Record::kAllLanes)
    check_members(w, r, mask);
  if (spec_.barriers && r.instruction->opcode == Opcode::shfl) check_shuffle(w, r, mask);
  if (r.flow == Flow::converge) order_.synchronise_lanes(w.warp_in_cta);
}

void CtaCheck::check_members(Warp& w, const Record& r, U32 mask) {
  const auto* members = source<U32>(w, r, r.members);
  const std::string name = name_of(r.instruction->opcode);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const U32 named = members[lane], missing = named & w.live & ~mask;
    if (!(named >> lane & 1)) {
      checker_.add({Tool::barriers, "not a member",
                    "the mask of " + name + " leaves out a thread that executes it",
                    "the mask is " + hex(named) + ", the thread is lane " + std::to_string(lane),
                    w.pc, id(w, lane)});
    } else if (missing && r.instruction->opcode !=
                              Opcode::bar) {  // lanes may come to bar.warp.sync at different places
      checker_.add({Tool::barriers, "absent member",
                    "the mask of " + name + " names threads that do not execute it",
                    "the mask is " + hex(named) + ", lanes " + hex(missing) + " are elsewhere",
                    w.pc, id(w, lane), ptx::Space::none, 0, kNoPc, "does not come",
                    id(w, std::countr_zero(missing))});
    } else {
      for (U32 others = named & mask; others; others &= others - 1) {
        const int other = std::countr_zero(others);
        if (members[other] == named) continue;
        checker_.add({Tool::barriers, "masks differ",
                      "threads meet at " + name + " with different masks",
                      "the masks are " + hex(named) + " and " + hex(members[other]), w.pc,
                      id(w, lane), ptx::Space::none, 0, w.pc, "has the other mask", id(w, other)});
        break;
      }
    }
  }
}

// Lanes that the warp never had, or has no more, are read by reductions that do not use what they
// get: only `strict` minds.
void CtaCheck::check_shuffle(const Warp& w, const Record& r, U32 mask) {
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest), from = shuffle_source(w, r, lane);
    if (mask >> from & 1 || !(spec_.strict || w.live >> from & 1)) continue;
    checker_.add({Tool::barriers, "inactive source",
                  "shfl reads from a thread that does not execute it",
                  "it reads from lane " + std::to_string(from), w.pc, id(w, lane), ptx::Space::none,
                  0, kNoPc, "does not execute it", id(w, from)});
  }
}

void CtaCheck::arrive(const Warp& w, const BarrierRequest& request, bool waits) {
  Meeting& meeting = meetings_[request.id];
  const U32 thread = w.warp_in_cta * kWarpSize;
  const ThreadId who = checker_.thread_id(cta_, thread);
  if (!meeting.open) {
    meeting.open = true, meeting.pc = w.pc, meeting.thread = thread,
    meeting.threads = request.threads;
  } else if (spec_.barriers) {
    const ThreadId first = checker_.thread_id(cta_, meeting.thread);
    const std::string number = "barrier " + std::to_string(request.id);
    if (meeting.threads != request.threads)
      checker_.add({Tool::barriers, "counts differ",
                    "threads wait at " + number + " for different numbers of threads",
                    std::to_string(request.threads) + " and " + std::to_string(meeting.threads) +
                        " threads (0: all)",
                    w.pc, who, ptx::Space::none, 0, meeting.pc, "waits for the other number",
                    first});
    else if (request.threads == 0 && !checker_.same_line(meeting.pc, w.pc))
      checker_.add({Tool::barriers, "places differ",
                    "warps meet at " + number + " from different places",
                    "a barrier of all threads must be the same one for all of them", w.pc, who,
                    ptx::Space::none, 0, meeting.pc, "waits at the other place", first});
  }
  if (spec_.barriers && request.threads % kWarpSize != 0)
    checker_.add({Tool::barriers, "odd count",
                  "the number of threads of a barrier is no multiple of the warp size",
                  std::to_string(request.threads) + " threads", w.pc, who});
  order_.arrive(w.warp_in_cta, meeting.brings);
  if (waits) meeting.waiting |= U32{1} << w.warp_in_cta;
}

void CtaCheck::complete(U32 barrier_id) {
  Meeting& meeting = meetings_[barrier_id];
  for (U32 rest = meeting.waiting; rest; rest &= rest - 1)
    order_.leave(static_cast<std::size_t>(std::countr_zero(rest)), meeting.brings);
  meeting = {};
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
                         "deadlock: no warp of the CTA can go on",
                         "",
                         first->pc,
                         id(*first, std::countr_zero(first->live))};
  if (second)
    detail.other_act = "waits elsewhere", detail.other_pc = second->pc,
    detail.other = id(*second, std::countr_zero(second->live));
  checker_.add(detail);
}

}  // namespace heddle::exec
