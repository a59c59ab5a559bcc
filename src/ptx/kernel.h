// A lowered kernel: its code and everything about it that is known before launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/types.h"
#include "isa/kernel.h"
#include "ptx/device_runtime.h"
#include "ptx/instruction.h"

namespace heddle::ptx {

using isa::CtaDirectionHint;
using isa::line_of;
using isa::Loop;
using isa::Parameter;
using isa::SourceLine;

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

struct Kernel final : isa::Kernel {
  std::vector<Instruction> code;         // `instructions` are the bases of these
  std::vector<std::uint32_t> constants;  // broadcast immediates: rows of 32 words; 64-bit values
                                         // take two rows of 32 doubles
  std::vector<PresetRegister> preset_registers;
  std::vector<std::vector<Pc>> branch_tables;
  std::vector<MatrixOperands> matrices;
  std::vector<std::vector<Operand>> accumulators;  // of wgmma: the registers of D
  std::vector<ConvergencePoint> convergence_points;
  std::uint32_t register_rows = 0;   // 128-byte rows of storage per warp
  std::uint32_t predicate_rows = 0;  // predicate masks per warp
  // Rows and predicates that may hold a value that depends on a clock, ascending.
  std::vector<std::uint32_t> clock_rows, clock_predicates;
  std::uint32_t frame_bytes = 0;    // call parameters per thread
  std::vector<Function> functions;  // in the order of their code
  std::vector<CallSite> call_sites;
  bool independent_threads = false;  // .target sm_70 or later: independent thread scheduling
};

// UserError when the kernel is not PTX's.
inline const Kernel& as_ptx(const isa::Kernel& kernel) {
  if (const auto* ptx = dynamic_cast<const Kernel*>(&kernel)) return *ptx;
  throw UserError("kernel " + kernel.name +
                  " is not PTX, and addresses of machine code and traces are not analysed: use "
                  "--isa ptx where the program has PTX");
}

}  // namespace heddle::ptx
