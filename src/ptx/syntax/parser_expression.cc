#include <array>
#include <bit>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {

struct Operator {
  std::string_view text;
  int precedence;
};
constexpr std::array<Operator, 18> kOperators = {{{"||", 1},
                                                  {"&&", 2},
                                                  {"|", 3},
                                                  {"^", 4},
                                                  {"&", 5},
                                                  {"==", 6},
                                                  {"!=", 6},
                                                  {"<", 7},
                                                  {"<=", 7},
                                                  {">", 7},
                                                  {">=", 7},
                                                  {"<<", 8},
                                                  {">>", 8},
                                                  {"+", 9},
                                                  {"-", 9},
                                                  {"*", 10},
                                                  {"/", 10},
                                                  {"%", 10}}};

int precedence_of(const Token& token) {
  if (token.kind != Token::Kind::punctuation) return 0;
  for (const Operator& op : kOperators) {
    if (op.text == token.text) return op.precedence;
  }
  return 0;
}

double combine(std::string_view op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  return a / b;
}

std::uint64_t compare(std::string_view op, const ConstantValue& a, const ConstantValue& b,
                      bool is_unsigned) {
  const auto sa = static_cast<std::int64_t>(a.bits), sb = static_cast<std::int64_t>(b.bits);
  const bool less = is_unsigned ? a.bits < b.bits : sa < sb;
  if (op == "==") return a.bits == b.bits;
  if (op == "!=") return a.bits != b.bits;
  if (op == "<") return less;
  if (op == "<=") return less || a.bits == b.bits;
  if (op == ">") return !less && a.bits != b.bits;
  return !less;
}

}  // namespace

double ConstantValue::as_double() const {
  if (kind == Kind::floating) return std::bit_cast<double>(bits);
  if (kind == Kind::single) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return is_unsigned ? static_cast<double>(bits)
                     : static_cast<double>(static_cast<std::int64_t>(bits));
}

ConstantValue Parser::parse_constant() { return parse_binary(1); }

ConstantValue Parser::parse_binary(int lowest_precedence) {
  ConstantValue left = parse_unary();
  for (int precedence = precedence_of(token_); precedence >= lowest_precedence;
       precedence = precedence_of(token_)) {
    const Token op = token_;
    advance();
    left = apply(op.text, left, parse_binary(precedence + 1), {op.line, op.column});
  }
  return left;
}

ConstantValue Parser::parse_unary() {
  if (++depth_ > kMaxDepth) fail("this expression is nested too deeply");
  ConstantValue value;
  if (accept("-")) {
    value = parse_unary();
    if (value.kind == ConstantValue::Kind::integer)
      value.bits = 0 - value.bits, value.is_unsigned = false;
    if (value.kind == ConstantValue::Kind::single) value.bits ^= std::uint64_t{1} << 31;
    if (value.kind == ConstantValue::Kind::floating) value.bits ^= std::uint64_t{1} << 63;
  } else if (accept("+")) {
    value = parse_unary();
  } else if (token_.is("~") || token_.is("!")) {
    const bool invert = token_.is("~");
    advance();
    value = parse_unary();
    if (value.kind != ConstantValue::Kind::integer) fail("this operator needs an integer");
    value.bits = invert ? ~value.bits : static_cast<std::uint64_t>(value.bits == 0);
  } else {
    value = parse_primary();
  }
  --depth_;
  return value;
}

ConstantValue Parser::parse_primary() {
  ConstantValue value;
  value.bits = token_.value;
  value.is_unsigned = token_.is_unsigned;
  switch (token_.kind) {
    case Token::Kind::integer: break;
    case Token::Kind::single_bits: value.kind = ConstantValue::Kind::single; break;
    case Token::Kind::double_bits: value.kind = ConstantValue::Kind::floating; break;
    default:
      if (token_.is("WARP_SZ")) {
        value.bits = kWarpSize;
        break;
      }
      if (!accept("(")) fail("expected a constant, found " + shown());
      if (token_.is(".s64") || token_.is(".u64")) {
        const bool to_unsigned = token_.is(".u64");
        advance();
        require(")");
        value = parse_unary();
        value.is_unsigned = to_unsigned;
        return value;
      }
      value = parse_constant();
      require(")");
      return value;
  }
  advance();
  return value;
}

ConstantValue Parser::apply(std::string_view op, const ConstantValue& a, const ConstantValue& b,
                            TextPosition at) {
  ConstantValue out;
  if (a.kind != ConstantValue::Kind::integer || b.kind != ConstantValue::Kind::integer) {
    if (op != "+" && op != "-" && op != "*" && op != "/")
      fail_at(at, "this operator needs integers");
    out.kind = ConstantValue::Kind::floating;
    out.bits = std::bit_cast<std::uint64_t>(combine(op, a.as_double(), b.as_double()));
    return out;
  }
  out.is_unsigned = a.is_unsigned || b.is_unsigned;
  const auto sa = static_cast<std::int64_t>(a.bits), sb = static_cast<std::int64_t>(b.bits);
  if (op == "+")
    out.bits = a.bits + b.bits;
  else if (op == "-")
    out.bits = a.bits - b.bits;
  else if (op == "*")
    out.bits = a.bits * b.bits;
  else if (op == "&")
    out.bits = a.bits & b.bits;
  else if (op == "|")
    out.bits = a.bits | b.bits;
  else if (op == "^")
    out.bits = a.bits ^ b.bits;
  else if (op == "&&")
    out.bits = a.bits && b.bits;
  else if (op == "||")
    out.bits = a.bits || b.bits;
  else if (op == "<<")
    out.bits = b.bits > 63 ? 0 : a.bits << b.bits;
  else if (op == ">>")
    out.bits = b.bits > 63     ? 0
               : a.is_unsigned ? a.bits >> b.bits
                               : static_cast<std::uint64_t>(sa >> b.bits);
  else if (op == "/" || op == "%") {
    if (b.bits == 0) fail_at(at, "division by zero");
    const bool divide = op == "/";
    if (out.is_unsigned)
      out.bits = divide ? a.bits / b.bits : a.bits % b.bits;
    else if (sb == -1)
      out.bits = divide ? 0 - a.bits : 0;
    else
      out.bits = static_cast<std::uint64_t>(divide ? sa / sb : sa % sb);
  } else {
    out.bits = compare(op, a, b, out.is_unsigned);
    out.is_unsigned = false;
  }
  return out;
}

}  // namespace heddle::ptx
