// A kernel ready to run: its lowered code and everything about it that is known before launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "ptx/instruction.h"

namespace heddle::ptx {

struct SourceLine {
  std::string file;  // CUDA source file from .loc/.file; empty = unknown
  std::uint32_t line = 0;
};

// A natural loop. Loops are listed outermost first; `parent` is kNone for an outermost one.
struct Loop {
  static constexpr std::uint16_t kNone = 0xffff;
  Pc header = kNoPc;  // first instruction of the header block
  std::uint16_t parent = kNone;
  std::uint16_t depth = 1;
  std::vector<Pc> back_edges;  // the branch instructions that close it
  std::vector<std::pair<Pc, Pc>>
      ranges;  // instructions of the body: half-open ranges, ascending, inner loops included
  bool contains(Pc pc) const {
    for (const auto& [first, last] : ranges)
      if (pc >= first && pc < last) return true;
    return false;
  }
};

// Where lanes of a warp make an instruction together (a shuffle, a vote, a barrier) to which, when
// a branch has parted them, they can come by different ways before they meet again: those that are
// there first have to wait for the others. One of a block's instructions, or all bar.warp.sync of a
// kernel and the calls that come to one: they take each other's place.
struct ConvergencePoint {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0},
                                 kWarpSyncs = 0;  // places in Kernel::convergence_point
  using Ranges = std::vector<std::pair<Pc, Pc>>;  // half-open, ascending
  // Lanes that are at one of `from` and meet the others at `reconvergence` can come to one of the
  // blocks before that.
  struct Way {
    Pc reconvergence = kNoPc;
    Ranges from;
  };
  Ranges blocks;  // each up to its last such instruction
  std::vector<Way> ways;

  // Can lanes that go on at `from`, and meet others at `reconvergence`, come first to instruction
  // `to`, or, when it is kNoPc, to any of them?
  bool can_be_reached(Pc to, Pc from, Pc reconvergence) const;
};

// A register that holds a fixed value from a warp's start: rows to fill with %tid.x, %ctaid.y, ...
struct PresetRegister {
  SpecialRegister special;
  std::uint16_t row;
  std::uint32_t index = 0;  // envreg number
  std::uint8_t bytes = 4;   // 8: two rows of 64-bit lanes (%gridid read as 64 bits)
};

struct Parameter {
  std::string name;
  std::uint32_t offset = 0;  // bytes from the start of the parameter block
  std::uint32_t bytes = 0;
  std::uint32_t align = 1;
};

// Code addresses: function n of a module is at kFunctionBase + kFunctionStride * n, below
// everything that can be loaded or stored.
inline constexpr std::uint64_t kFunctionBase = 0x04000000, kFunctionStride = 16;

// A parameter or result of a call, in the thread's call parameters.
struct FrameSlot {
  std::uint32_t offset = 0, bytes = 0;
};

// One function's part of a kernel. A framed one may be active more than once in a thread (it takes
// part in recursion) or moves the stack; what it keeps is saved while an inner call of it runs.
struct Function {
  std::string name;
  Pc entry = 0;
  std::uint64_t address = 0;
  bool framed = false;
  std::uint32_t first_row = 0, rows = 0, first_predicate = 0, predicates = 0;
  std::vector<char> pairs;  // by row: the first of two that hold a 64-bit register
  std::uint32_t frame_first = 0, frame_bytes = 0;  // framed: its range of the call parameters
  std::uint32_t local_bytes = 0;                   // framed: its variables, from local_frame on
  std::vector<FrameSlot> parameters, results;
};

// A call whose arguments are copied: of a framed function, through a pointer, or of the host.
struct CallSite {
  std::vector<FrameSlot> arguments, results;
  std::vector<std::uint32_t> callees;  // into Kernel::functions: the only one, or all that the
                                       // pointer may mean; none for the host's
};

struct Kernel {
  std::string name;               // mangled name of the entry
  std::string module;             // what the user knows the PTX text as: file name or program
  std::vector<Instruction> code;  // the entry first, called functions behind it
  std::vector<std::uint32_t> constants;  // broadcast immediates: rows of 32 words; 64-bit values
                                         // take two rows of 32 doubles
  std::vector<PresetRegister> preset_registers;
  std::vector<std::vector<Pc>> branch_tables;
  std::vector<MatrixOperands> matrices;
  std::vector<Loop> loops;
  std::vector<ConvergencePoint> convergence_point;
  std::vector<SourceLine> source_lines;  // [0] is the unknown line
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t register_rows = 0;   // 128-byte rows of storage per warp
  std::uint32_t predicate_rows = 0;  // predicate masks per warp
  std::vector<std::uint32_t> clock_rows,
      clock_predicates;  // those that may hold what depends on a clock, ascending
  std::uint32_t architectural_registers = 0;  // scoreboard numbers used: 0..n-1
  std::uint32_t registers_per_thread =
      0;  // 32-bit registers: largest number live at once (liveness), for occupancy
  std::uint32_t shared_bytes = 0;   // static shared memory per CTA; dynamic shared memory starts at
                                    // this offset, aligned to 16
  std::uint32_t local_bytes = 0;    // local memory per thread
  std::uint32_t frame_bytes = 0;    // call parameters per thread
  std::vector<Function> functions;  // in the order of their code
  std::vector<CallSite> call_sites;
  bool uses_stack =
      false;  // local memory continues behind local_bytes with a stack, whose size the launch gives
  bool uses_heap = false;         // calls malloc or free
  std::uint32_t max_threads = 0;  // .maxntid product; 0 = not given
  std::uint32_t constant_bytes =
      0;  // bytes of .const variables in the module, for function attributes
};

}  // namespace heddle::ptx
