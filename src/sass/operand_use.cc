#include "sass/operand_use.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "sass/image_fields.h"

namespace heddle::sass {
namespace {

bool is_one_of(Opcode opcode, std::initializer_list<Opcode> list) {
  return std::find(list.begin(), list.end(), opcode) != list.end();
}

constexpr int kFieldOfA = 24, kFieldOfMetadata = 40;  // of a product of a warpgroup

bool is_atomic(Opcode o) {
  return is_one_of(o, {Opcode::ATOM, Opcode::ATOMG, Opcode::ATOMS, Opcode::RED, Opcode::REDG});
}

// Bits of the type of an atomic.
int atomic_bytes(const Instruction& i) {
  if (const auto type = modifier_of<AtomicType>(i))
    return *type == AtomicType::n64 || *type == AtomicType::S64 || *type == AtomicType::F64_RN ? 8
                                                                                               : 4;
  if (const auto type = modifier_of<AtomicInteger>(i))
    return *type == AtomicInteger::n128                                 ? 16
           : *type == AtomicInteger::n64 || *type == AtomicInteger::S64 ? 8
                                                                        : 4;
  if (const auto type = modifier_of<AtomicFloat>(i)) {
    switch (*type) {
      case AtomicFloat::F16x2_RN:
      case AtomicFloat::BF16x2_RN:
      case AtomicFloat::F32_FTZ_RN:
      case AtomicFloat::F32_RN: return 4;
      case AtomicFloat::F16x8_RN:
      case AtomicFloat::BF16x8_RN:
      case AtomicFloat::F32x4_FTZ_RN:
      case AtomicFloat::F32x4_RN: return 16;
      default: return 8;
    }
  }
  if (const auto type = modifier_of<SharedType>(i)) return *type == SharedType::n64 ? 8 : 4;
  if (const auto type = modifier_of<CasType>(i)) return *type == CasType::n64 ? 8 : 4;
  if (const auto type = modifier_of<CasWidth>(i)) return *type == CasWidth::n64 ? 8 : 4;
  return 4;
}

std::uint32_t element_bits(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::DMMA: return 64;
    case Opcode::IMMA: return modifier_of<MatrixInt4>(i) ? 4 : 8;
    case Opcode::BMMA: return 1;
    case Opcode::QMMA: return 8;
    default: return has_flag(i, "TF32") ? 32 : 16;
  }
}

// "16816": a modifier, or a part of the mnemonic.
std::string_view shape_text(const Instruction& i) {
  const auto is_shape = [](std::string_view text) {
    return !text.empty() && text[0] >= '0' && text[0] <= '9';
  };
  for (std::size_t m = 0; m < i.form->modifiers.size(); ++m) {
    if (i.form->modifiers[m].kind == ModifierKind::flag) continue;
    const auto text = modifier_name(i.form->modifiers[m].kind, i.modifiers[m]).text;
    if (is_shape(text)) return text;
  }
  std::string_view name = i.form->name;
  while (!is_shape(name) && name.find('.') != std::string_view::npos)
    name.remove_prefix(name.find('.') + 1);
  return name;
}

// Of the result, A, B, C, and the metadata of a sparse A.
int registers_of_product(const Instruction& i, const WarpProduct& p, std::size_t operand) {
  constexpr std::uint32_t kBits = 32 * 32;  // of a register
  const std::uint32_t sum_bits = i.opcode == Opcode::DMMA                                  ? 64
                                 : modifier_of<HalfAccumulator>(i) == HalfAccumulator::F16 ? 16
                                                                                           : 32;
  const std::uint32_t sums = p.rows * p.columns * sum_bits / kBits;
  return static_cast<int>(std::array{sums, p.rows * p.depth_of_a() * p.element_bits / kBits,
                                     p.columns * p.depth * p.element_bits / kBits, sums,
                                     1u}[operand]);
}

// The sums of one warp, 16 rows of them; four registers of A.
int group_product_registers(const Instruction& i, std::size_t operand) {
  const OperandForm& form = i.form->operands[operand];
  if (form.field.ranges[0].first == kFieldOfA) return 4;
  if (form.field.ranges[0].first == kFieldOfMetadata) return 1;
  const int sums = static_cast<int>(product_shape_of(i)->columns / 2);
  return modifier_of<HalfAccumulator>(i) == HalfAccumulator::F16 ? sums / 2 : sums;
}

std::size_t shape_of(const Instruction& i) {
  for (const Operand& o : i.operands)
    if (o.kind == OperandKind::shape) return o.index;
  return 0;
}
int coordinates_of(std::size_t shape) { return std::array{1, 2, 3, 3, 2, 3, 1, 4}[shape]; }

// Of TEX and its kind: the second result, the result, coordinates, and what else is given. With .B
// a handle and a level stand behind the coordinates, or, for gradients, the handle before them.
// Otherwise a level stands behind the coordinates where no more registers are named.
int texture_registers(const Instruction& i, std::size_t operand) {
  const int wanted = std::popcount(components_of(i)), coordinates = coordinates_of(shape_of(i));
  const bool bindless = is_bindless(i);
  if (operand == 1) return std::max(1, wanted - 2);
  if (operand == 2) return std::clamp(wanted, 1, 2);
  if (i.opcode == Opcode::TXD)
    return operand == 3 ? coordinates + bindless : 2 * (coordinates - (shape_of(i) > 3 ? 1 : 0));
  const int given = coordinates + has_level(i);
  const bool has_more = i.operands[4].index != kZeroRegister;
  const int in_first = bindless || has_more || has_flag(i, "SCR") ? coordinates_in_first(i) : given;
  return operand == 3 ? in_first : std::max(1, given - in_first + bindless);
}

}  // namespace

bool is_bindless(const Instruction& i) { return is_of_image(i.opcode) && has_flag(i, "B"); }
int coordinates_in_first(const Instruction& i) {
  const int coordinates = coordinates_of(shape_of(i));
  return has_flag(i, "SCR") ? std::min(2, coordinates) : coordinates;
}

AccessShape access_of(const Instruction& i) {
  if (is_vector_atomic(i)) return {4, atomic_bytes(i) / 4, false};
  if (is_atomic(i.opcode)) return {atomic_bytes(i), 1, false};
  if (i.opcode == Opcode::LDSM || i.opcode == Opcode::STSM) {
    const auto count = modifier_of<MatrixCount>(i).value_or(MatrixCount::n1_);
    return {4, 1 << static_cast<int>(count), false};
  }
  if (is_one_of(i.opcode, {Opcode::SYNCS, Opcode::ARRIVES})) return {8, 1, false};
  if (is_bulk_copy(i)) return {16, 1, false};
  if (const auto type = modifier_of<RemoteType>(i))
    return {*type == RemoteType::n64 ? 8 : 4, 1, false};
  if (const auto width = modifier_of<RemoteWidth>(i))
    return {4, 1 << (static_cast<int>(*width) - static_cast<int>(RemoteWidth::n32_)), false};
  // Four components. Fetches are not timed as accesses of memory: they end in order on a GPU, which
  // DEPBAR's thresholds need.
  if (is_one_of(i.opcode, {Opcode::TEX, Opcode::TLD, Opcode::TLD4, Opcode::TXD}))
    return {0, 4, false};
  if (const auto channels = modifier_of<SurfaceChannels>(i))
    return {4, static_cast<int>(*channels) == 15 ? 4 : static_cast<int>(*channels) / 2 + 1, false};
  if (const auto type = modifier_of<SurfaceType>(i))
    return {*type == SurfaceType::U64 || *type == SurfaceType::S64 ? 8 : 4, 1, false};
  int width = -1;
  if (const auto w = modifier_of<Width>(i)) width = static_cast<int>(*w);
  if (const auto w = modifier_of<LoadWidth>(i))
    width = static_cast<int>(*w == LoadWidth::U_128 ? LoadWidth::n128 : *w);
  if (const auto w = modifier_of<ConstantWidth>(i)) width = static_cast<int>(*w);
  if (const auto w = modifier_of<CopyWidth>(i))
    return {*w == CopyWidth::n128 ? 16 : *w == CopyWidth::n64 ? 8 : 4, 1, false};
  switch (width) {
    case 0: return {1, 1, false};
    case 1: return {1, 1, true};
    case 2: return {2, 1, false};
    case 3: return {2, 1, true};
    case 4: return {4, 1, false};
    case 5: return {4, 2, false};
    case 6: return {4, 4, false};
    default: return {};
  }
}

int register_count(const Instruction& i, std::size_t operand) {
  const OperandForm& form = i.form->operands[operand];
  if (form.kind != OperandKind::reg && form.kind != OperandKind::uniform) return form.registers;
  if (const auto product = warp_product_of(i)) return registers_of_product(i, *product, operand);
  if (product_shape_of(i) && form.kind == OperandKind::reg)
    return group_product_registers(i, operand);
  if (form.hidden) return 2;  // the descriptor of global memory
  if (is_atomic(i.opcode)) return atomic_bytes(i) / 4;
  if (is_one_of(i.opcode, {Opcode::TEX, Opcode::TLD, Opcode::TLD4, Opcode::TXD}))
    return texture_registers(i, operand);
  if (i.opcode == Opcode::TXQ && is_bindless(i) && !form.written) return 2;
  if (i.opcode == Opcode::SULD || i.opcode == Opcode::SUST || i.opcode == Opcode::SURED)
    return form.written || operand == 1 ? std::max(1, access_of(i).bytes / 4 * access_of(i).count)
                                        : 1;
  if (is_remote_store(i)) return access_of(i).bytes / 4 * access_of(i).count;
  if (i.opcode == Opcode::CS2R) return modifier_of<RegisterWidth>(i) == RegisterWidth::n32 ? 1 : 2;
  if (i.opcode == Opcode::MATCH && !form.written)
    return modifier_of<MatchWidth>(i) == MatchWidth::U64 ? 2 : 1;
  if (is_one_of(i.opcode,
                {Opcode::LDG, Opcode::LD, Opcode::LDS, Opcode::LDL, Opcode::LDC, Opcode::ULDC,
                 Opcode::STG, Opcode::ST, Opcode::STS, Opcode::STL, Opcode::LDSM, Opcode::STSM}))
    return access_of(i).count;
  return form.registers;
}

AddressWidth address_width(const Instruction& i, const OperandForm& form) {
  if (form.text.find(".U32") != std::string::npos) return {false, true};
  const bool wide = form.text.find(".64") != std::string::npos || has_flag(i, "E") ||
                    (i.form->name.find(".E") != std::string::npos &&
                     !is_one_of(i.opcode, {Opcode::LDGSTS, Opcode::SYNCS}));
  return {wide, wide};
}

int address_shift(const Instruction& i, std::size_t operand) {
  const auto& modifiers = i.form->modifiers;
  for (std::size_t m = 0; m < modifiers.size(); ++m) {
    if (modifiers[m].kind != ModifierKind::Stride ||
        modifiers[m].operand != static_cast<int>(operand))
      continue;
    return i.modifiers[m] == 0 ? 0 : i.modifiers[m] + 1;  // X1, X4, X8, X16
  }
  return 0;
}

// The places of a range of bytes are the first two modifiers, the destination first.
bool is_bulk_load(const Instruction& i) {
  if (i.opcode == Opcode::UTMALDG) return true;
  return is_one_of(i.opcode, {Opcode::UBLKCP, Opcode::UBLKRED}) &&
         i.modifiers[0] == static_cast<int>(BulkPlace::S);
}
bool is_bulk_store(const Instruction& i) {
  if (is_one_of(i.opcode, {Opcode::UTMASTG, Opcode::UTMAREDG})) return true;
  return is_one_of(i.opcode, {Opcode::UBLKCP, Opcode::UBLKRED}) &&
         i.modifiers[0] == static_cast<int>(BulkPlace::G);
}
bool is_remote_store(const Instruction& i) {
  return i.opcode == Opcode::STAS || i.opcode == Opcode::REDAS;
}
bool is_bulk_copy(const Instruction& i) { return is_bulk_load(i) || is_bulk_store(i); }
bool is_bulk_from_shared(const Instruction& i) {
  return is_bulk_load(i) && tensor_dimensions(i) == 0 &&
         i.modifiers[1] == static_cast<int>(BulkPlace::S);
}

int tensor_dimensions(const Instruction& i) {
  const auto dimensions = modifier_of<TensorDimensions>(i);
  return dimensions ? static_cast<int>(*dimensions) + 1 : 0;
}

std::optional<ProductShape> product_shape_of(const Instruction& i) {
  if (!is_one_of(i.opcode, {Opcode::HGMMA, Opcode::IGMMA, Opcode::BGMMA, Opcode::QGMMA}))
    return std::nullopt;
  // 64x128x16, the first modifier
  const std::string_view text = modifier_name(i.form->modifiers[0].kind, i.modifiers[0]).text;
  ProductShape shape;
  const char* const end = text.data() + text.size();
  const auto columns = std::from_chars(text.data() + 3, end, shape.columns);
  std::from_chars(columns.ptr + 1, end, shape.depth);
  return shape;
}
bool ends_group(const Instruction& i) {
  return product_shape_of(i) && i.form->operands.back().text == "gsb0";
}

std::optional<WarpProduct> warp_product_of(const Instruction& i) {
  if (!is_one_of(i.opcode, {Opcode::HMMA, Opcode::IMMA, Opcode::BMMA, Opcode::DMMA, Opcode::QMMA}))
    return std::nullopt;
  // 16816, 884 or 16x8x8: the rows, 8 columns, the depth
  std::string digits;
  for (const char c : shape_text(i))
    if (c != 'x') digits += c;
  const std::size_t rows = digits.starts_with("16") ? 2 : 1;
  WarpProduct product{.rows = rows == 2 ? 16u : 8u,
                      .columns = 8,
                      .element_bits = element_bits(i),
                      .sparse = i.form->name.ends_with(".SP")};
  std::from_chars(digits.data() + rows + 1, digits.data() + digits.size(), product.depth);
  return product;
}

bool is_vector_atomic(const Instruction& i) {
  const auto type = modifier_of<AtomicFloat>(i);
  return type && *type != AtomicFloat::F64_RN && atomic_bytes(i) > 4;
}

}  // namespace heddle::sass
