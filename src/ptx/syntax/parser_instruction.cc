#include "ptx/forms/older_forms.h"
#include "ptx/syntax/parser.h"

namespace heddle::ptx {

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
  return form_named(name, at);
}

// The name must outlive the parser.
std::uint32_t Parser::form_named(std::string_view name, TextPosition at) {
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
  const Opcode opcode = unit_.forms[instruction.form].prototype.opcode;
  if (opcode == Opcode::call) return parse_call(instruction);
  parse_operands(instruction, unit_.forms[instruction.form], name);
  if (!accept(";")) fail("expected ';', found " + shown());
  if (opcode == Opcode::ret) store_register_results(instruction);
  add_instruction(instruction);
}

void Parser::add_instruction(const AstInstruction& instruction) {
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

}  // namespace heddle::ptx
