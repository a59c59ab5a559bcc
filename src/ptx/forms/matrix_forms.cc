// Matrix instructions of a warp: their forms, what their modifiers mean, and the registers of their
// fragments.
#include <charconv>

#include "ptx/forms/forms_table.h"
#include "ptx/forms/modifiers.h"

namespace heddle::ptx {

namespace {

using O = Opcode;

// Knows the types that only matrices have, too.
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

// Elements of A or B in a register.
std::uint32_t per_register(Type type) { return type == Type::f64 ? 1 : 32 / element_bits(type); }
Type register_type(Type type) {
  return type == Type::f64 ? Type::f64 : type == Type::f32 ? Type::f32 : Type::b32;
}

// Registers of a lane. In wmma A and B of halves have 8 in every shape.
std::uint32_t registers_of(MatrixPart part, const Instruction& i, Type type) {
  const MatrixShape s = i.as<Matrix>().shape();
  if (is_volta(i)) return part != MatrixPart::c ? 2 : type == Type::f16 ? 4 : 8;
  if (part == MatrixPart::c) return s.m * s.n / kWarpSize / (type == Type::f16 ? 2 : 1);
  if (i.as<Matrix>().wmma && type == Type::f16) return 8;
  const std::uint32_t depth = part == MatrixPart::a && i.as<Matrix>().sparse ? s.k / 2 : s.k;
  return (part == MatrixPart::a ? s.m : s.n) * depth / kWarpSize / per_register(type);
}

}  // namespace

void apply_matrix_modifiers(Instruction& i, const Modifiers& modifiers) {
  auto& matrix = i.as<Matrix>();
  std::vector<Type> types;
  i.space = Space::generic;
  bool layout_of_b = false;  // the first of .row, .col is the layout of A
  for (const std::string_view modifier : modifiers) {
    if (const Type type = element_named(modifier); type != Type::none)
      types.push_back(type);
    else if (read_shape(modifier, matrix))
      continue;
    else if (const Space space = space_named(modifier); space != Space::none)
      i.space = space;
    else if (modifier == "b")
      matrix.part = MatrixPart::b;
    else if (modifier == "c" || modifier == "d")
      matrix.part = MatrixPart::c;
    else if (modifier == "row" || modifier == "col") {
      const bool columns = modifier == "col";
      if (layout_of_b)
        matrix.columns_b = columns;
      else
        matrix.columns = columns;
      layout_of_b = true;
    } else if (modifier == "xor")
      i.bool_op = BoolOp::xor_;
    else if (modifier == "and")
      i.bool_op = BoolOp::and_;
    else if (modifier == "sp" || modifier == "sp::ordered_metadata")
      matrix.sparse = true;
    else if (modifier == "trans")
      matrix.transposed = true;
    else if (modifier == "satfinite")
      i.satfinite = true;
    else if (modifier == "x2" || modifier == "x4")
      i.vector = static_cast<std::uint8_t>(modifier[1] - '0');
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
    i.access_bytes = 16;  // a lane gives the address of a row of eight halves
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
  if (i.opcode == O::wgmma) return accumulator_or_a_shape(letter, i);
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
    count = registers_of(part, i, type);
    shape.place =
        static_cast<std::uint8_t>(static_cast<std::size_t>(part) * MatrixOperands::kMaxRegisters);
  } else if (i.opcode == O::wmma_load || i.opcode == O::wmma_store) {
    count = registers_of(i.as<Matrix>().part, i, type);
  }
  shape.type = is_matrix(i.opcode) ? register_type(type) : type;
  shape.elements = static_cast<std::uint8_t>(count);
  return shape;
}

// Warp-level matrices (PTX ISA 9.7.13): wmma, then mma, then ldmatrix and its like.
const std::vector<FormRow>& matrix_rows() {
  static const std::vector<FormRow> rows = {
      {"wmma", O::wmma_load, "load a|b sync aligned row|col WMMA ATSPACE? f16|bf16|u8|s8",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load a|b sync aligned row|col m16n16k8 ATSPACE? tf32",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load a sync aligned row m8n8k32 ATSPACE? u4|s4",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load b sync aligned col m8n8k32 ATSPACE? u4|s4",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load a sync aligned row m8n8k128 ATSPACE? b1",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load b sync aligned col m8n8k128 ATSPACE? b1",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load c sync aligned row|col m8n8k32|m8n8k128 ATSPACE? s32",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load c sync aligned row|col WMMA ATSPACE? f16|f32|s32",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load c sync aligned row|col m16n16k8 ATSPACE? f32",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_load, "load a|b|c sync aligned row|col m8n8k4 ATSPACE? f64",
       "{d}, [p]{, stride:u32}"},
      {"wmma", O::wmma_store, "store d sync aligned row|col WMMA ATSPACE? f16|f32|s32",
       "[p], {r}{, stride:u32}"},
      {"wmma", O::wmma_store, "store d sync aligned row|col m16n16k8 ATSPACE? f32",
       "[p], {r}{, stride:u32}"},
      {"wmma", O::wmma_store, "store d sync aligned row|col m8n8k4 ATSPACE? f64",
       "[p], {r}{, stride:u32}"},
      {"wmma", O::wmma_store, "store d sync aligned row|col m8n8k32|m8n8k128 ATSPACE? s32",
       "[p], {r}{, stride:u32}"},
      {"wmma", O::mma, "mma sync aligned row col m8n8k32 s32 INT4 INT4 s32 satfinite?",
       "{d}, {a}, {b}, {c}"},
      {"wmma", O::mma, "mma xor|and popc sync aligned row col m8n8k128 s32 b1 b1 s32",
       "{d}, {a}, {b}, {c}"},
      {"wmma", O::mma, "mma sync aligned row|col row|col WMMA f16|f32 f16|f32",
       "{d}, {a}, {b}, {c}"},
      {"wmma", O::mma, "mma sync aligned row|col row|col WMMA f32 bf16 bf16 f32",
       "{d}, {a}, {b}, {c}"},
      {"wmma", O::mma, "mma sync aligned row|col row|col WMMA s32 INT8 INT8 s32 satfinite?",
       "{d}, {a}, {b}, {c}"},
      {"wmma", O::mma, "mma sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32",
       "{d}, {a}, {b}, {c}"},
      {"wmma", O::mma, "mma sync aligned row|col row|col m8n8k4 rn? f64 f64 f64 f64",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m16n8k8|m16n8k16 row col f16|f32 f16 f16 f16|f32",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m8n8k16|m16n8k16|m16n8k32 row col satfinite? s32 INT8 INT8 s32",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m8n8k32|m16n8k32|m16n8k64 row col satfinite? s32 INT4 INT4 s32",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma,
       "sync aligned m8n8k128|m16n8k128|m16n8k256 row col s32 b1 b1 s32 xor|and popc",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m16n8k16|m16n8k32 row col f32 FP8 FP8 f32",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m16n8k16|m16n8k32 row col f16 FP8 FP8 f16",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m8n8k4 row|col row|col f16|f32 f16 f16 f16|f32",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col rn? f64 f64 f64 f64",
       "{d}, {a}, {b}, {c}"},
      {"mma", O::mma, "SPARSE sync aligned m16n8k16|m16n8k32 row col f16|f32 f16 f16 f16|f32",
       "{d}, {a}, {b}, {c}, e:b32, f:imm"},
      {"mma", O::mma, "SPARSE sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32",
       "{d}, {a}, {b}, {c}, e:b32, f:imm"},
      {"mma", O::mma, "SPARSE sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32",
       "{d}, {a}, {b}, {c}, e:b32, f:imm"},
      {"mma", O::mma, "SPARSE sync aligned m16n8k32|m16n8k64 row col satfinite? s32 INT8 INT8 s32",
       "{d}, {a}, {b}, {c}, e:b32, f:imm"},
      {"mma", O::mma, "SPARSE sync aligned m16n8k64|m16n8k128 row col satfinite? s32 INT4 INT4 s32",
       "{d}, {a}, {b}, {c}, e:b32, f:imm"},
      {"mma", O::mma, "SPARSE sync aligned m16n8k64 row col f32 FP8 FP8 f32",
       "{d}, {a}, {b}, {c}, e:b32, f:imm"},
      {"ldmatrix", O::ldmatrix, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16",
       "{d}, [p]"},
      {"stmatrix", O::stmatrix, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16",
       "[p], {r}"},
      {"movmatrix", O::movmatrix, "sync aligned m8n8 trans b16", "d:b32, a:b32"},
  };
  return rows;
}

}  // namespace heddle::ptx
