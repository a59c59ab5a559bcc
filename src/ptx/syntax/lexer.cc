#include "ptx/syntax/lexer.h"

#include <bit>
#include <charconv>

namespace heddle::ptx {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_char(char c) { return is_letter(c) || is_digit(c); }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// The text may contain anything; a message shows only a short, printable piece of it.
std::string shown(std::string_view text) {
  std::string out;
  for (char c : text.substr(0, 40)) out += (c >= ' ' && c < 127) ? c : '?';
  return out;
}

}  // namespace

void Lexer::fail(const std::string& message) const {
  throw UserError(SourceLocation{*file_, static_cast<int>(line_),
                                 static_cast<int>(token_start_ - line_start_ + 1)},
                  message);
}

void Lexer::skip_block_comment() {
  token_start_ = here_;
  const std::size_t end = text_.find("*/", here_ + 2);
  if (end == std::string_view::npos) fail("this comment is never closed");
  for (std::size_t i = here_; i < end; ++i) {
    if (text_[i] == '\n') newline(i + 1);
  }
  here_ = end + 2;
}

void Lexer::skip_space() {
  while (here_ < text_.size()) {
    const char c = text_[here_];
    if (c == '\n') {
      newline(++here_);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++here_;
    } else if (c == '/' && at(here_ + 1) == '*') {
      skip_block_comment();
    } else if ((c == '/' && at(here_ + 1) == '/') || (c == '#' && here_ == line_start_)) {
      while (here_ < text_.size() && text_[here_] != '\n') ++here_;
    } else if (c == '\0' && here_ + 1 == text_.size()) {
      ++here_;  // the terminating zero of embedded text
    } else {
      return;
    }
  }
}

// .5, but not the modifier of tex.1d.
bool Lexer::begins_fraction() const {
  return text_[here_] == '.' && is_digit(at(here_ + 1)) &&
         (here_ == 0 || !is_word_char(text_[here_ - 1]));
}

Token Lexer::next() {
  const std::size_t before = here_;
  skip_space();
  Token token;
  token_start_ = here_;
  token.joined = here_ == before;
  token.line = line_;
  token.column = static_cast<std::uint32_t>(here_ - line_start_ + 1);
  if (here_ >= text_.size()) return token;
  const char c = text_[here_];
  if (is_letter(c) || (c == '%' && is_letter(at(here_ + 1)))) {
    lex_word(token);
  } else if (is_digit(c) || begins_fraction()) {
    lex_number(token);
  } else if (c == '.' && is_word_char(at(here_ + 1))) {
    lex_dotted(token);
  } else if (c == '"') {
    lex_string(token);
  } else {
    lex_punctuation(token);
  }
  token.text = token.kind == Token::Kind::string ? token.text
                                                 : text_.substr(token_start_, here_ - token_start_);
  return token;
}

void Lexer::lex_word(Token& token) {
  token.kind = Token::Kind::word;
  do ++here_;
  while (is_word_char(at(here_)));
}

void Lexer::lex_dotted(Token& token) {
  token.kind = Token::Kind::dotted;
  do {
    if (at(here_) == ':') ++here_;
    do ++here_;
    while (is_word_char(at(here_)));
  } while (at(here_) == ':' && at(here_ + 1) == ':' && is_word_char(at(here_ + 2)));
}

void Lexer::lex_bits(Token& token, std::size_t digits) {
  here_ += 2;
  for (std::size_t i = 0; i < digits; ++i, ++here_) {
    const int digit = digit_value(at(here_));
    if (digit > 15)
      fail("a floating constant in hexadecimal needs " + std::to_string(digits) + " digits");
    token.value = token.value << 4 | static_cast<std::uint64_t>(digit);
  }
  if (is_word_char(at(here_)))
    fail("malformed number '" + shown(text_.substr(token_start_, here_ + 1 - token_start_)) + "'");
}

void Lexer::lex_number(Token& token) {
  const char second = at(here_ + 1);
  if (text_[here_] == '0' && (second == 'f' || second == 'F'))
    return token.kind = Token::Kind::single_bits, lex_bits(token, 8);
  if (text_[here_] == '0' && (second == 'd' || second == 'D'))
    return token.kind = Token::Kind::double_bits, lex_bits(token, 16);

  const bool hexadecimal = text_[here_] == '0' && (second == 'x' || second == 'X');
  std::size_t end = here_;
  while (is_digit(at(end))) ++end;
  if (!hexadecimal && (at(end) == '.' || at(end) == 'e' || at(end) == 'E')) {
    double value = 0;
    const auto result = std::from_chars(text_.data() + here_, text_.data() + text_.size(), value);
    if (result.ec != std::errc{}) fail("this floating number is out of range");
    here_ = static_cast<std::size_t>(result.ptr - text_.data());
    token.kind = Token::Kind::double_bits;
    token.value = std::bit_cast<std::uint64_t>(value);
  } else {
    unsigned base = 10;
    if (hexadecimal)
      base = 16, here_ += 2;
    else if (text_[here_] == '0' && (second == 'b' || second == 'B'))
      base = 2, here_ += 2;
    else if (text_[here_] == '0')
      base = 8;
    const std::size_t digits_start = here_;
    token.kind = Token::Kind::integer;
    for (; static_cast<unsigned>(digit_value(at(here_))) < base; ++here_) {
      const auto digit = static_cast<std::uint64_t>(digit_value(at(here_)));
      if (token.value > (~std::uint64_t{0} - digit) / base)
        fail("this number does not fit 64 bits");
      token.value = token.value * base + digit;
    }
    if (here_ == digits_start) fail("this number has no digits");
    token.is_unsigned = token.value >> 63;
    if (at(here_) == 'U') token.is_unsigned = true, ++here_;
  }
  if (is_word_char(at(here_)))
    fail("malformed number '" + shown(text_.substr(token_start_, here_ + 1 - token_start_)) + "'");
}

void Lexer::lex_string(Token& token) {
  token.kind = Token::Kind::string;
  const std::size_t start = ++here_;
  while (here_ < text_.size() && text_[here_] != '"' && text_[here_] != '\n') ++here_;
  if (here_ >= text_.size() || text_[here_] != '"') fail("this string is never closed");
  token.text = text_.substr(start, here_ - start);
  ++here_;
}

void Lexer::lex_punctuation(Token& token) {
  token.kind = Token::Kind::punctuation;
  const char c = text_[here_], d = at(here_ + 1);
  const bool pair = (c == d && (c == '<' || c == '>' || c == '=' || c == '&' || c == '|')) ||
                    (d == '=' && (c == '<' || c == '>' || c == '!'));
  if (!pair && std::string_view(",;:{}[]()<>@!+-*/%~&|^=?").find(c) == std::string_view::npos) {
    fail("unexpected character '" + shown(text_.substr(here_, 1)) + "'");
  }
  here_ += pair ? 2 : 1;
}

}  // namespace heddle::ptx
