#include "exec/livelock/spin_yield.h"

#include <algorithm>

#include "exec/livelock/clock_free_state.h"
#include "exec/state/machine.h"
#include "ptx/flow/sync_operations.h"

namespace heddle::exec {
namespace {

// Iterations. The registers after iteration 8 and after iteration 9 are compared.
constexpr std::uint32_t kComparedIteration = 8;
// Of a loop that is known to change no register, before it yields.
constexpr std::uint32_t kMaxUnchangingIterations = 2;
// Of an enclosing loop that has yielded before; each iteration may be long.
constexpr std::uint32_t kMaxIterationsAfterYield = 4;

void join_fragments(Warp& w) {
  std::erase_if(w.fragments, [&](const SimtStack& other) { return w.stack.join(other); });
}

// The running lanes of the fragment try their instruction again.
void resume(Warp& w) {
  if (!w.stack.finished() && !w.stack.top().converged) w.stack.stop_waiting();
}

void switch_to_fragment(Warp& w, std::size_t index) {
  std::swap(w.stack, w.fragments[index]);
  resume(w);
  std::rotate(w.fragments.begin() + static_cast<std::ptrdiff_t>(index),
              w.fragments.begin() + static_cast<std::ptrdiff_t>(index) + 1, w.fragments.end());
}

// Can a fragment execute while other lanes wait at the instruction `waiting`?
bool can_run(const Warp& w, const SimtStack& fragment, const DecodedInstruction& waiting) {
  if (fragment.top().converged) return true;
  const DecodedInstruction& r = w.machine->code[fragment.pc()];
  if (!fragment.top().waits && ptx::matches(ptx_of(r), ptx_of(waiting))) return true;
  return r.flow != Flow::barrier && (r.flow != Flow::converge || waiting.flow == Flow::barrier);
}

std::uint64_t digest(const Warp& w) {
  Digest digest;
  digest.add(w.carry);
  add_clock_free(digest, w);
  return digest.value;
}

// A loop whose iterations change no register only waits: fewer iterations are enough to know that.
bool iteration_changed_nothing(Warp& w) {
  if (w.spin_iterations == kComparedIteration) w.spin_state = digest(w);
  return w.spin_iterations == kComparedIteration + 1 && w.spin_state == digest(w);
}

}  // namespace

// Counts the iteration; true when the loop shall yield. A loop that encloses spin loops has a count
// of its own, because progress in an inner loop is no progress of the outer one.
bool shall_yield(Warp& w, const DecodedInstruction& r, std::uint32_t lanes) {
  if (w.spin_pc != w.pc || w.spin_lanes != lanes)
    w.spin_pc = w.pc, w.spin_lanes = lanes, w.spin_iterations = 0;
  const std::uint32_t max = w.machine->max_spin_iterations;
  if (r.enclosing_level == 0) {
    ++w.spin_iterations;
    if (iteration_changed_nothing(w)) w.unchanging_pc = w.pc;
    const bool unchanging = w.unchanging_pc == w.pc;
    if (w.spin_iterations < (unchanging ? std::min(kMaxUnchangingIterations, max) : max))
      return false;
    w.spin_iterations = 0;
    return true;
  }
  LoopIterations& own = w.enclosing[r.enclosing_level - std::size_t{1}];
  std::fill(w.enclosing.begin() + r.enclosing_level, w.enclosing.end(), LoopIterations{});
  if (own.pc != w.pc || own.lanes != lanes) own = {w.pc, lanes, 0};
  if (++own.count < max) return false;
  own.count = max - std::min(max, kMaxIterationsAfterYield);
  return true;
}

void note_loop_iteration(Warp& w, const DecodedInstruction& r, std::uint32_t lanes) {
  if (!shall_yield(w, r, lanes)) return;
  w.spins = true;
  if (w.stack.finished()) return;
  join_fragments(w);
  SimtStack others = w.stack.split();
  if (!others.finished()) w.fragments.insert(w.fragments.begin(), others);
  if (!w.fragments.empty()) switch_to_fragment(w, 0);
}

bool run_lanes_first(Warp& w, std::uint32_t wanted) {
  join_fragments(w);
  std::uint32_t diverged = 0;
  for (const SimtStack& fragment : w.fragments) diverged |= fragment.lanes();
  if ((diverged & wanted) == 0) return false;
  for (std::size_t i = 0; i < w.fragments.size(); ++i) {
    if (!can_run(w, w.fragments[i], w.machine->code[w.pc])) continue;
    w.stack.start_waiting();
    switch_to_fragment(w, i);
    return true;
  }
  return false;
}

void resume_fragment(Warp& w) {
  if (!w.stack.finished() || w.fragments.empty()) return;
  w.stack = w.fragments.front();
  w.fragments.erase(w.fragments.begin());
  resume(w);
}

}  // namespace heddle::exec
