// Conversions to pairs, to formats of tensor cores only, and those with relu or satfinite:
// cvt.rn.f16x2.f32, cvt.rna.tf32.f32, cvt.rn.satfinite.e4m3x2.f32 and the like; cvt.pack.

#include "exec/isa/decode.h"
#include "exec/isa/small_float.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::Type;

const SmallFormat& format_of(Type t) {
  switch (t) {
    case Type::bf16:
    case Type::bf16x2: return kBrain;
    case Type::tf32: return kTensor32;
    case Type::e4m3x2: return kE4m3;
    case Type::e5m2x2: return kE5m2;
    default: return kHalf;
  }
}

U32 convert(const ptx::Instruction& i, float x) {
  double value = static_cast<double>(x);
  if (i.relu && value <= 0) value = 0;
  return encode(format_of(i.type), value, i.rounding, i.satfinite);
}

// A NaN as tf32, as an H200 gives it: .rna adds half of the last place and cuts the rest off;
// .satfinite cuts the rest off and subtracts one in the last place, which makes an infinity finite;
// the other roundings give one NaN.
U32 tensor_nan(const ptx::Instruction& i, float a) {
  if (i.rounding != ptx::Rounding::rna) return i.relu ? kCanonicalNan : kTensor32.nan << 13;
  const auto bits = std::bit_cast<U32>(a);
  return i.satfinite ? (bits & ~U32{0x1fff}) - 0x2000 : (bits + 0x1000) & ~U32{0x1fff};
}
void from_one(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  lane_op<U32, float>(w, r, mask, [&i](float a) {
    if (i.type != Type::tf32) return convert(i, a);
    return a != a ? tensor_nan(i, a) : convert(i, a) << 13;
  });
}
// The first operand becomes the upper half.
void from_two(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  const U32 bits = i.type == Type::e4m3x2 || i.type == Type::e5m2x2 ? 8 : 16;
  lane_op<U32, float, float>(
      w, r, mask, [&i, bits](float a, float b) { return convert(i, a) << bits | convert(i, b); });
}
void pair_to_eighths(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  lane_op<U32, U32>(w, r, mask, [&i](U32 a) {
    return convert(i, decode_half(a >> 16)) << 8 | convert(i, decode_half(a));
  });
}
void eighths_to_pair(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  lane_op<U32, U32>(w, r, mask, [&i](U32 a) {
    const auto value = [&i](U32 v) {
      return i.source_type == Type::e4m3x2 ? decode_e4m3(v) : decode_e5m2(v);
    };
    return convert(i, value(a >> 8)) << 16 | convert(i, value(a));
  });
}

// cvt.pack: two saturated integers, then the low bits of a third operand.
void pack(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Type to = ptx_of(r).type;
  const U32 bits = to == Type::u16 || to == Type::s16 ? 16 : ptx::element_bits(to);
  const bool is_signed = ptx::is_signed(to), filled = r.src[2].present;
  lane_op<U32, std::int32_t, std::int32_t, U32>(
      w, r, mask, [=](std::int32_t a, std::int32_t b, U32 c) {
        const S64 low = is_signed ? -(S64{1} << (bits - 1)) : 0,
                  high = (S64{1} << (is_signed ? bits - 1 : bits)) - 1;
        const auto cut = [&](S64 v) {
          return static_cast<U32>(v < low ? low : v > high ? high : v) & ((U32{1} << bits) - 1);
        };
        const U32 both = cut(a) << bits | cut(b);
        return filled ? c << (2 * bits) | both : both;
      });
}

}  // namespace

Handler packed_convert_handler(const ptx::Instruction& i) {
  if (i.opcode == ptx::Opcode::pack) return pack;
  const bool plain_pair = i.type == Type::f16x2 || i.type == Type::bf16x2,
             eighths = i.type == Type::e4m3x2 || i.type == Type::e5m2x2;
  if (i.source_type == Type::e4m3x2 || i.source_type == Type::e5m2x2) return eighths_to_pair;
  if (eighths && i.source_type == Type::f16x2) return pair_to_eighths;
  if (plain_pair || eighths) return from_two;
  if (i.type == Type::tf32 || i.relu || i.satfinite) return from_one;
  return nullptr;
}

}  // namespace heddle::exec
