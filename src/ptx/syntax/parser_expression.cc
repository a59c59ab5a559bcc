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

int precedence_of(std::string_view text) {
  for (const Operator& op : kOperators) {
    if (op.text == text) return op.precedence;
  }
  return 0;
}
int precedence_of(const Token& token) {
  return token.kind == Token::Kind::punctuation ? precedence_of(token.text) : 0;
}

double combine(std::string_view op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  return a / b;
}

template <class T>
std::uint64_t compare(std::string_view op, T a, T b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  return a >= b;
}
// The divisor is not zero.
std::uint64_t arithmetic(std::string_view op, std::uint64_t a, std::uint64_t b, bool is_unsigned) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "%") return a % b;
  if (is_unsigned) return a / b;
  if (b == ~std::uint64_t{0}) return 0 - a;  // the smallest number divided by -1 wraps
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
}
bool is_comparison(int precedence) { return precedence == 6 || precedence == 7; }

}  // namespace

double ConstantValue::as_double() const {
  if (kind == Kind::floating) return std::bit_cast<double>(bits);
  if (kind == Kind::single) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return is_unsigned ? static_cast<double>(bits)
                     : static_cast<double>(static_cast<std::int64_t>(bits));
}

// c ? a : b, which groups to the right; otherwise a binary expression.
ConstantValue Parser::parse_constant() {
  const TextPosition at = position();
  const ConstantValue condition = parse_binary(1);
  if (!token_.is("?")) return condition;
  if (condition.kind != ConstantValue::Kind::integer) fail_at(at, "this operator needs integers");
  if (++depth_ > kMaxDepth) fail("this expression is nested too deeply");
  advance();
  const ConstantValue chosen = parse_constant();
  require(":");
  const ConstantValue other = parse_constant();
  --depth_;
  if (chosen.kind != other.kind) fail_at(at, "both values of '?' need the same kind");
  return condition.bits ? chosen : other;
}

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
    if (value.kind == ConstantValue::Kind::integer) value.bits = 0 - value.bits;
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
    value.is_unsigned = invert;
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

// ptxas decides where the manual is silent: a remainder is unsigned, a shift counts modulo 64 and
// has the sign of its left operand, logic and comparisons are signed.
ConstantValue Parser::apply(std::string_view op, const ConstantValue& a, const ConstantValue& b,
                            TextPosition at) {
  ConstantValue out;
  const int precedence = precedence_of(op);
  if (a.kind != ConstantValue::Kind::integer || b.kind != ConstantValue::Kind::integer) {
    if (is_comparison(precedence)) {
      out.bits = compare(op, a.as_double(), b.as_double());
      return out;
    }
    if (op != "+" && op != "-" && op != "*" && op != "/")
      fail_at(at, "this operator needs integers");
    if (op == "/" && b.as_double() == 0) fail_at(at, "division by zero");
    out.kind = ConstantValue::Kind::floating;
    out.bits = std::bit_cast<std::uint64_t>(combine(op, a.as_double(), b.as_double()));
    return out;
  }
  const auto sa = static_cast<std::int64_t>(a.bits), sb = static_cast<std::int64_t>(b.bits);
  const bool any_unsigned = a.is_unsigned || b.is_unsigned;
  if ((op == "/" || op == "%") && b.bits == 0) fail_at(at, "division by zero");
  if (is_comparison(precedence)) {
    out.bits = any_unsigned ? compare(op, a.bits, b.bits) : compare(op, sa, sb);
  } else if (op == "&&") {
    out.bits = a.bits && b.bits;
  } else if (op == "||") {
    out.bits = a.bits || b.bits;
  } else if (op == "<<") {
    out = a;
    out.bits = a.bits << (b.bits & 63);
  } else if (op == ">>") {
    out = a;
    out.bits =
        a.is_unsigned ? a.bits >> (b.bits & 63) : static_cast<std::uint64_t>(sa >> (b.bits & 63));
  } else {
    out.is_unsigned = any_unsigned;
    out.bits = arithmetic(op, a.bits, b.bits, any_unsigned);
    if (op == "%") out.is_unsigned = true;
  }
  return out;
}

}  // namespace heddle::ptx
