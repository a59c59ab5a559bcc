// Instructions on matrices: their table of forms, and what their modifiers mean.
#include <charconv>

#include "ptx/forms/forms.h"

namespace heddle::ptx {

namespace {

using O = Opcode;

// Elements that only matrices have.
Type element_named(std::string_view word) {
  for (Type type : {Type::b1, Type::u4, Type::s4, Type::e4m3, Type::e5m2}) {
    if (name_of(type) == word) return type;
  }
  return type_named(word);
}

// Reads "m16n8k16"; false for other words.
bool read_shape(std::string_view word, Matrix& matrix) {
  std::uint16_t values[3] = {};
  const char* at = word.data();
  const char* end = at + word.size();
  for (int i = 0; i < 3; ++i) {
    if (at == end || *at != "mnk"[i]) return false;
    const auto [rest, error] = std::from_chars(at + 1, end, values[i]);
    if (error != std::errc{}) return false;
    at = rest;
  }
  if (at != end) return false;
  matrix.m = values[0], matrix.n = values[1], matrix.k = values[2];
  return true;
}

Space space_named(std::string_view word) {
  if (word == "global") return Space::global;
  return word.starts_with("shared") ? Space::shared : Space::none;
}

// Numbers of A and B in a 32-bit register; a double has a register of its own.
std::uint32_t per_register(Type type) { return type == Type::f64 ? 1 : 32 / element_bits(type); }
Type register_type(Type type) {
  return type == Type::f64 ? Type::f64 : type == Type::f32 ? Type::f32 : Type::b32;
}

// wmma: A and B of halves have 8 registers in every shape.
std::uint32_t registers_of(MatrixPart part, const Instruction& i, Type type, bool wmma) {
  const MatrixShape s = i.as<Matrix>().shape();
  if (is_volta(i)) return part != MatrixPart::c ? 2 : type == Type::f16 ? 4 : 8;
  if (part == MatrixPart::c) return s.m * s.n / kWarpSize / (type == Type::f16 ? 2 : 1);
  if (wmma && type == Type::f16) return 8;
  return (part == MatrixPart::a ? s.m : s.n) * s.k / kWarpSize / per_register(type);
}

}  // namespace

void apply_matrix_words(Instruction& i, const std::vector<std::string_view>& words) {
  auto& matrix = i.as<Matrix>();
  std::vector<Type> types;
  i.space = Space::generic;
  bool of_b = false;  // which matrix the next layout is of
  for (std::string_view word : words) {
    if (const Type type = element_named(word); type != Type::none)
      types.push_back(type);
    else if (read_shape(word, matrix))
      continue;
    else if (const Space space = space_named(word); space != Space::none)
      i.space = space;
    else if (word == "b")
      matrix.part = MatrixPart::b;
    else if (word == "c" || word == "d")
      matrix.part = MatrixPart::c;
    else if (word == "row" || word == "col") {
      if (word == "col") (of_b ? matrix.columns_b : matrix.columns) = true;
      of_b = true;
    } else if (word == "xor")
      i.bool_op = BoolOp::xor_;
    else if (word == "and")
      i.bool_op = BoolOp::and_;
    else if (word == "trans")
      matrix.transposed = true;
    else if (word == "satfinite")
      i.satfinite = true;
    else if (word == "x2")
      i.vector = 2;
    else if (word == "x4")
      i.vector = 4;
  }
  i.type = types.front();
  if (i.opcode == O::mma) {
    i.source_type = types.size() == 4 ? types[1] : Type::f16;
    if (types.size() == 4 &&
        (types[2] == Type::s8 || types[2] == Type::s4 || types[2] == Type::e5m2))
      matrix.second_b = true;
    if (types.back() == Type::f16) matrix.half_c = true;
    i.space = Space::none;
  } else if (i.opcode == O::ldmatrix || i.opcode == O::stmatrix) {
    i.access_bytes = 16;  // each lane that counts names a row of eight halves
  } else if (i.opcode == O::movmatrix) {
    i.space = Space::none;
    i.type = Type::b32;
  }
  if (i.opcode != O::wmma_load && i.opcode != O::wmma_store) return;
  // The lanes share the matrix evenly.
  const MatrixShape s = i.as<Matrix>().shape();
  const MatrixPart part = matrix.part;
  const std::uint32_t count = part == MatrixPart::a   ? s.m * s.k
                              : part == MatrixPart::b ? s.n * s.k
                                                      : s.m * s.n;
  i.access_bytes = 4;
  i.vector = static_cast<std::uint8_t>(count * element_bits(i.type) / 8 / kWarpSize / 4);
}

OperandShape fragment_shape(char letter, const Instruction& i) {
  OperandShape shape;
  shape.role = letter == 'd' ? OperandShape::Role::destination : OperandShape::Role::source;
  std::uint32_t count = i.vector;
  Type type = i.type;
  if (i.opcode == O::mma) {
    const MatrixPart part = letter == 'a'   ? MatrixPart::a
                            : letter == 'b' ? MatrixPart::b
                                            : MatrixPart::c;
    if (part != MatrixPart::c) type = i.source_type;
    if (letter == 'c')
      type = i.as<Matrix>().half_c ? Type::f16 : i.type == Type::f16 ? Type::f32 : i.type;
    count = registers_of(part, i, type, i.uniform);
    shape.place =
        static_cast<std::uint8_t>(static_cast<std::size_t>(part) * MatrixOperands::kMaxRegisters);
  } else if (i.opcode == O::wmma_load || i.opcode == O::wmma_store) {
    count = registers_of(i.as<Matrix>().part, i, type, true);
  }
  shape.type = is_matrix(i.opcode) ? register_type(type) : type;
  shape.elements = static_cast<std::uint8_t>(count);
  return shape;
}

const std::vector<FormRow>& matrix_rows() {
  static const std::vector<FormRow> rows = {
      {"wmma", O::wmma_load, "load a|b sync aligned row|col WMMA ATSPACE? f16|bf16|u8|s8",
       "Fd m :u32?"},
      {"wmma", O::wmma_load, "load a|b sync aligned row|col m16n16k8 ATSPACE? tf32", "Fd m :u32?"},
      {"wmma", O::wmma_load, "load a sync aligned row m8n8k32 ATSPACE? u4|s4", "Fd m :u32?"},
      {"wmma", O::wmma_load, "load b sync aligned col m8n8k32 ATSPACE? u4|s4", "Fd m :u32?"},
      {"wmma", O::wmma_load, "load a sync aligned row m8n8k128 ATSPACE? b1", "Fd m :u32?"},
      {"wmma", O::wmma_load, "load b sync aligned col m8n8k128 ATSPACE? b1", "Fd m :u32?"},
      {"wmma", O::wmma_load, "load c sync aligned row|col m8n8k32|m8n8k128 ATSPACE? s32",
       "Fd m :u32?"},
      {"wmma", O::wmma_load, "load c sync aligned row|col WMMA ATSPACE? f16|f32|s32", "Fd m :u32?"},
      {"wmma", O::wmma_load, "load c sync aligned row|col m16n16k8 ATSPACE? f32", "Fd m :u32?"},
      {"wmma", O::wmma_load, "load a|b|c sync aligned row|col m8n8k4 ATSPACE? f64", "Fd m :u32?"},
      {"wmma", O::wmma_store, "store d sync aligned row|col WMMA ATSPACE? f16|f32|s32",
       "m Fs :u32?"},
      {"wmma", O::wmma_store, "store d sync aligned row|col m16n16k8 ATSPACE? f32", "m Fs :u32?"},
      {"wmma", O::wmma_store, "store d sync aligned row|col m8n8k4 ATSPACE? f64", "m Fs :u32?"},
      {"wmma", O::wmma_store, "store d sync aligned row|col m8n8k32|m8n8k128 ATSPACE? s32",
       "m Fs :u32?"},
      {"wmma", O::mma, "mma sync aligned row col m8n8k32 s32 INT4 INT4 s32 satfinite?",
       "Fd Fa Fb Fc"},
      {"wmma", O::mma, "mma xor|and popc sync aligned row col m8n8k128 s32 b1 b1 s32",
       "Fd Fa Fb Fc"},
      {"wmma", O::mma, "mma sync aligned row|col row|col WMMA f16|f32 f16|f32", "Fd Fa Fb Fc"},
      {"wmma", O::mma, "mma sync aligned row|col row|col WMMA f32 bf16 bf16 f32", "Fd Fa Fb Fc"},
      {"wmma", O::mma, "mma sync aligned row|col row|col WMMA s32 INT8 INT8 s32 satfinite?",
       "Fd Fa Fb Fc"},
      {"wmma", O::mma, "mma sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32",
       "Fd Fa Fb Fc"},
      {"wmma", O::mma, "mma sync aligned row|col row|col m8n8k4 rn? f64 f64 f64 f64",
       "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m16n8k8|m16n8k16 row col f16|f32 f16 f16 f16|f32",
       "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32", "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32", "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m8n8k16|m16n8k16|m16n8k32 row col satfinite? s32 INT8 INT8 s32",
       "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m8n8k32|m16n8k32|m16n8k64 row col satfinite? s32 INT4 INT4 s32",
       "Fd Fa Fb Fc"},
      {"mma", O::mma,
       "sync aligned m8n8k128|m16n8k128|m16n8k256 row col s32 b1 b1 s32 xor|and popc",
       "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m16n8k16|m16n8k32 row col f32 FP8 FP8 f32", "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m16n8k16|m16n8k32 row col f16 FP8 FP8 f16", "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m8n8k4 row|col row|col f16|f32 f16 f16 f16|f32", "Fd Fa Fb Fc"},
      {"mma", O::mma, "sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col rn? f64 f64 f64 f64",
       "Fd Fa Fb Fc"},
      {"ldmatrix", O::ldmatrix, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16",
       "Fd m"},
      {"stmatrix", O::stmatrix, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16",
       "m Fs"},
      {"movmatrix", O::movmatrix, "sync aligned m8n8 trans b16", "e :b32"},
  };
  return rows;
}

}  // namespace heddle::ptx
