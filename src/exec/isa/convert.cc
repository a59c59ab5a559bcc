// cvt: between all integer and floating-point types, with rounding, saturation and flushing.
#pragma GCC optimize("O3")
#include "exec/isa/conversion.h"
#include "exec/isa/decode.h"

namespace heddle::exec {
namespace {

using ptx::Type;

// Registers may be wider than the types: sources are truncated, results extended.
template <class D, class S>
void cvt(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  const ConversionMode mode{i.rounding, i.sat, i.ftz};
  const std::uint8_t* lanes = row(w, r.src[0]);
  const std::size_t source_bytes = r.src[0].bytes;
  alignas(64) U64 result[kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l) {
    Cell<S> cell;
    std::memcpy(&cell, lanes + l * source_bytes, sizeof(S) < sizeof cell ? 4 : sizeof cell);
    result[l] = to_cell(convert<D>(from_cell<S>(cell), mode));
  }
  if (r.dst_bytes[0] == 8) return store_lanes<8>(w.bases[0] + r.dst[0], result, mask);
  alignas(64) U32 narrow[kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l) narrow[l] = static_cast<U32>(result[l]);
  store_lanes<4>(w.bases[0] + r.dst[0], narrow, mask);
}

// The most frequent conversions, with vector instructions.
void widen_signed(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<std::int64_t, std::int32_t>(w, r, m, [](std::int32_t x) { return std::int64_t{x}; });
}
void widen_unsigned(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U64, U32>(w, r, m, [](U32 x) { return U64{x}; });
}
void narrow(Warp& w, const DecodedInstruction& r, U32 m) {
  lane_op<U32, U64>(w, r, m, [](U64 x) { return static_cast<U32>(x); });
}
void signed_to_single(Warp& w, const DecodedInstruction& r, U32 m) {
  vector_op<std::int32_t, 1>(w, r, m, [](auto x) { return _mm256_cvtepi32_ps((__m256i)x); });
}
Handler common(const ptx::Instruction& i) {
  if (i.sat || i.src[0].kind == ptx::Operand::Kind::pred) return nullptr;
  const bool from32 = i.src[0].bytes == 4, to64 = i.dst[0].bytes == 8;
  const bool d64 = i.type == Type::u64 || i.type == Type::s64,
             d32 = i.type == Type::u32 || i.type == Type::s32;
  if (d64 && to64 && from32 && i.source_type == Type::s32) return widen_signed;
  if (d64 && to64 && from32 && i.source_type == Type::u32) return widen_unsigned;
  if (d32 && !to64 && !from32 && (i.source_type == Type::u64 || i.source_type == Type::s64))
    return narrow;
  if (i.type == Type::f32 && i.source_type == Type::s32 && from32 && !to64 &&
      !is_directed(i.rounding))
    return signed_to_single;
  return nullptr;
}

template <class D>
Handler from(Type s) {
  switch (s) {
    case Type::u8:
    case Type::b8: return cvt<D, std::uint8_t>;
    case Type::s8: return cvt<D, std::int8_t>;
    case Type::u16:
    case Type::b16: return cvt<D, std::uint16_t>;
    case Type::s16: return cvt<D, std::int16_t>;
    case Type::u32:
    case Type::b32: return cvt<D, U32>;
    case Type::s32: return cvt<D, std::int32_t>;
    case Type::u64:
    case Type::b64: return cvt<D, U64>;
    case Type::s64: return cvt<D, std::int64_t>;
    case Type::f16: return cvt<D, Half>;
    case Type::bf16: return cvt<D, Brain>;
    case Type::f32: return cvt<D, float>;
    case Type::f64: return cvt<D, double>;
    default: return nullptr;
  }
}

}  // namespace

Handler convert_handler(const ptx::Instruction& i) {
  if (Handler h = packed_convert_handler(i)) return h;
  if (Handler h = common(i)) return h;
  switch (i.type) {
    case Type::u8:
    case Type::b8: return from<std::uint8_t>(i.source_type);
    case Type::s8: return from<std::int8_t>(i.source_type);
    case Type::u16:
    case Type::b16: return from<std::uint16_t>(i.source_type);
    case Type::s16: return from<std::int16_t>(i.source_type);
    case Type::u32:
    case Type::b32: return from<U32>(i.source_type);
    case Type::s32: return from<std::int32_t>(i.source_type);
    case Type::u64:
    case Type::b64: return from<U64>(i.source_type);
    case Type::s64: return from<std::int64_t>(i.source_type);
    case Type::f16: return from<Half>(i.source_type);
    case Type::bf16: return from<Brain>(i.source_type);
    case Type::f32: return from<float>(i.source_type);
    case Type::f64: return from<double>(i.source_type);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
