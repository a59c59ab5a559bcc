#include <array>

#include "ptx/forms/older_forms.h"
#include "ptx/syntax/parser.h"

namespace heddle::ptx {

std::string_view Parser::read_form_name() {
  if (!token_.is_word()) fail("expected an instruction, found " + shown());
  const char* begin = token_.text.data();
  const char* end = begin + token_.text.size();
  advance();
  while (token_.is_dotted() && token_.joined) {
    end = token_.text.data() + token_.text.size();
    advance();
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

// The name must outlive the parser.
std::uint32_t Parser::form_named(std::string_view name, TextPosition at) {
  const auto [place, added] =
      form_indices_.try_emplace(name, static_cast<std::uint32_t>(unit_.forms.size()));
  if (added) {
    InstructionForm form;
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
    instruction.guard = parse_guard();
  }
  instruction.at = position();
  instruction.file = loc_file_;
  instruction.file_line = loc_line_;
  owner_ = instruction;
  const std::string_view name = read_form_name();
  if (name.starts_with("st.async.") || name.starts_with("red.async."))
    return parse_async_store(instruction, name);
  instruction.form = form_named(name, instruction.at);
  const Opcode opcode = unit_.forms[instruction.form].prototype.opcode;
  if (opcode == Opcode::call) return parse_call(instruction);
  parse_operands(instruction, unit_.forms[instruction.form], name);
  if (!accept(";")) fail("expected ';', found " + shown());
  if (opcode == Opcode::ret) store_register_results(instruction);
  add_instruction(instruction);
}

std::uint32_t Parser::parse_guard() {
  const TextPosition at = position();
  if (token_.is("%is_explicit_cluster")) return parse_explicit_cluster().index;
  const Entity* guard = find(read_word("a predicate"));
  if (!guard || guard->kind != Entity::Kind::reg ||
      function().registers[guard->index].type != Type::pred) {
    fail_at(at, "the guard is not a predicate register");
  }
  return guard->index;
}

void Parser::add_instruction(const AstInstruction& instruction) {
  function().code.push_back(instruction);
  if (function().code.size() > (1u << 22)) fail("this function is too long");
}

void Parser::parse_operands(AstInstruction& instruction, const InstructionForm& form,
                            std::string_view name) {
  std::array<AstOperand, 10> given;  // an operand may add instructions before this one
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
    instruction.first_operand = static_cast<std::uint32_t>(function().operands.size());
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
    if (count == given.size()) fail("too many operands for '" + std::string(name) + "'");
    given[count++] = parse_operand();
    if (token_.is("|") && count == 1) {
      advance();
      // The second destination; check_operands() pairs it with the first.
      given[count] = parse_operand();
      given[count++].count = 1;
    }
    if (!accept(",")) break;
    if (token_.is(";")) fail("an operand is missing after ','");
  }
  auto& operands = function().operands;
  instruction.first_operand = static_cast<std::uint32_t>(operands.size());
  operands.insert(operands.end(), given.begin(),
                  given.begin() + static_cast<std::ptrdiff_t>(count));
  check_operands(instruction, form, name);
  if (form.prototype.opcode == Opcode::brx && !names_table)
    fail_at(instruction.at, "'" + std::string(name) + "' needs a list of labels");
}

}  // namespace heddle::ptx
