// A lowered kernel: its code and everything about it that is known before launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "ptx/device_runtime.h"
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
  // Warps of a high-priority group of the warp scheduler ps, from a heddle_ps pragma; 0: no mark.
  std::uint32_t marked_group = 0;
};

// The direction along which a heddle_cta_direction pragma asks a CTA scheduler to place
// neighbouring CTAs on one SM. automatic: the analysis of each launch decides.
enum class CtaDirectionHint : std::uint8_t { absent, none, x, y, automatic };

// A place where lanes of a divergent warp converge before their reconvergence point: the
// warp-synchronous instructions and barriers of one basic block, which several paths of a branch
// reach; or all instructions of a kernel that match (flow/sync_operations.h) and that lanes reach
// at different places, with the calls of functions that execute one. Lanes that arrive first wait
// for the others.
struct ConvergencePoint {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Ranges = std::vector<std::pair<Pc, Pc>>;  // half-open, ascending
  // Lanes at one of `from`, whose reconvergence point is `reconvergence`, can reach one of the
  // blocks before they reconverge.
  struct Path {
    Pc reconvergence = kNoPc;
    Ranges from;
  };
  Ranges blocks;  // each up to its last warp-synchronous instruction
  std::vector<Path> paths;

  // Can lanes that continue at `from`, with this reconvergence point, reach the instruction `to`
  // before they reconverge? `to` is kNoPc: any instruction of this convergence point.
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

// Code addresses: function n of a module is at kFunctionBase + kFunctionStride * n, below all data.
inline constexpr std::uint64_t kFunctionBase = 0x04000000, kFunctionStride = 16;

// A parameter or result of a call, in the thread's call parameters.
struct FrameSlot {
  std::uint32_t offset = 0, bytes = 0;
};

// One function's part of a kernel. A framed function is recursive, or it uses alloca; its registers
// and variables are saved while an inner call of it runs.
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

// A call whose arguments are copied: of a framed function, through a pointer, or of a host
// function.
struct CallSite {
  std::vector<FrameSlot> arguments, results;
  std::vector<std::uint32_t> callees;  // into Kernel::functions: the function, or every function
                                       // that the pointer may hold; none for host functions
  RuntimeFunction runtime{};           // of Opcode::device_runtime
};

struct Kernel {
  std::string name;                      // mangled name of the entry
  std::string module;                    // file name of the PTX text, or name of its program
  std::vector<Instruction> code;         // the entry first, then the called functions
  std::vector<std::uint32_t> constants;  // broadcast immediates: rows of 32 words; 64-bit values
                                         // take two rows of 32 doubles
  std::vector<PresetRegister> preset_registers;
  std::vector<std::vector<Pc>> branch_tables;
  std::vector<MatrixOperands> matrices;
  std::vector<Loop> loops;
  std::vector<ConvergencePoint> convergence_points;
  std::vector<SourceLine> source_lines;  // [0] is the unknown line
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t register_rows = 0;   // 128-byte rows of storage per warp
  std::uint32_t predicate_rows = 0;  // predicate masks per warp
  // Rows and predicates that may hold a value that depends on a clock, ascending.
  std::vector<std::uint32_t> clock_rows, clock_predicates;
  std::uint32_t architectural_registers = 0;  // scoreboard numbers used: 0..n-1
  std::vector<std::uint16_t> register_names;  // of each: the digits of its name in PTX
  std::uint32_t instructions_before = 0;      // those of earlier functions in the PTX text
  std::uint32_t registers_per_thread =
      0;  // 32-bit registers: largest number live at once (liveness), for occupancy
  std::uint32_t shared_bytes = 0;   // static shared memory per CTA; dynamic shared memory starts at
                                    // this offset, aligned to 16
  std::uint32_t local_bytes = 0;    // local memory per thread
  std::uint32_t frame_bytes = 0;    // call parameters per thread
  std::vector<Function> functions;  // in the order of their code
  std::vector<CallSite> call_sites;
  bool independent_threads = false;  // .target sm_70 or later: independent thread scheduling
  bool uses_stack = false;  // a stack follows local_bytes in local memory; the launch sets its size
  bool uses_heap = false;   // calls malloc or free
  bool uses_device_runtime = false;                        // calls CUDA's device runtime
  bool launches_kernels = false, launches_graphs = false;  // through the device runtime
  std::uint32_t max_threads = 0;                           // of .maxntid or .reqntid; 0 = not given
  std::optional<Dim3> required_block;                      // .reqntid
  Dim3 cluster;                                            // .reqnctapercluster, in CTAs
  CtaDirectionHint cta_direction_hint = CtaDirectionHint::absent;
  std::uint32_t constant_bytes =
      0;  // bytes of .const variables in the module, for function attributes
};

}  // namespace heddle::ptx
