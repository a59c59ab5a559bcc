#include "sass/encoding/row_text.h"

#include <charconv>

#include "base/diagnostics.h"

namespace heddle::sass {
namespace {

// Reads a column from its left end.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  std::string_view rest() const { return rest_; }
  bool accept(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void require(std::string_view word) {
    check_invariant(accept(word), "an encoding row is not in the notation of row.h");
  }
  std::string_view until(std::string_view ends) {
    const std::string_view found = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(found.size());
    return found;
  }
  std::uint64_t number(int base = 10) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
    check_invariant(error == std::errc{}, "an encoding row lacks a number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  // 79:78, 80, or two of them joined by +.
  BitField field() {
    BitField field;
    field.inverted = accept("~");
    do {
      check_invariant(field.count < field.ranges.size(), "a field has too many ranges");
      BitField::Range& range = field.ranges[field.count++];
      range.last = range.first = static_cast<std::uint8_t>(number());
      if (accept(":")) range.first = static_cast<std::uint8_t>(number());
      check_invariant(range.first <= range.last && range.last < 128, "a field has no bits");
    } while (accept("+"));
    return field;
  }

 private:
  std::string_view rest_;
};

ModifierText modifier_text(Reader& reader) {
  ModifierText text;
  text.name = reader.until("@");
  reader.require("@");
  text.inverted = reader.accept("!");
  text.field = reader.field();
  return text;
}

void read_prefixes(Reader& reader, OperandText& text) {
  text.hidden = reader.accept("{");
  text.after_blank = reader.accept("^");
  text.written = reader.accept("=");
  text.negatable = reader.accept("-");
  text.complement = reader.accept("~");
  text.logical_not = reader.accept("!");
  text.absolute = reader.accept("|");
}

void read_suffixes(Reader& reader, OperandText& text) {
  while (!reader.done()) {
    if (reader.accept("?"))
      text.optional = true;
    else if (reader.accept(":"))
      text.type = reader.until("?*.}");
    else if (reader.accept("*"))
      text.registers = static_cast<std::uint8_t>(reader.number());
    else if (reader.accept("."))
      text.modifiers.push_back(modifier_text(reader));
    else
      reader.require("}");
  }
}

constexpr std::string_view kEndOfName = "@|:?*.+}";

void read_place(Reader& reader, OperandText& text) {
  text.name = reader.until(kEndOfName);
  if (reader.accept("@")) {
    text.field = reader.field();
    for (int* bit : {&text.not_bit, &text.absolute_bit, &text.reuse_bit}) {
      if (!reader.accept("/") || reader.accept("-")) continue;
      *bit = static_cast<int>(reader.number());
    }
  }
  if (text.absolute) reader.require("|");
}

OperandText memory_part(std::string_view token, OperandText& memory) {
  Reader reader(token);
  OperandText part;
  read_place(reader, part);
  while (reader.accept(".")) {
    const std::string_view rest = reader.rest();
    if (rest.find('@') == std::string_view::npos)
      part.literal = std::string_view(rest.data() - 1, reader.until(".").size() + 1);
    else
      memory.modifiers.push_back(modifier_text(reader));
  }
  check_invariant(reader.done(), "an encoding row has an unknown memory operand");
  return part;
}

void read_memory(Reader& reader, OperandText& text) {
  text.memory = true;
  text.constant = reader.accept("c");
  if (reader.accept("desc[")) {
    Reader inside(reader.until("]"));
    OperandText part;
    read_place(inside, part);
    part.in_descriptor = true;
    if (inside.accept("+")) part.registers_ahead = static_cast<std::uint8_t>(inside.number());
    text.parts.push_back(part);
    reader.require("]");
    if (reader.done()) return;
  }
  reader.require("[");
  Reader inside(reader.until("]"));
  while (!inside.done()) {
    const std::string_view token = inside.until(" ");
    inside.accept(" ");
    text.parts.push_back(memory_part(token, text));
  }
  reader.require("]");
}

// gdesc[UR@29:24], also with a blank before the bracket.
void read_matrix_descriptors(Reader& reader, OperandText& text) {
  const std::string_view before = reader.rest();
  reader.until("[");
  reader.require("[");
  text.literal = before.substr(0, before.size() - reader.rest().size());
  text.name = reader.until("@");
  reader.require("@");
  text.field = reader.field();
  reader.require("]");
  text.registers = 4;
}

OperandText operand_text(std::string_view token) {
  Reader reader(token);
  OperandText text;
  read_prefixes(reader, text);
  if (reader.accept("'")) {
    text.quoted = true;
    text.name = reader.until("'");
    reader.require("'");
  } else if (reader.next() == '[' || reader.rest().starts_with("c[") ||
             reader.rest().starts_with("desc[")) {
    read_memory(reader, text);
  } else if (reader.rest().starts_with("gdesc")) {
    read_matrix_descriptors(reader, text);
  } else {
    read_place(reader, text);
  }
  read_suffixes(reader, text);
  return text;
}

ConditionText condition_text(std::string_view token) {
  using Kind = ConditionText::Kind;
  Reader reader(token);
  ConditionText text;
  if (reader.accept("@UP")) {
    text.kind = Kind::uniform_guard;
  } else if (reader.accept("noreuse")) {
    text.kind = Kind::no_reuse;
  } else if (reader.accept("sm>=")) {
    text.kind = Kind::from_architecture;
    text.value = reader.number();
  } else if (reader.accept("sm<")) {
    text.kind = Kind::below_architecture;
    text.value = reader.number();
  } else if (reader.accept("pow2@")) {
    text.kind = Kind::power_of_two;
    text.field = reader.field();
  } else {
    text.field = reader.field();
    reader.require("=");
    text.value = reader.number(16);
  }
  return text;
}

template <class Text>
std::vector<Text> split_column(std::string_view column, std::string_view separator,
                               Text (*read)(std::string_view)) {
  std::vector<Text> texts;
  while (!column.empty()) {
    const std::size_t end = column.find(separator);
    texts.push_back(read(column.substr(0, end)));
    column =
        end == std::string_view::npos ? std::string_view{} : column.substr(end + separator.size());
  }
  return texts;
}

}  // namespace

std::vector<ModifierText> modifier_texts(std::string_view column) {
  return split_column<ModifierText>(column, " ", [](std::string_view token) {
    Reader reader(token);
    reader.require(".");
    return modifier_text(reader);
  });
}

std::vector<OperandText> operand_texts(std::string_view column) {
  return split_column<OperandText>(column, ", ", operand_text);
}

std::vector<ConditionText> condition_texts(std::string_view column) {
  return split_column<ConditionText>(column, " ", condition_text);
}

}  // namespace heddle::sass
