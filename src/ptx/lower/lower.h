// From the syntax tree to a Kernel: which functions a kernel reaches (call_graph.cc), where its
// variables are (layout.cc), one lowered instruction per PTX instruction (lower_instruction.cc),
// and the facts about its control flow and registers (lower_kernel.cc).
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/syntax/ast.h"

namespace heddle::ptx {

// Does a module's variable in this space get an address, or a handle, when the module is loaded?
constexpr bool is_placed(Space s) {
  return s == Space::global || s == Space::constant || is_opaque(s);
}

// What the host provides: vprintf, assertfail, device_malloc, device_free; nop for every other
// name.
Opcode host_function(std::string_view name);
// The definition that a name of the unit means; an empty reference when there is none.
FunctionRef find_definition(const Ast& ast, std::uint32_t unit, std::uint32_t function);
// The definition that a direct call means; UserError at the call when there is none. An empty
// reference when the host provides it.
FunctionRef resolve_callee(const Ast& ast, std::uint32_t unit, const AstCall& call);
std::uint64_t address_of_function(const Ast& ast, FunctionRef function);

// What runs when a kernel runs.
struct CallGraph {
  std::vector<FunctionRef> functions;  // the kernel first, each callee once
  std::vector<char> framed;            // by function: see Function
  std::uint32_t place_of(FunctionRef ref) const;
  bool is_framed(FunctionRef ref) const { return framed[place_of(ref)]; }
};
// UserError for undefined functions and calls that do not fit.
CallGraph find_calls(const Ast& ast, FunctionRef entry);
// Functions that a call through a pointer may mean: those whose address is taken and whose
// parameters fit.
std::vector<FunctionRef> possible_callees(const Ast& ast, std::uint32_t unit, const AstCall& call);

// Offsets of everything that does not live in global memory.
struct Layout {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> offsets;  // (unit, variable)
  std::uint64_t shared_bytes = 0, local_bytes = 0, frame_bytes = 0, parameter_bytes = 0;
  std::uint64_t reserved_shared =
      0;  // where kReservedSharedBytes of shared memory begin, for kernels that name them
  struct Frame {
    std::uint64_t first = 0, bytes = 0, local_bytes = 0;
  };
  std::map<FunctionRef, Frame>
      frames;  // of framed functions; their local variables' offsets count from local_frame
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

// The function's instructions with branch targets counted from its first; operands name
// architectural registers, and rows are not assigned yet, except that presets have the row of their
// place in Kernel::preset_registers.
struct LoweredFunction {
  std::vector<Instruction> code;
  std::vector<std::vector<std::uint32_t>>
      callees;  // by instruction: places in CallGraph::functions
  std::uint16_t first_register = 0;
};
// Where the variables are in the threads' call parameters.
std::vector<FrameSlot> frame_slots(const Layout& layout, std::uint32_t unit, const Unit& in,
                                   const std::vector<std::uint32_t>& variables);
LoweredFunction lower_function(KernelBuilder& builder, FunctionRef ref);

Kernel lower_kernel(const Ast& ast, FunctionRef entry, const SymbolAddresses& addresses);

}  // namespace heddle::ptx
