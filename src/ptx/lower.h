// From the syntax tree to a Kernel: which functions a kernel reaches (call_graph.cc), where its variables are (layout.cc), one
// lowered instruction per PTX instruction (lower_instruction.cc), and the facts about its control flow and registers (lower_kernel.cc).
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/ast.h"

namespace heddle::ptx {

// Does a module's variable in this space get an address, or a handle, when the module is loaded?
constexpr bool is_placed(Space s) { return s == Space::global || s == Space::constant || s == Space::texture || s == Space::surface; }

// The definition that a call means; UserError at the call when there is none.
FunctionRef resolve_callee(const Ast& ast, std::uint32_t unit, const AstCall& call);
// The functions that run when `entry` runs: entry first, each callee once. UserError for recursion and undefined functions.
std::vector<FunctionRef> reachable_functions(const Ast& ast, FunctionRef entry);
// Refuses recursion anywhere in the module; functions that are not defined yet are passed over.
void check_recursion(const Ast& ast);

// Offsets of everything that does not live in global memory.
struct Layout {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> offsets;  // (unit, variable)
  std::uint64_t shared_bytes = 0, local_bytes = 0, frame_bytes = 0, parameter_bytes = 0;
};
Layout lay_out(const Ast& ast, const std::vector<FunctionRef>& functions);

// Registers, constants and presets of a kernel while it is being lowered.
struct KernelBuilder {
  const Ast& ast;
  const SymbolAddresses& addresses;
  const Layout& layout;
  Kernel& kernel;
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::uint16_t> constant_rows;       // (bits, bytes)
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::uint32_t> preset_index;        // (special * 64 + index, bytes)
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> source_indices;
};

// The function's instructions with branch targets counted from its first; operands name architectural registers, and rows are
// not assigned yet, except that presets have the row of their place in Kernel::preset_registers.
struct LoweredFunction {
  std::vector<Instruction> code;
  std::vector<std::uint32_t> callees;  // by instruction: place in the list of reachable functions, or kNoIndex
  std::uint16_t first_register = 0;
};
LoweredFunction lower_function(KernelBuilder& builder, FunctionRef ref, const std::vector<FunctionRef>& functions);

Kernel lower_kernel(const Ast& ast, FunctionRef entry, const SymbolAddresses& addresses);

}  // namespace heddle::ptx
