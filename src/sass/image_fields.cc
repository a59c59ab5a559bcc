#include "sass/image_fields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "sass/operand_use.h"

namespace heddle::sass {
namespace {

using ptx::Geometry;

// The operands of texture instructions.
constexpr std::size_t kPredicate = 0, kCoordinates = 3, kExtras = 4, kQueried = 2;
constexpr std::uint64_t kAllComponents = 15;

std::optional<Geometry> geometry_of(const Instruction& i) {
  constexpr std::array kTextures{Geometry::d1,  Geometry::d2,  Geometry::d3, Geometry::cube,
                                 Geometry::a1d, Geometry::a2d, Geometry::d1, Geometry::acube};
  for (const Operand& o : i.operands)
    if (o.kind == OperandKind::shape) return kTextures[o.index];
  switch (modifier_of<SurfaceShape>(i).value_or(SurfaceShape::n1D_BUFFER)) {
    case SurfaceShape::n1D: return Geometry::d1;
    case SurfaceShape::n1D_ARRAY: return Geometry::a1d;
    case SurfaceShape::n2D: return Geometry::d2;
    case SurfaceShape::n2D_ARRAY: return Geometry::a2d;
    case SurfaceShape::n3D: return Geometry::d3;
    case SurfaceShape::n1D_BUFFER: break;
  }
  return std::nullopt;
}

ptx::Operand word_of(const Operand& first, std::size_t n) {
  ptx::Operand word;
  word.kind = first.index == kZeroRegister ? ptx::Operand::Kind::constant : ptx::Operand::Kind::reg;
  if (first.index != kZeroRegister) word.row = static_cast<std::uint16_t>(first.index + n);
  return word;
}

// How many of the values that are given stand in the first registers: up to sm_89 four, with .SCR
// two; the coordinates only on sm_90, for gradients, and with .B.
std::size_t count_in_first(const Instruction& i, int architecture, std::size_t coordinates) {
  if (is_bindless(i)) return static_cast<std::size_t>(coordinates_in_first(i));
  if (architecture >= 90 || i.opcode == Opcode::TXD) return coordinates;
  return has_flag(i, "SCR") ? 2 : 4;
}

// The coordinates, the layer first, then the level. With .B the handle stands before the level;
// TXD.B has it before the coordinates, and the layer behind them.
ptx::Operand given(const Instruction& i, int architecture, Geometry geometry, std::size_t n) {
  const std::size_t coordinates = ptx::coordinates_of(geometry), axes = ptx::axes_of(geometry);
  if (i.opcode == Opcode::TXD && is_bindless(i))
    return word_of(i.operands[kCoordinates], 1 + (n + axes) % coordinates);
  const std::size_t first = count_in_first(i, architecture, coordinates);
  if (n < first) return word_of(i.operands[kCoordinates], n);
  return word_of(i.operands[kExtras], n - first + (is_bindless(i) && n >= coordinates));
}

// TEX without a level, in lanes of whole quads: the level follows from the coordinates of the quad.
bool has_gradients_of_quad(const Instruction& i) {
  return i.opcode == Opcode::TEX && has_flag(i, "NDV") &&
         modifier_of<TextureLevel>(i) == TextureLevel::NONE_;
}

bool is_plain(const Instruction& i) {
  const auto level = modifier_of<TextureLevel>(i).value_or(TextureLevel::LZ);
  for (const char* flag : {"AOFFI", "DC", "MS", "LC"})
    if (has_flag(i, flag)) return false;
  if (has_flag(i, "NDV") && !has_gradients_of_quad(i)) return false;
  return i.operands[kPredicate].index == kTruePredicate &&
         modifier_of<Texel>(i).value_or(Texel::F32_) == Texel::F32_ &&
         modifier_of<TextureOffset>(i).value_or(TextureOffset::NONE_) == TextureOffset::NONE_ &&
         (level == TextureLevel::LZ || level == TextureLevel::LL || has_gradients_of_quad(i));
}

void set_fetch(KernelInstruction& i, int architecture) {
  const auto geometry = geometry_of(i.code);
  if (!geometry || !is_plain(i.code)) return;
  const std::size_t coordinates = ptx::coordinates_of(*geometry), axes = ptx::axes_of(*geometry);
  ptx::TextureFetch fetch{.geometry = *geometry};
  const bool gradients = i.code.opcode == Opcode::TXD;
  std::size_t count = coordinates;
  for (std::size_t n = 0; n < coordinates; ++n)
    i.src[1 + n] = given(i.code, architecture, *geometry, n);
  if (has_level(i.code)) {
    fetch.mipmap = ptx::Mipmap::level;
    i.src[1 + count] = given(i.code, architecture, *geometry, count);
  }
  if (has_gradients_of_quad(i.code)) fetch.mipmap = ptx::Mipmap::gradient;
  if (gradients) {  // of each axis along x and y
    fetch.mipmap = ptx::Mipmap::gradient;
    for (std::size_t a = 0; a < axes; ++a)
      for (std::size_t along = 0; along < 2; ++along)
        i.src[1 + count + along * axes + a] = word_of(i.code.operands[kExtras], 2 * a + along);
  }
  i.opcode = i.code.opcode == Opcode::TLD4 ? ptx::Opcode::tld4 : ptx::Opcode::tex;
  if (const auto channel = modifier_of<TextureChannel>(i.code))
    fetch.channel = static_cast<std::uint8_t>(*channel);
  i.type = ptx::Type::u32;
  i.source_type = i.code.opcode == Opcode::TLD ? ptx::Type::s32 : ptx::Type::f32;
  i.payload = fetch;
}

void set_query(KernelInstruction& i) {
  const std::uint64_t wanted = components_of(i.code);
  if (!std::has_single_bit(wanted) || wanted > 4) return;
  i.opcode = ptx::Opcode::txq;
  i.src[1] = word_of(i.code.operands[kQueried], is_bindless(i.code));  // the level
  i.payload = wanted == 1   ? ptx::TextureQuery::width
              : wanted == 2 ? ptx::TextureQuery::height
                            : ptx::TextureQuery::depth;
}

void set_surface(KernelInstruction& i) {
  const auto geometry = geometry_of(i.code);
  const bool formatted = !has_flag(i.code, "BA");
  const auto type = modifier_of<SurfaceType>(i.code);
  if (!geometry || (i.code.opcode != Opcode::SULD && access_of(i.code).bytes == 8)) return;
  if (i.code.opcode == Opcode::SURED &&
      (formatted || type == SurfaceType::F16x2_RN || type == SurfaceType::F32_FTZ_RN))
    return;
  ptx::SurfaceAccess access{.geometry = *geometry, .formatted = formatted};
  switch (*modifier_of<SurfaceOutside>(i.code)) {
    case SurfaceOutside::IGN: access.outside = ptx::Outside::zero; break;
    case SurfaceOutside::NEAR_: access.outside = ptx::Outside::clamp; break;
    case SurfaceOutside::TRAP: access.outside = ptx::Outside::trap; break;
  }
  const bool loads = i.code.opcode == Opcode::SULD;
  if (loads && (formatted || i.code.operands[kPredicate].index != kTruePredicate)) return;
  Operand place = i.code.operands[loads ? 2 : 0];  // [R4]
  const std::size_t coordinates = ptx::coordinates_of(*geometry);
  for (std::size_t n = 0; n < coordinates; ++n) i.src[1 + n] = word_of(place, n);
  if (!loads)
    for (std::size_t n = 0; n < static_cast<std::size_t>(access_of(i.code).count); ++n)
      i.src[1 + coordinates + n] = word_of(i.code.operands[1], n);
  i.opcode = loads                           ? ptx::Opcode::suld
             : i.code.opcode == Opcode::SUST ? ptx::Opcode::sust
                                             : ptx::Opcode::sured;
  i.type = type == SurfaceType::S32 ? ptx::Type::s32 : ptx::Type::u32;
  i.payload = access;
}

}  // namespace

bool is_of_image(Opcode o) {
  return o == Opcode::TEX || o == Opcode::TLD || o == Opcode::TLD4 || o == Opcode::TXD ||
         o == Opcode::TXQ || o == Opcode::SULD || o == Opcode::SUST || o == Opcode::SURED;
}

bool has_level(const Instruction& i) {
  return modifier_of<TextureLevel>(i) == TextureLevel::LL || modifier_of<Level>(i) == Level::LL;
}

std::uint64_t components_of(const Instruction& i) {
  std::uint64_t mask = kAllComponents;
  int immediates = 0;
  for (std::size_t k = 0; k < i.form->operands.size(); ++k)
    if (i.operands[k].kind == OperandKind::immediate) {
      ++immediates;
      mask = static_cast<std::uint64_t>(i.operands[k].value);
    }
  // Those before the mask name the image.
  const std::size_t last = i.form->operands.size() - 1;
  return immediates > 0 && i.operands[last].kind == OperandKind::immediate ? mask : kAllComponents;
}

std::optional<std::size_t> bindless_handle(const Instruction& i) {
  if (!is_bindless(i)) return std::nullopt;
  if (i.opcode == Opcode::TXQ) return i.operands[kQueried].index;
  if (i.opcode == Opcode::TXD) return i.operands[kCoordinates].index;
  const auto geometry = geometry_of(i);
  if (!geometry) return std::nullopt;
  const std::size_t first = i.operands[kExtras].index;
  if (first == kZeroRegister) return first;
  return first + ptx::coordinates_of(*geometry) - static_cast<std::size_t>(coordinates_in_first(i));
}

void set_image_fields(KernelInstruction& i, int architecture) {
  switch (i.code.opcode) {
    case Opcode::TEX:
    case Opcode::TLD:
    case Opcode::TLD4:
    case Opcode::TXD: return set_fetch(i, architecture);
    case Opcode::TXQ: return set_query(i);
    default: return set_surface(i);
  }
}

}  // namespace heddle::sass
