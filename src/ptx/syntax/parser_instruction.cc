#include <algorithm>
#include <array>

#include "ptx/forms/older_forms.h"
#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {

// Prefixes of device runtime functions.
constexpr std::array<std::string_view, 2> kDeviceRuntime = {"cuda", "__cudaCDP"};

}  // namespace

std::uint32_t Parser::parse_form(std::string_view& name) {
  const TextPosition at = position();
  if (!token_.is_word()) fail("expected an instruction, found " + shown());
  const char* begin = token_.text.data();
  const char* end = begin + token_.text.size();
  advance();
  while (token_.is_dotted() && token_.joined) {
    end = token_.text.data() + token_.text.size();
    advance();
  }
  name = std::string_view(begin, static_cast<std::size_t>(end - begin));
  const auto [place, added] =
      form_indices_.try_emplace(name, static_cast<std::uint32_t>(unit_.forms.size()));
  if (added) {
    Form form;
    const std::string refusal = decode_form(older_ ? modern_name(name) : std::string(name), form);
    if (!refusal.empty()) form_indices_.erase(place);
    if (!refusal.empty())
      fail_at(at, "unsupported instruction '" + std::string(name.substr(0, 80)) + "': " + refusal);
    unit_.forms.push_back(std::move(form));
  }
  return place->second;
}

void Parser::parse_instruction() {
  AstInstruction instruction;
  if (accept("@")) {
    instruction.guard_negated = accept("!");
    const TextPosition at = position();
    const Entity* guard = find(read_word("a predicate"));
    if (!guard || guard->kind != Entity::Kind::reg ||
        function().registers[guard->index].type != Type::pred) {
      fail_at(at, "the guard is not a predicate register");
    }
    instruction.guard = guard->index;
  }
  instruction.at = position();
  instruction.file = loc_file_;
  instruction.file_line = loc_line_;
  std::string_view name;
  instruction.form = parse_form(name);
  const Form& form = unit_.forms[instruction.form];
  if (form.prototype.opcode == Opcode::call)
    parse_call(instruction);
  else
    parse_operands(instruction, form, name);
  if (!accept(";")) fail("expected ';', found " + shown());
  function().code.push_back(instruction);
  if (function().code.size() > (1u << 22)) fail("this function is too long");
}

void Parser::parse_operands(AstInstruction& instruction, const Form& form, std::string_view name) {
  instruction.first_operand = static_cast<std::uint32_t>(function().operands.size());
  std::size_t count = 0;
  bool names_table = false;
  const auto is_branch = [&] {
    return !form.operands.empty() && form.operands.front().role == OperandShape::Role::label;
  };
  if (is_branch()) {
    LabelUse use;
    use.at = position();
    use.name = read_word("a label");
    use.scope = scope_;
    use.instruction = static_cast<std::uint32_t>(function().code.size());
    label_uses_.push_back(use);
    return;
  }
  while (!token_.is(";") && !form.operands.empty()) {
    if (count == 1 && form.prototype.opcode == Opcode::brx) {
      LabelUse use;
      use.at = position();
      use.name = read_word("a list of labels");
      use.scope = scope_;
      use.instruction = static_cast<std::uint32_t>(function().code.size());
      use.names_table = names_table = true;
      label_uses_.push_back(use);
      break;
    }
    if (count == 8) fail("too many operands for '" + std::string(name) + "'");
    function().operands.push_back(parse_operand());
    ++count;
    if (token_.is("|") && count == 1) {
      advance();
      // The second destination; check_operands() pairs it with the first.
      function().operands.push_back(parse_operand());
      function().operands.back().count = 1;
      ++count;
    }
    if (!accept(",")) break;
    if (token_.is(";")) fail("an operand is missing after ','");
  }
  instruction.operand_count = static_cast<std::uint8_t>(count);
  check_operands(instruction, form, name);
  if (form.prototype.opcode == Opcode::brx && !names_table)
    fail_at(instruction.at, "'" + std::string(name) + "' needs a list of labels");
}

std::vector<std::uint32_t> Parser::parse_call_variables() {
  std::vector<std::uint32_t> variables;
  require("(");
  while (!token_.is(")")) {
    const TextPosition at = position();
    if (!token_.is_word()) fail("a call needs .param variables, found " + shown());
    const Entity* entity = find(token_.text);
    if (!entity || entity->kind != Entity::Kind::variable ||
        unit_.variables[entity->index].space != Space::frame) {
      fail_at(at, shown() + " is not a .param variable; arguments in registers are not supported");
    }
    variables.push_back(entity->index);
    advance();
    if (!accept(",")) break;
  }
  require(")");
  return variables;
}

void Parser::parse_callee(AstCall& call) {
  const TextPosition at = position();
  const std::string name(read_word("a function name"));
  const auto callee = unit_.function_names.find(name);
  if (callee == unit_.function_names.end()) {
    const Entity* pointer = find(name);
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
  if (!named.is_defined && !of_graphs && !runtime_function(name) &&
      std::any_of(kDeviceRuntime.begin(), kDeviceRuntime.end(), begins)) {
    fail_at(at, "call of '" + name.substr(0, 80) +
                    "': this function of CUDA's device runtime is not supported");
  }
  if (named.is_entry) fail_at(at, "'" + name + "' is a kernel and cannot be called");
  call.callee = callee->second;
}

void Parser::parse_call(AstInstruction& instruction) {
  AstCall call;
  call.at = instruction.at;
  if (token_.is("(")) {
    call.results = parse_call_variables();
    require(",");
  }
  parse_callee(call);
  if (accept(",")) {
    if (token_.is("(")) {
      call.arguments = parse_call_variables();
      if (accept(",")) read_word("a list of functions or a prototype");
    } else {
      read_word("a list of functions or a prototype");
    }
  }
  instruction.target = static_cast<std::uint32_t>(function().calls.size());
  function().calls.push_back(std::move(call));
}

}  // namespace heddle::ptx
