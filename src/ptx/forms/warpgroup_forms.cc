// Asynchronous products of matrices by a warpgroup (PTX ISA 9.7.15): their forms, what their
// modifiers mean, and the registers of their fragments.
#include <charconv>

#include "ptx/forms/forms_table.h"
#include "ptx/forms/modifiers.h"

namespace heddle::ptx {

namespace {

constexpr std::uint32_t kMaxColumns = 256;

// "m64n8k16|m64n16k16|...": columns in steps of 8; of integers and bits, from 32 on in steps of 16.
std::string product_shapes(std::uint32_t k, bool integers) {
  std::string out;
  for (std::uint32_t n = 8; n <= kMaxColumns; n += 8) {
    if (integers && n > 32 && n % 16) continue;
    out += (out.empty() ? "m64n" : "|m64n") + std::to_string(n) + "k" + std::to_string(k);
  }
  return out;
}

Type product_type_named(std::string_view word) {
  for (const Type type : {Type::f16, Type::bf16, Type::tf32, Type::f32, Type::e4m3, Type::e5m2,
                          Type::s8, Type::u8, Type::b1, Type::s32})
    if (name_of(type) == word) return type;
  return Type::none;
}

void read_columns_and_depth(std::string_view shape, Wgmma& wgmma) {
  const char* const end = shape.data() + shape.size();
  const auto [n_end, error] = std::from_chars(shape.data() + 4, end, wgmma.n);
  std::from_chars(n_end + 1, end, wgmma.k);
}

}  // namespace

void apply_warpgroup_modifiers(Instruction& i, const Modifiers& modifiers) {
  auto& wgmma = i.as<Wgmma>();
  std::vector<Type> types;
  for (const std::string_view modifier : modifiers) {
    if (modifier.starts_with("m64n"))
      read_columns_and_depth(modifier, wgmma);
    else if (const Type type = product_type_named(modifier); type != Type::none)
      types.push_back(type);
    else if (modifier == "sp")
      wgmma.sparse = true;
    else if (modifier == "satfinite")
      i.satfinite = true;
  }
  i.type = types[0], i.source_type = types[1], wgmma.type_b = types[2];
}

OperandShape accumulator_or_a_shape(char letter, const Instruction& i) {
  OperandShape shape;
  const bool is_d = letter == 'd';
  shape.role = is_d ? OperandShape::Role::destination : OperandShape::Role::source;
  shape.type = is_d && i.type == Type::f32 ? Type::f32 : Type::b32;
  constexpr std::uint32_t kRegistersOfA = 4;
  const std::uint32_t sums = i.as<Wgmma>().n / 2u;
  shape.elements = static_cast<std::uint8_t>(!is_d                 ? kRegistersOfA
                                             : i.type == Type::f16 ? sums / 2
                                                                   : sums);
  return shape;
}

const std::vector<FormSet>& warpgroup_sets() {
  static const std::string of_halves = product_shapes(16, false),
                           of_tf32 = product_shapes(8, false), of_fp8 = product_shapes(32, false),
                           of_integers = product_shapes(32, true),
                           of_bits = product_shapes(256, true),
                           of_sparse_fp8 = product_shapes(64, false),
                           of_sparse_integers = product_shapes(64, true);
  static const std::vector<FormSet> sets = {
      {"M64NNK16", of_halves},          {"M64NNK8", of_tf32},   {"M64NNK32", of_fp8},
      {"M64NNK32I", of_integers},       {"M64NNK256", of_bits}, {"M64NNK64", of_sparse_fp8},
      {"M64NNK64I", of_sparse_integers}};
  return sets;
}

const std::vector<FormRow>& warpgroup_rows() {
  using O = Opcode;
  static constexpr std::string_view kPlain = "{d}, {a}/desc, b-desc:b64, scale-d:pred";
  static constexpr std::string_view kScaled =
      "{d}, {a}/desc, b-desc:b64, scale-d:pred, imm-scale-a:imm, imm-scale-b:imm";
  static constexpr std::string_view kTransposable =
      "{d}, {a}/desc, b-desc:b64, scale-d:pred, imm-scale-a:imm, imm-scale-b:imm, "
      "imm-trans:imm{, imm-trans-b:imm}";
  static constexpr std::string_view kSparsePlain =
      "{d}, {a}/desc, b-desc:b64, sp-meta:b32, sp-sel:imm, scale-d:pred";
  static constexpr std::string_view kSparseScaled =
      "{d}, {a}/desc, b-desc:b64, sp-meta:b32, sp-sel:imm, scale-d:pred, imm-scale-a:imm, "
      "imm-scale-b:imm";
  static constexpr std::string_view kSparseTransposable =
      "{d}, {a}/desc, b-desc:b64, sp-meta:b32, sp-sel:imm, scale-d:pred, imm-scale-a:imm, "
      "imm-scale-b:imm, imm-trans:imm{, imm-trans-b:imm}";
  static const std::vector<FormRow> rows = {
      {"wgmma", O::nop, "fence sync aligned", ""},
      {"wgmma", O::wgmma_commit, "commit_group sync aligned", ""},
      {"wgmma", O::wgmma_wait, "wait_group sync aligned", "N:imm"},
      {"wgmma", O::wgmma, "mma_async sync aligned M64NNK16 f16|f32 f16 f16", kTransposable},
      {"wgmma", O::wgmma, "mma_async sync aligned M64NNK16 f32 bf16 bf16", kTransposable},
      {"wgmma", O::wgmma, "mma_async sync aligned M64NNK8 f32 tf32 tf32", kScaled},
      {"wgmma", O::wgmma, "mma_async sync aligned M64NNK32 f16|f32 FP8 FP8", kScaled},
      {"wgmma", O::wgmma, "mma_async sync aligned M64NNK32I satfinite? s32 INT8 INT8", kPlain},
      {"wgmma", O::wgmma, "mma_async sync aligned M64NNK256 s32 b1 b1 and popc", kPlain},
      {"wgmma", O::wgmma, "mma_async sp sync aligned M64NNK32 f16|f32 f16 f16",
       kSparseTransposable},
      {"wgmma", O::wgmma, "mma_async sp sync aligned M64NNK32 f32 bf16 bf16", kSparseTransposable},
      {"wgmma", O::wgmma, "mma_async sp sync aligned M64NNK16 f32 tf32 tf32", kSparseScaled},
      {"wgmma", O::wgmma, "mma_async sp sync aligned M64NNK64 f16|f32 FP8 FP8", kSparseScaled},
      {"wgmma", O::wgmma, "mma_async sp sync aligned M64NNK64I satfinite? s32 INT8 INT8",
       kSparsePlain},
      {"setmaxnreg", O::nop, "inc|dec sync aligned u32", "imm-reg-count:imm"},
  };
  return rows;
}

}  // namespace heddle::ptx
