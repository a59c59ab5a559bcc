// The decoded form of an instruction: its operands and the function that computes it, made once per
// launch (isa/decode.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exec/state/words.h"
#include "ptx/kernel.h"

namespace heddle::exec {

struct Machine;
struct Warp;
struct DecodedInstruction;

// Computes the lanes in `mask`, never zero.
using Handler = void (*)(Warp& warp, const DecodedInstruction& instruction, std::uint32_t mask);
using CompareFunction = std::uint32_t (*)(const Warp& warp, const DecodedInstruction& instruction);
// As control() (isa/control.h).
struct Step;
using ControlFunction = bool (*)(Warp& warp, const DecodedInstruction& instruction,
                                 std::uint32_t mask, Step* out);

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
  converge,      // warp-synchronous: computes when its lanes have arrived
  machine_code,  // DecodedInstruction::control does it
  host,          // the host does it for the device: printf, malloc, free
  clock          // reads a clock, which functional runs update only here
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
  bool pair = false;  // of 8 bytes: the low words in one row, the high ones in the next
};

// What only machine code has.
struct MachineFields {
  ControlFunction control = nullptr;  // what changes the control flow
  RowSource extra;                    // the uniform register of an address; the convergence barrier
  std::uint8_t address_shift = 0;     // memory: of the base
  bool pair_result = false;           // the result of 8 bytes has two rows of 4
};

struct DecodedInstruction {
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
  // bar.sync for all threads of the CTA: the number of the barrier.
  static constexpr std::uint8_t kNoBarrier = 0xff;
  std::uint8_t cta_barrier = kNoBarrier;
  std::uint16_t src_flags = 0;  // machine code: see machine_code/handlers.h
  std::int64_t offset = 0;
  const isa::Instruction* instruction = nullptr;
  CompareFunction compare = nullptr;  // set, setp, setp
  MachineFields machine;
};

// Machine code has these fields, too (sass::KernelInstruction).
inline const ptx::Instruction& ptx_of(const DecodedInstruction& r) {
  return static_cast<const ptx::Instruction&>(*r.instruction);
}

// What the decoders find out about a kernel, for the storage of its warps.
struct DecodedKernel {
  const isa::Kernel* kernel = nullptr;
  bool machine_code = false;
  std::vector<DecodedInstruction> code;
  std::vector<std::uint32_t> constants;  // broadcast words: rows of 32 lanes
  std::uint32_t register_rows = 0;       // 128-byte rows of storage per warp
  std::uint32_t scratch_rows = 2;        // behind them, for results that nobody reads
  std::uint32_t predicate_rows = 0;      // predicate masks per warp
  std::uint32_t frame_bytes = 0;         // call parameters per thread
  std::vector<ptx::PresetRegister> preset_registers;
  std::uint32_t local_frame_row = kNoRow;  // the preset register that holds local_frame
  // Rows and predicates that may hold a value that depends on a clock, ascending.
  std::vector<std::uint32_t> clock_rows, clock_predicates;
  static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

  // Machine code: rows of `constants` that a launch fills.
  struct LaunchWord {
    std::uint32_t row = 0, bank = 0, offset = 0;
  };
  std::vector<LaunchWord> launch_words = {};
  std::vector<std::uint8_t> (*constant_bank)(const Machine& machine) = nullptr;  // bank 0
};

}  // namespace heddle::exec
