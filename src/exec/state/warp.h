// The architectural state of a warp.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"
#include "exec/convergence/simt_stack.h"
#include "exec/state/words.h"
#include "exec/step.h"

namespace heddle::exec {

struct Machine;
struct Cta;
struct DecodedInstruction;

// A call in progress that copied its arguments, and the registers that it saved of an outer call of
// the same function.
struct Activation {
  std::uint32_t depth = 0;  // call level of the SIMT stack
  std::uint32_t lanes = 0;  // those that have not returned
  std::uint32_t site = 0, function = 0;
  std::size_t saved = 0;  // offset in Warp::saved
};

// A malloc, free or call of the device runtime that the host does at the end of the window.
struct HostRequest {
  const DecodedInstruction* decoded = nullptr;
  std::uint32_t lanes = 0;
  bool done = false;
  // Of malloc and free: requested bytes or pointers. When done: the results.
  std::array<std::uint64_t, kWarpSize> values{};
};

// Iterations of a loop with the same lanes.
struct LoopIterations {
  Pc pc = kNoPc;
  std::uint32_t lanes = 0, count = 0;
  bool operator==(const LoopIterations&) const = default;
};
inline constexpr std::size_t kEnclosingLoops = 3;

// A barrier of a CTA, and the threads that it waits for; 0: all of the CTA.
struct BarrierRequest {
  std::uint32_t id = 0, threads = 0;
};

// One warp's architectural state. Register rows are 128 bytes: 32 lanes of 32 bits; a 64-bit value
// has two rows.
struct alignas(64) Warp {
  std::array<std::uint8_t*, 2> bases{};
  // One mask per predicate, then one that is all ones and one that takes unused results.
  std::uint32_t* predicates = nullptr;
  std::uint32_t carry = 0;  // CC.CF per lane
  std::uint32_t live = 0;
  std::uint32_t warp_in_cta = 0;
  Pc pc = 0;  // of the instruction being executed
  Machine* machine = nullptr;
  Cta* cta = nullptr;
  alignas(64) SimtStack stack;
  Step* step = nullptr;  // null in functional runs
  std::uint64_t now = 0;
  std::uint8_t* local = nullptr;      // 32 threads' local memories, one after the other
  std::uint8_t* frame = nullptr;      // 32 threads' call parameters
  BarrierRequest arrived_at;          // the barrier at which it arrived last
  bool waits_at_barrier = false;      // did a lane wait there?
  std::uint32_t cluster_arrived = 0;  // lanes, at the barrier of the cluster that has not opened
  // Where lanes wait for the result of that barrier.
  std::vector<std::pair<const DecodedInstruction*, std::uint32_t>> barrier_results;
  // The diverged fragments that do not run (spin_yield.h); `stack` is the one that runs.
  std::vector<SimtStack> fragments;
  Pc spin_pc = kNoPc;                   // the spin loop whose iterations are counted
  std::vector<Activation> activations;  // innermost last
  std::vector<std::uint8_t> saved;
  std::array<std::uint32_t, kWarpSize> stack_top{};  // offsets in local memory
  std::uint32_t pending_atomics = 0;                 // results that have not arrived
  HostRequest host_request;
  std::uint32_t spin_lanes = 0, spin_iterations = 0;
  std::uint64_t spin_state = 0;  // digest of its registers after an early iteration
  Pc unchanging_pc = kNoPc;      // the loop whose iterations changed no register
  std::array<LoopIterations, kEnclosingLoops> enclosing{};  // the loops around it
  bool spins = false;  // set when a spin loop yields; the runner clears it
};

}  // namespace heddle::exec
