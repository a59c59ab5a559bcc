// Checks of barriers and of other instructions that threads execute together.
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

// The lane that a shuffle reads from; the lane itself when that is out of range.
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

void CtaCheck::check_warp_synchronous(Warp& w, const Record& r, U32 mask) {
  if (!w.fragments.empty() || awaited_entry(w, r, mask))
    return;  // other lanes of the warp may still arrive
  if (r.flow == Flow::barrier) {
    const U32 missing = w.live & ~mask, ended = born_[w.warp_in_cta] & ~w.live;
    const int lane = std::countr_zero(mask);
    if (!spec_.barriers || (missing == 0 && !(spec_.strict && ended))) return;
    const U32 absent = missing ? missing : ended;
    checker_.add({Tool::barriers, "divergent",
                  missing ? "barrier in divergent code" : "barrier without threads that have ended",
                  std::to_string(std::popcount(absent)) +
                      " threads of the warp do not execute it (lanes " + hex(absent) + ")",
                  w.pc, id(w, lane), ptx::Space::none, 0, kNoPc,
                  missing ? "does not execute it" : "has ended", id(w, std::countr_zero(absent))});
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
                    "the member mask of " + name + " does not name a thread that executes it",
                    "the mask is " + hex(named) + ", the thread is lane " + std::to_string(lane),
                    w.pc, id(w, lane)});
    } else if (missing && r.instruction->opcode !=
                              Opcode::bar) {  // lanes may execute different bar.warp.sync together
      checker_.add({Tool::barriers, "absent member",
                    "the member mask of " + name + " names threads that do not execute it",
                    "the mask is " + hex(named) + ", lanes " + hex(missing) + " do not execute it",
                    w.pc, id(w, lane), ptx::Space::none, 0, kNoPc, "does not execute it",
                    id(w, std::countr_zero(missing))});
    } else {
      for (U32 others = named & mask; others; others &= others - 1) {
        const int other = std::countr_zero(others);
        if (members[other] == named) continue;
        checker_.add({Tool::barriers, "masks differ",
                      "threads execute " + name + " with different member masks",
                      "the masks are " + hex(named) + " and " + hex(members[other]), w.pc,
                      id(w, lane), ptx::Space::none, 0, w.pc, "has the other mask", id(w, other)});
        break;
      }
    }
  }
}

// Reductions read lanes that have ended or never existed and do not use the value: reported only
// when `strict`.
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
  Arrivals& arrivals = arrivals_[request.id];
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
    order_.depart(static_cast<std::size_t>(std::countr_zero(rest)), arrivals.order);
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
