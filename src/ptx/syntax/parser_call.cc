// Calls, prototypes, and parameters in registers: these are copied to and from .param variables.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {

// Prefixes of device runtime functions.
constexpr std::array<std::string_view, 2> kDeviceRuntime = {"cuda", "__cudaCDP"};

}  // namespace

std::vector<AstOperand> Parser::parse_call_list() {
  std::vector<AstOperand> list;
  require("(");
  while (!token_.is(")")) {
    list.push_back(parse_operand());
    if (!accept(",")) break;
  }
  require(")");
  return list;
}

void Parser::parse_callee(AstCall& call) {
  const TextPosition at = position();
  const std::string_view word = read_word("a function name");
  const std::string name(word);
  const auto callee = unit_.function_names.find(name);
  if (callee == unit_.function_names.end()) {
    const Entity* pointer = find(word);  // a scope may keep the text of the name
    if (!pointer) fail_at(at, "the function '" + name.substr(0, 80) + "' is not declared");
    const bool fits = pointer->kind == Entity::Kind::reg &&
                      bytes_of(function().registers[pointer->index].type) == 8;
    if (!fits) fail_at(at, "a call through a pointer needs a 64-bit register");
    call.pointer = pointer->index;
    return;
  }
  const AstFunction& named = unit_.functions[callee->second];
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  const bool of_graphs = name == "cudaGraphSetConditional";  // the runtime library defines it
  if (named.linkage == Linkage::external && !named.is_defined && !of_graphs &&
      !runtime_function(name) &&
      std::any_of(kDeviceRuntime.begin(), kDeviceRuntime.end(), begins)) {
    fail_at(at, "call of '" + name.substr(0, 80) +
                    "': this function of CUDA's device runtime is not supported");
  }
  if (named.is_entry) fail_at(at, "'" + name + "' is a kernel and cannot be called");
  call.callee = callee->second;
}

void Parser::parse_call(AstInstruction instruction) {
  AstCall call;
  call.at = instruction.at;
  std::vector<AstOperand> results, arguments;
  if (token_.is("(")) {
    results = parse_call_list();
    require(",");
  }
  parse_callee(call);
  std::string_view prototype;
  if (accept(",")) {
    const bool has_list = token_.is("(");
    if (has_list) arguments = parse_call_list();
    if (!has_list || accept(",")) prototype = read_word("a list of functions or a prototype");
  }
  if (!accept(";")) fail("expected ';', found " + shown());
  const Signature signature = call.callee == kNoIndex ? find_signature(prototype)
                                                      : signature_of(unit_.functions[call.callee]);
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    if (arguments[n].kind == AstOperand::Kind::sink)
      fail_at(arguments[n].at, "an argument cannot be '_'");
    if (n < signature.parameters.size() && signature.parameters[n].is_variadic) {
      call.arguments.push_back(pass_by_address(arguments[n], signature.parameters[n], instruction));
      continue;
    }
    call.arguments.push_back(variable_for(arguments[n], signature.parameters, n));
    if (arguments[n].kind != AstOperand::Kind::symbol)
      add_parameter_access(true, call.arguments.back(), arguments[n], instruction);
  }
  // No arguments beyond the others: the function does not use their address.
  if (arguments.size() + 1 == signature.parameters.size() &&
      signature.parameters.back().is_variadic) {
    call.arguments.push_back(variable_for({}, signature.parameters, arguments.size()));
    AstOperand null;
    null.kind = AstOperand::Kind::integer;
    add_parameter_access(true, call.arguments.back(), null, instruction);
  }
  for (std::size_t n = 0; n < results.size(); ++n)
    call.results.push_back(variable_for(results[n], signature.results, n));
  instruction.target = static_cast<std::uint32_t>(function().calls.size());
  const std::vector<std::uint32_t> variables = call.results;
  function().calls.push_back(std::move(call));
  add_instruction(instruction);
  for (std::size_t n = 0; n < results.size(); ++n) {
    if (results[n].kind != AstOperand::Kind::symbol && results[n].kind != AstOperand::Kind::sink)
      add_parameter_access(false, variables[n], results[n], instruction);
  }
}

// The .param variable that an element of a call's list names, or a new one for a register, a
// constant or '_'.
std::uint32_t Parser::variable_for(const AstOperand& operand,
                                   const std::vector<AstVariable>& formals, std::size_t n) {
  if (operand.kind == AstOperand::Kind::symbol) {
    const AstVariable& variable = unit_.variables[operand.index];
    if (variable.space != Space::frame || operand.value != 0)
      fail_at(operand.at, "'" + variable.name + "' is not a .param variable");
    return operand.index;
  }
  if (n >= formals.size())
    fail_at(operand.at,
            "the type of this parameter is not known: the call needs a declared "
            "function or a prototype with as many parameters");
  AstVariable variable = formals[n];
  variable.function = function_;
  variable.call_argument = true;
  unit_.variables.push_back(std::move(variable));
  return static_cast<std::uint32_t>(unit_.variables.size() - 1);
}

// "st.param.u32 [variable], operand" or "ld.param.u32 operand, [variable]" with the guard of the
// call or return that it belongs to. A predicate travels as 1 or 0.
void Parser::add_parameter_access(bool stores, std::uint32_t variable, const AstOperand& operand,
                                  const AstInstruction& owner) {
  const AstVariable& parameter = unit_.variables[variable];
  const std::uint64_t elements = parameter.bytes / std::max(1u, bytes_of(parameter.type));
  if (elements != 1 && elements != 2 && elements != 4)
    fail_at(operand.at, "the parameter '" + parameter.name + "' needs a .param variable here");
  const std::string name = (stores ? "st.param" : "ld.param") +
                           (elements > 1 ? ".v" + std::to_string(elements) : std::string()) + "." +
                           std::string(name_of(parameter.type));
  AstOperand address;
  address.kind = AstOperand::Kind::address;
  address.symbol = variable;
  address.at = operand.at;
  const bool is_predicate = operand.kind == AstOperand::Kind::reg &&
                            function().registers[operand.index].type == Type::pred;
  if (operand.kind == AstOperand::Kind::reg && !is_predicate)
    check_register(operand, parameter.type, false, name);
  AstOperand value = operand, zero = operand, one = operand;
  if (is_predicate) {
    value.index = add_register(Type::u32, "");
    zero.kind = one.kind = AstOperand::Kind::integer;
    one.value = 1;
  }
  if (is_predicate && stores) add_generated("selp.u32", {value, one, zero, operand}, owner);
  if (stores)
    add_generated(name, {address, value}, owner);
  else
    add_generated(name, {value, address}, owner);
  if (is_predicate && !stores) add_generated("setp.ne.u32", {operand, value, zero}, owner);
}

// An instruction that the text does not contain.
void Parser::add_generated(const std::string& name, std::initializer_list<AstOperand> given,
                           const AstInstruction& owner) {
  AstInstruction instruction = owner;
  const auto known = form_indices_.find(name);
  instruction.form = known != form_indices_.end()
                         ? known->second
                         : form_named(name_store_.emplace_back(name), owner.at);
  auto& operands = function().operands;
  instruction.first_operand = static_cast<std::uint32_t>(operands.size());
  operands.insert(operands.end(), given);
  check_operands(instruction, unit_.forms[instruction.form], name);
  add_instruction(instruction);
}

Parser::Signature Parser::signature_of(const AstFunction& function) const {
  Signature signature;
  for (const std::uint32_t v : function.results) signature.results.push_back(unit_.variables[v]);
  for (const std::uint32_t v : function.parameters)
    signature.parameters.push_back(unit_.variables[v]);
  return signature;
}

Parser::Signature Parser::find_signature(std::string_view name) const {
  for (std::uint32_t s = scope_; s != kNoIndex; s = scopes_[s].parent) {
    const auto found = scopes_[s].signatures.find(name);
    if (found != scopes_[s].signatures.end()) return found->second;
  }
  return {};
}

// T: .calltargets f, g;
void Parser::parse_call_targets(std::string_view name) {
  if (const auto first = unit_.function_names.find(std::string(token_.text));
      first != unit_.function_names.end())
    scopes_[scope_].signatures[name] = signature_of(unit_.functions[first->second]);
  skip_statement();
}

// P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);
void Parser::parse_prototype(std::string_view name) {
  Signature signature;
  if (token_.is("(")) signature.results = parse_prototype_list();
  read_word("'_'");
  if (token_.is("(")) signature.parameters = parse_prototype_list();
  skip_statement();
  scopes_[scope_].signatures[name] = std::move(signature);
}

std::vector<AstVariable> Parser::parse_prototype_list() {
  std::vector<AstVariable> list;
  require("(");
  while (!token_.is(")")) {
    if (token_.is(".reg")) {
      list.push_back(read_register_formal().variable);
    } else {
      require(".param");
      list.push_back(read_variable(parse_declarator(Space::frame, Linkage::internal)));
      if (list.back().unsized) make_variadic(list.back());
    }
    if (!accept(",")) break;
  }
  require(")");
  return list;
}

Parser::RegisterFormal Parser::read_register_formal() {
  require(".reg");
  RegisterFormal formal;
  formal.shape = parse_register_shape();
  formal.variable.at = position();
  formal.name = read_word("a name");
  formal.variable.name = std::string(formal.name);
  formal.variable.space = Space::frame;
  const bool is_predicate = formal.shape.type == Type::pred;
  formal.variable.type = is_predicate ? Type::u32 : formal.shape.type;
  formal.variable.bytes = formal.variable.align = is_predicate ? 4 : formal.shape.bytes();
  formal.variable.function = function_;
  return formal;
}

std::uint32_t Parser::parse_register_formal(bool is_result) {
  RegisterFormal formal = read_register_formal();
  formal.is_result = is_result;
  formal.index = static_cast<std::uint32_t>(unit_.variables.size());
  unit_.variables.push_back(formal.variable);
  register_formals_.push_back(std::move(formal));
  return register_formals_.back().index;
}

AstOperand Parser::operand_of(const RegisterFormal& formal) {
  AstOperand operand = operand_of(formal.registers);
  operand.at = formal.variable.at;
  return operand;
}

// At the beginning of a body.
void Parser::load_register_formals() {
  for (RegisterFormal& formal : register_formals_) {
    formal.registers = add_register(formal.shape, formal.name);
    declare(formal.name, formal.registers, formal.variable.at);
  }
  AstInstruction entry;
  for (const RegisterFormal& formal : register_formals_) {
    entry.at = formal.variable.at;
    if (!formal.is_result) add_parameter_access(false, formal.index, operand_of(formal), entry);
  }
}

// Before a return.
void Parser::store_register_results(const AstInstruction& owner) {
  for (const RegisterFormal& formal : register_formals_)
    if (formal.is_result) add_parameter_access(true, formal.index, operand_of(formal), owner);
}

// At the end of a body, which may be reached without a return.
void Parser::end_register_formals() {
  if (register_formals_.empty()) return;
  AstInstruction end;
  end.at = position();
  store_register_results(end);
}

}  // namespace heddle::ptx
