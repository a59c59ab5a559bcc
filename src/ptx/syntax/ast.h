// The syntax tree of a PTX module, with names resolved and every instruction checked. Registers are
// numbers within their function, variables and functions are indices within their unit.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "ptx/forms/forms.h"
#include "ptx/module.h"

namespace heddle::ptx {

inline constexpr std::int64_t kReservedSharedBytes = 1024;  // per CTA, as on sm_80 and later
// Value of a special register operand that means the size of that memory, not an address in it.
inline constexpr std::int64_t kReservedSharedSize = -1;

inline constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

struct TextPosition {
  std::uint32_t line = 0, column = 0;
};

enum class Linkage : std::uint8_t { internal, visible, weak, external };

// A variable or parameter of any space, at module or function scope.
struct AstVariable {
  std::string name;
  Space space = Space::none;  // frame: parameters of .func and .param variables of calls
  Linkage linkage = Linkage::internal;
  Type type = Type::b8;  // element type
  std::uint64_t bytes = 0, align = 1;
  bool unsized = false;               // extern array without a length: dynamic shared memory
  bool call_argument = false;         // a .param variable declared in a body
  bool hidden = false;                // a kernel's parameter that the host does not pass
  bool is_variadic = false;           // a formal: the address of the arguments beyond the others
  std::uint32_t function = kNoIndex;  // function of its scope; kNoIndex: module scope
  std::vector<std::uint8_t> initial;
  std::vector<Variable::Relocation> relocations;
  SamplerFields sampler;
  TextPosition at;
  std::string linked_name;  // name in Module::variables(), unique over all linked units
};

struct AstOperand {
  enum class Kind : std::uint8_t {
    none,
    reg,
    integer,   // value
    floating,  // value: the bits of a double
    single,    // value: the bits of a float
    symbol,    // index: variable; value: displacement
    special,   // index: SpecialRegister, value: envreg number
    function,  // index: function of the unit; its address
    address,  // memory: base register `index` or kNoIndex, displacement `value`; symbol in `symbol`
    texel,    // [handle, {coordinates}]: base register `index` or kNoIndex, else `symbol`; `count`
              // coordinates from `value` on in the pool
    vector,   // `count` operands from `index` on in Function::vector_pool
    sink      // _
  };
  Kind kind = Kind::none;
  bool negated = false;
  std::uint8_t count = 0;
  bool has_sampler = false;  // texel: a sampler follows the coordinates in the pool
  bool is_special = false;   // vector: the components of a special register such as %tid
  bool is_element = false;   // symbol, reg: the address of array[index]
  // Parts of a register (video instructions): the letter b or h, and its digits, four bits each.
  char part_unit = 0;
  std::uint8_t part_count = 0;
  std::uint16_t part_digits = 0;
  std::uint32_t index = kNoIndex;
  std::uint32_t symbol = kNoIndex;
  std::int64_t value = 0;
  TextPosition at;
};

struct AstRegister {
  Type type = Type::none;    // b128: the lower half; the upper half is the next register
  std::uint16_t digits = 0;  // the first number in its name: 3 of %rd3
};

struct AstCall {
  std::uint32_t callee = kNoIndex;     // function of the same unit, defined or declared;
                                       // kNoIndex: call through `pointer`
  std::uint32_t pointer = kNoIndex;    // register
  std::vector<std::uint32_t> results;  // .param variables
  std::vector<std::uint32_t> arguments;
  TextPosition at;
};

struct AstInstruction {
  std::uint32_t form = 0;           // index into AstUnit::forms
  std::uint32_t first_operand = 0;  // into AstFunction::operands
  std::uint8_t operand_count = 0;
  bool guard_negated = false;
  std::uint32_t guard = kNoIndex;  // register
  std::uint32_t target =
      kNoIndex;  // bra: instruction index; call: index into calls; brx: index into branch_tables
  TextPosition at;
  std::uint32_t file = 0, file_line = 0;  // .loc
};

// A heddle_ps_begin, heddle_ps_end or heddle_ps_loop pragma.
struct AstLoopMark {
  enum class Kind : std::uint8_t { begin, end, loop } kind = Kind::begin;
  std::uint32_t instruction = 0;  // the next one
  std::uint32_t group = 0;        // warps; begin, loop
  TextPosition at;
  std::uint32_t file = 0, file_line = 0;  // .loc
};

struct AstFunction {
  std::string name;
  Linkage linkage = Linkage::internal;
  bool is_entry = false, is_defined = false;
  std::vector<std::uint32_t> parameters;  // variables
  std::vector<std::uint32_t> results;
  std::vector<AstRegister> registers;  // those that the body uses
  std::vector<AstInstruction> code;
  std::vector<AstOperand> operands;
  std::vector<AstOperand> vector_pool;
  std::vector<AstCall> calls;
  std::vector<std::vector<std::uint32_t>> branch_tables;  // instruction indices
  std::uint32_t max_threads = 0;                          // of .maxntid or .reqntid; 0: not given
  std::optional<Dim3> required_block;                     // .reqntid
  Dim3 cluster;                                           // .reqnctapercluster, in CTAs
  bool explicit_cluster = false, blocks_are_clusters = false;
  std::uint32_t max_cluster_ctas = 0;   // .maxclusterrank
  std::uint32_t max_registers = 0;      // .maxnreg; 0: not given
  std::vector<AstLoopMark> loop_marks;  // in the order of the text
  // By branch: the loop marks that precede its target's label; absent: 0. Branches pass the others.
  std::map<std::uint32_t, std::uint32_t> marks_before_target;
  CtaDirectionHint cta_direction = CtaDirectionHint::absent;
  std::uint32_t alias_of = kNoIndex;  // .alias: the function of the same unit that it names
  TextPosition at;
};

// One PTX text.
struct AstUnit {
  std::string name;
  std::vector<AstVariable> variables;
  std::vector<AstFunction> functions;
  std::unordered_map<std::string, std::uint32_t> variable_names, function_names;  // module scope
  std::deque<InstructionForm> forms;                                              // stay in place
  std::map<std::uint32_t, std::string> files;                                     // .file
  std::set<std::uint32_t> pointed;    // functions whose address is taken
  int target = 0;                     // .target sm_75: 75
  bool independent_samplers = false;  // .target texmode_independent
  std::uint32_t first_function = 0;   // number of its first function among those of all units
  SourceLocation where(TextPosition at) const {
    return {name, static_cast<int>(at.line), static_cast<int>(at.column)};
  }
};

struct FunctionRef {
  std::uint32_t unit = kNoIndex, function = kNoIndex;
  bool operator==(const FunctionRef&) const = default;
  auto operator<=>(const FunctionRef&) const = default;
};

struct Ast {
  std::string name;
  std::vector<AstUnit> units;
  std::vector<Variable> variables;
  std::map<std::string, FunctionRef, std::less<>> kernels;
  std::map<std::string, FunctionRef, std::less<>> shared_functions;  // visible definitions, by name
};

}  // namespace heddle::ptx
