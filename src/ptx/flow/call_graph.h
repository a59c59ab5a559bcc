// The functions that a kernel calls, across linked units.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/syntax/ast.h"

namespace heddle::ptx {

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

}  // namespace heddle::ptx
