// Reads PTX text token by token, with line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace heddle::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,         // identifier: foo, $L__BB0_1, %r1, %tid
    dotted,       // .entry, .f32, .L1::no_allocate
    integer,      // `value`; `is_unsigned` with the suffix U or when it exceeds 63 bits
    single_bits,  // 0f3F800000: the 32 bits in `value`
    double_bits,  // 0d3FF0000000000000, or a decimal floating number
    string,       // without its quotes; PTX has no escapes: a backslash is itself
    punctuation   // one of , ; : { } [ ] ( ) < > @ ! + - * / % ~ & | ^ = ? or a pair such as << &&
                  // ==
  };
  Kind kind = Kind::end;
  bool is_unsigned = false;
  bool joined = false;  // no space between this token and the previous one
  std::string_view text;
  std::uint64_t value = 0;
  std::uint32_t line = 1, column = 1;

  bool is(std::string_view t) const {
    return (kind == Kind::punctuation || kind == Kind::dotted || kind == Kind::word) && text == t;
  }
  bool is_word() const { return kind == Kind::word; }
  bool is_dotted() const { return kind == Kind::dotted; }
};

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(&file) {}
  Token next();

 private:
  void skip_space();
  void skip_block_comment();
  bool begins_fraction() const;
  void lex_word(Token& token);
  void lex_dotted(Token& token);
  void lex_number(Token& token);
  void lex_bits(Token& token, std::size_t digits);
  void lex_string(Token& token);
  void lex_punctuation(Token& token);
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  void newline(std::size_t after) {
    ++line_;
    line_start_ = after;
  }
  [[noreturn]] void fail(const std::string& message) const;

  std::string_view text_;
  const std::string* file_;
  std::size_t here_ = 0, line_start_ = 0, token_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace heddle::ptx
