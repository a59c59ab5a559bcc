// Operands and instructions that stand for several instructions: sums, elements of arrays,
// asynchronous stores, and the arguments beyond a function's parameters.
#include <algorithm>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {

AstOperand integer_operand(std::int64_t value, TextPosition at) {
  AstOperand operand;
  operand.kind = AstOperand::Kind::integer;
  operand.value = value;
  operand.at = at;
  return operand;
}

}  // namespace

// The new register that holds the result of `name a, b`; without a second operand b is none.
AstOperand Parser::add_result(const std::string& name, Type type, const AstOperand& a,
                              const AstOperand& b) {
  AstOperand result;
  result.kind = AstOperand::Kind::reg;
  result.at = a.at;
  result.index = add_register(type, "");
  if (b.kind == AstOperand::Kind::none)
    add_generated(name, {result, a}, owner_);
  else
    add_generated(name, {result, a, b}, owner_);
  return result;
}

// register+constant as an operand
AstOperand Parser::parse_sum(const AstOperand& first) {
  const Type type = function().registers[first.index].type;
  const std::uint32_t bytes = bytes_of(type);
  if (type == Type::pred || is_float(type) || bytes < 2 || bytes > 8)
    fail_at(first.at, "a sum needs an integer register");
  const Type word = bytes == 2 ? Type::u16 : bytes == 4 ? Type::u32 : Type::u64;
  const TextPosition at = position();
  const ConstantValue value = parse_binary(9);
  if (value.kind != ConstantValue::Kind::integer) fail_at(at, "a sum needs an integer");
  return add_result("add." + std::string(name_of(word)), word, first,
                    integer_operand(static_cast<std::int64_t>(value.bits), at));
}

// array[index]: the address of an element. An index in a register is unsigned.
AstOperand Parser::parse_element(const AstOperand& array) {
  const std::int64_t stride = bytes_of(unit_.variables[array.index].type);
  require("[");
  AstOperand element = array;
  if (token_.is_word() && !token_.is("WARP_SZ")) {
    const AstOperand index = parse_operand();
    const Type type =
        index.kind == AstOperand::Kind::reg ? function().registers[index.index].type : Type::none;
    const std::uint32_t bytes = bytes_of(type);
    if (is_float(type) || type == Type::pred || (bytes != 4 && bytes != 8))
      fail_at(index.at, "an index is a register or a constant");
    const AstOperand scaled = add_result(bytes == 4 ? "mul.wide.u32" : "mul.lo.u64", Type::u64,
                                         index, integer_operand(stride, index.at));
    element = add_result("add.u64", Type::u64, scaled, add_result("mov.u64", Type::u64, array, {}));
  } else {
    const TextPosition at = position();
    const ConstantValue index = parse_constant();
    if (index.kind != ConstantValue::Kind::integer) fail_at(at, "an index is an integer");
    element.value += stride * static_cast<std::int64_t>(index.bits);
  }
  require("]");
  element.is_element = true;
  return element;
}

// st.async and red.async: every cluster is one CTA, so the bytes arrive at once and the mbarrier
// counts them.
void Parser::parse_async_store(const AstInstruction& owner, std::string_view name) {
  std::string plain;
  bool completes = false;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view word = name.substr(begin, end - begin);
    if (word == "mbarrier::complete_tx::bytes")
      completes = true;
    else if (word != "async" && word != "weak" && word != "relaxed" && word != "cluster")
      plain += (begin ? "." : "") + std::string(word);
    begin = end + 1;
  }
  if (!completes || plain.find(".shared::cluster") == std::string::npos)
    fail_at(owner.at, "unsupported instruction '" + std::string(name.substr(0, 80)) +
                          "': only stores to shared memory that complete at an mbarrier");
  const AstOperand address = parse_operand();
  require(",");
  const AstOperand value = parse_operand();
  require(",");
  const AstOperand barrier = parse_operand();
  if (!accept(";")) fail("expected ';', found " + shown());
  add_generated(plain, {address, value}, owner);
  const Instruction& store = unit_.forms[function().code.back().form].prototype;
  add_generated("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64",
                {barrier, integer_operand(bytes_of(store.type) * store.vector, owner.at)}, owner);
}

void Parser::make_variadic(AstVariable& formal) {
  formal.unsized = false;
  formal.is_variadic = true;
  formal.type = Type::u64;
  formal.bytes = formal.align = 8;
}

// The arguments beyond the parameters: their .param array becomes a local variable, whose address
// is passed.
std::uint32_t Parser::pass_by_address(const AstOperand& argument, const AstVariable& formal,
                                      const AstInstruction& owner) {
  if (argument.kind != AstOperand::Kind::symbol ||
      unit_.variables[argument.index].space != Space::frame)
    fail_at(argument.at, "the arguments beyond the parameters are passed in one .param array");
  unit_.variables[argument.index].space = Space::local;
  unit_.variables[argument.index].call_argument = false;
  AstVariable pointer = formal;
  pointer.function = function_;
  pointer.call_argument = true;
  const auto passed = static_cast<std::uint32_t>(unit_.variables.size());
  unit_.variables.push_back(std::move(pointer));
  owner_ = owner;
  add_parameter_access(true, passed, add_result("mov.u64", Type::u64, argument, {}), owner);
  return passed;
}

}  // namespace heddle::ptx
