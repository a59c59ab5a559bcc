// Lowers a kernel of the syntax tree: the functions that it calls (flow/call_graph.cc), the
// addresses of its variables (layout.cc), one lowered instruction for each PTX instruction
// (lower_instruction.cc), and the analyses of its control flow and registers (lower_kernel.cc).
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ptx/flow/call_graph.h"
#include "ptx/syntax/ast.h"

namespace heddle::ptx {

// Does the loader give a module-scope variable of this space an address or a handle?
constexpr bool is_placed(Space s) {
  return s == Space::global || s == Space::constant || is_opaque(s);
}

// Offsets of the variables of shared, local, parameter and call-parameter memory.
struct Layout {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> offsets;  // (unit, variable)
  std::uint64_t shared_bytes = 0, local_bytes = 0, frame_bytes = 0, parameter_bytes = 0;
  std::uint64_t reserved_shared = 0;  // offset of kReservedSharedBytes, for kernels that use them
  // Calls that copy their arguments although the callee is not framed: (caller, number of the
  // call).
  std::set<std::pair<FunctionRef, std::size_t>> copied_calls;
  struct Frame {
    std::uint64_t first = 0, bytes = 0, local_bytes = 0;
  };
  std::map<FunctionRef, Frame>
      frames;  // of framed functions; offsets of their local variables count from local_frame
};
Layout lay_out(const Ast& ast, const CallGraph& calls);

// Registers, constants and presets of a kernel while it is being lowered.
struct KernelBuilder {
  const Ast& ast;
  const SymbolAddresses& addresses;
  const Layout& layout;
  const CallGraph& calls;
  Kernel& kernel;
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::uint16_t> constant_rows;  // (bits, bytes)
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::uint32_t>
      preset_index;  // (special * 64 + index, bytes)
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> source_indices;
};

// The instructions of a function. Branch targets count from its first instruction. Operands have
// architectural registers but no rows yet, except presets, whose rows are final.
struct LoweredFunction {
  std::vector<Instruction> code;
  std::vector<std::vector<std::uint32_t>>
      callees;  // by instruction: places in CallGraph::functions
  std::uint16_t first_register = 0;
};
// Offsets of the variables in a thread's call parameters.
std::vector<FrameSlot> frame_slots(const Layout& layout, std::uint32_t unit, const AstUnit& in,
                                   const std::vector<std::uint32_t>& variables);
LoweredFunction lower_function(KernelBuilder& builder, FunctionRef ref);

Kernel lower_kernel(const Ast& ast, FunctionRef entry, const SymbolAddresses& addresses);

}  // namespace heddle::ptx
