// Lowers a kernel of the syntax tree: the functions that it calls (flow/call_graph.cc), the
// addresses of its variables (layout.cc), one lowered instruction for each PTX instruction
// (lower_instruction.cc), and the analyses of its control flow and registers (lower_kernel.cc).
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/syntax/ast.h"

namespace heddle::ptx {

// Does the loader give a module-scope variable of this space an address or a handle?
constexpr bool is_placed(Space s) {
  return s == Space::global || s == Space::constant || is_opaque(s);
}

// The opcode of a function that the host provides (vprintf, malloc, ...); nop for other names.
Opcode host_function(std::string_view name);
// The definition of a function that the unit names; an empty reference when there is none.
FunctionRef find_definition(const Ast& ast, std::uint32_t unit, std::uint32_t function);
// The definition that a direct call names; an empty reference when the host provides it. UserError
// when there is none.
FunctionRef resolve_callee(const Ast& ast, std::uint32_t unit, const AstCall& call);
std::uint64_t address_of_function(const Ast& ast, FunctionRef function);

// The functions that a kernel may execute.
struct CallGraph {
  std::vector<FunctionRef> functions;  // the kernel first, each callee once
  std::vector<char> framed;            // by function: see Function
  std::uint32_t place_of(FunctionRef ref) const;
  bool is_framed(FunctionRef ref) const { return framed[place_of(ref)]; }
};
// UserError for undefined functions and for calls with unsuitable arguments.
CallGraph find_calls(const Ast& ast, FunctionRef entry);
// Functions that a call through a pointer may execute: those whose address is taken and whose
// parameters suit the arguments.
std::vector<FunctionRef> possible_callees(const Ast& ast, std::uint32_t unit, const AstCall& call);

// Offsets of the variables of shared, local, parameter and call-parameter memory.
struct Layout {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> offsets;  // (unit, variable)
  std::uint64_t shared_bytes = 0, local_bytes = 0, frame_bytes = 0, parameter_bytes = 0;
  std::uint64_t reserved_shared = 0;  // offset of kReservedSharedBytes, for kernels that use them
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
std::vector<FrameSlot> frame_slots(const Layout& layout, std::uint32_t unit, const Unit& in,
                                   const std::vector<std::uint32_t>& variables);
LoweredFunction lower_function(KernelBuilder& builder, FunctionRef ref);

Kernel lower_kernel(const Ast& ast, FunctionRef entry, const SymbolAddresses& addresses);

}  // namespace heddle::ptx
