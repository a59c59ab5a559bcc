// The decoded form of instructions: a compact record with the function that computes it, made once
// per launch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exec/convergence/simt_stack.h"
#include "exec/step.h"
#include "ptx/kernel.h"

namespace heddle::exec {

struct Machine;
struct Cta;
struct Warp;
struct Record;

// Computes the lanes in `mask`, never zero.
using Handler = void (*)(Warp& warp, const Record& record, std::uint32_t mask);
using CompareFunction = std::uint32_t (*)(const Warp& warp, const Record& record);

// What an instruction does to the control flow of its warp.
enum class Flow : std::uint8_t {
  plain,  // only computes
  branch,
  indexed_branch,
  call,
  call_through_site,
  return_,
  exit,
  barrier,
  trap,
  converge,  // warp-synchronous: computes when its lanes have arrived
  host,      // the host does it for the device: printf, malloc, free
  clock      // reads a clock, which functional runs update only here
};

// A predicate as it is read: masks[row] ^ flip.
struct PredicateSource {
  std::uint16_t row = 0;
  std::uint32_t flip = 0;
};

// A source row: Warp::bases[base] + offset. base 0: the warp's registers, 1: the kernel's broadcast
// constants.
struct RowSource {
  std::uint32_t offset = 0;
  std::uint8_t base = 0;
  std::uint8_t bytes = 4;
  bool present = false;
};

struct Record {
  Handler handler = nullptr;
  PredicateSource guard;
  // The mask with which results may be stored as they are computed: all lanes, or 0 (never) when a
  // destination row overlaps a source row other than lane by lane.
  std::uint32_t direct = ~std::uint32_t{0};
  std::array<RowSource, 5> src{};
  std::array<PredicateSource, 5> src_predicate{};
  std::array<std::uint32_t, 4> dst{};            // byte offsets into the warp's registers
  std::array<std::uint16_t, 4> dst_predicate{};  // rows of predicate masks
  std::array<std::uint8_t, 4> dst_bytes{};
  Flow flow = Flow::plain;
  bool closes_spin_loop = false;  // of a loop that reads what other threads write
  // Closes a loop with such loops inside: 1, the outermost, to kEnclosingLoops.
  std::uint8_t enclosing_level = 0;
  static constexpr std::uint8_t kAllLanes = 0xff;
  std::uint8_t members = kAllLanes;  // the source that holds the member mask, or all of the warp
  bool uniform_pointer = false;      // memory: no base register
  bool store_ahead = false;          // a store to shared memory follows before any control flow
  std::int64_t offset = 0;
  const ptx::Instruction* instruction = nullptr;
  CompareFunction compare = nullptr;  // set, setp, setp
};

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
  const Record* record = nullptr;
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
  std::uint8_t* local = nullptr;  // 32 threads' local memories, one after the other
  std::uint8_t* frame = nullptr;  // 32 threads' call parameters
  std::uint32_t waiting_id = 0;   // the barrier at which it arrived last
  bool waits_at_barrier = false;  // did a lane wait there?
  // Where lanes wait for the result of that barrier.
  std::vector<std::pair<const Record*, std::uint32_t>> barrier_results;
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

// Decoding, by family: null when the family does not know the instruction's form.
Handler integer_handler(const ptx::Instruction& instruction);
Handler logic_handler(const ptx::Instruction& instruction);
Handler float32_handler(const ptx::Instruction& instruction);
Handler float32x2_handler(const ptx::Instruction& instruction);
Handler float64_handler(const ptx::Instruction& instruction);
Handler half_handler(const ptx::Instruction& instruction);
Handler convert_handler(const ptx::Instruction& instruction);
Handler packed_convert_handler(const ptx::Instruction& instruction);
Handler video_handler(const ptx::Instruction& instruction);
Handler compare_handler(const ptx::Instruction& instruction);
CompareFunction compare_function(const ptx::Instruction& instruction);
Handler stack_handler(const ptx::Instruction& instruction);
Handler move_handler(const ptx::Instruction& instruction);
Handler wide_memory_handler(const ptx::Instruction& instruction);
Handler memory_handler(const ptx::Instruction& instruction);
Handler async_copy_handler(const ptx::Instruction& instruction);
Handler bulk_copy_handler(const ptx::Instruction& instruction);
Handler mbarrier_handler(const ptx::Instruction& instruction);
Handler atomic_handler(const ptx::Instruction& instruction);
Handler surface_handler(const ptx::Instruction& instruction);
Handler warp_handler(const ptx::Instruction& instruction);
Handler texture_handler(const ptx::Instruction& instruction);
Handler matrix_multiply_handler(const ptx::Instruction& instruction);
Handler matrix_memory_handler(const ptx::Instruction& instruction);

// Decodes a whole kernel; UserError names an instruction that cannot be executed.
std::vector<Record> decode(const ptx::Kernel& kernel);
struct DecodedKernel {
  std::vector<Record> code;
};

}  // namespace heddle::exec
