#include "exec/convergence/spin_yield.h"

#include <algorithm>
#include <bit>

#include "exec/livelock/clock_free_state.h"
#include "exec/state/machine.h"

namespace heddle::exec {
namespace {

constexpr std::uint32_t kFirstLook = 8;  // the turn after which a loop is first looked at
constexpr std::uint32_t kTurnsOfStill =
    2;  // of a loop that is known to wait, before other lanes have theirs
constexpr std::uint32_t kTurnsOnceFound =
    4;  // of an enclosing loop that was found to spin before; each may be long

void join_parked(Warp& w) {
  std::erase_if(w.parked, [&](const SimtStack& other) { return w.stack.join(other); });
}

void change_to(Warp& w, std::size_t index) {
  std::swap(w.stack, w.parked[index]);
  std::rotate(w.parked.begin() + static_cast<std::ptrdiff_t>(index),
              w.parked.begin() + static_cast<std::ptrdiff_t>(index) + 1, w.parked.end());
}

// Can the lanes of a parked stack do something while others wait at an instruction of the given
// flow?
bool can_run(const Warp& w, const SimtStack& stack, Flow waiting) {
  const Flow flow = w.machine->code[stack.pc()].flow;
  return flow != Flow::barrier && (flow != Flow::converge || waiting == Flow::barrier);
}

// What the warp would find changed if the loop did anything but wait.
std::uint64_t digest(const Warp& w) {
  Digest digest;
  digest.add(w.carry);
  add_clock_free(digest, w);
  return digest.value;
}

// A loop that turns without changing a register waits for others: it need not turn 1024 times to be
// known.
bool stands_still(Warp& w) {
  if (w.spin_turns == kFirstLook) w.spin_state = digest(w);
  return w.spin_turns == kFirstLook + 1 && w.spin_state == digest(w);
}

// A loop in which others turn is counted for itself: what happens within does not mean that it gets
// anywhere.
bool turns_too_often(Warp& w, const Record& r, std::uint32_t lanes) {
  if (w.spin_pc != w.pc || w.spin_lanes != lanes)
    w.spin_pc = w.pc, w.spin_lanes = lanes, w.spin_turns = 0;
  const std::uint32_t most = w.machine->spin_turns;
  if (r.encloses == 0) {
    ++w.spin_turns;
    if (stands_still(w)) w.still_pc = w.pc;
    if (w.spin_turns < (w.still_pc == w.pc ? std::min(kTurnsOfStill, most) : most)) return false;
    w.spin_turns = 0;
    return true;
  }
  Turns& own = w.enclosing[r.encloses - std::size_t{1}];
  std::fill(w.enclosing.begin() + r.encloses, w.enclosing.end(), Turns{});
  if (own.pc != w.pc || own.lanes != lanes) own = {w.pc, lanes, 0};
  if (++own.count < most) return false;
  own.count = most - std::min(most, kTurnsOnceFound);
  return true;
}

}  // namespace

void note_turn(Warp& w, const Record& r, std::uint32_t lanes) {
  if (!turns_too_often(w, r, lanes)) return;
  w.spins = true;
  if (w.stack.finished()) return;
  join_parked(w);
  SimtStack others = w.stack.split();
  if (!others.finished()) w.parked.insert(w.parked.begin(), others);
  if (!w.parked.empty()) change_to(w, 0);
}

bool wait_for_lanes(Warp& w, std::uint32_t wanted) {
  join_parked(w);
  std::uint32_t parked = 0;
  for (const SimtStack& stack : w.parked) parked |= stack.lanes();
  if ((parked & wanted) == 0) return false;
  for (std::size_t i = 0; i < w.parked.size(); ++i) {
    if (!can_run(w, w.parked[i], w.machine->code[w.pc].flow)) continue;
    change_to(w, i);
    return true;
  }
  return false;
}

void resume_parked(Warp& w) {
  if (!w.stack.finished() || w.parked.empty()) return;
  w.stack = w.parked.front();
  w.parked.erase(w.parked.begin());
}

}  // namespace heddle::exec
