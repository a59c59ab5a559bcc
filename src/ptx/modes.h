// What Instruction::mode and Instruction::immediate mean, per opcode, and where each opcode's
// operands are.
//
//   mov       scalar: dst[0] <- src[0]. pack: vector = n, src[0..n-1] narrow, dst[0] wide, `type` the wide type.
//             unpack: vector = n, dst[0..n-1] narrow (an unused element is Kind::none), src[0] wide. The pack form has src[1] set.
//             b128: vector = 2, dst[0..1] <- src[0..1], whether halves of one register or two registers.
//   setp      dst[0] = p, dst[1] = q or none; src[0], src[1]; src[2] = predicate that bool_op combines with, or none. `type` and
//             `source_type` are both the compared type.
//   set       dst[0] of `type`; src[0], src[1] of `source_type`; src[2] predicate or none
//   selp      src[0], src[1], src[2] = predicate.   slct: src[2] of `source_type` (s32 or f32)
//   shfl      dst[0], dst[1] = predicate or none; src[0] data, src[1] lane operand, src[2] clamp, src[3] member mask (none: all)
//   vote      dst[0] predicate (register for ballot); src[0] predicate, src[1] member mask or none
//   match     dst[0], dst[1] = predicate or none (all only); src[0] value, src[1] member mask
//   isspacep  dst[0] predicate, src[0] address, `space`
//   bar       src[0] = barrier number, src[1] = thread count or none, src[2] = predicate of red; dst[0] result of red.
//             warp_sync: src[0] = member mask
//   ld, ldu   src[0] base or none, `offset`; dst[0..vector-1], an unused element is Kind::none
//   st        src[0] base or none, `offset`; src[1..vector]
//   atom, red src[0] base or none, `offset`; src[1], src[2] (cas: compare, then new value); atom: dst[0], none when unused ('_')
//             b128: each of these is two operands, the lower half first
//   prefetch  src[0] base or none, `offset`
//   cp_async  src[0] global base or none, `offset`; src[1] shared base or none, displacement in `immediate`; src[2] bytes to copy of
//             `access_bytes` (the rest is zeroed) or the predicate that zeroes all, or none.   cp_async_wait: `immediate` groups may be pending,
//             or `mode` = kWaitForAll
//   cp_async_arrive  src[0] base or none of the mbarrier, `offset`; `immediate` has kMbarrierCounted for .noinc
//   bulk_load src[0] global base or none, `offset`; src[1] shared base or none, displacement in `immediate`; src[2] bytes; src[3] base or none of the
//             mbarrier, displacement in `table`.   bulk_store: src[0], src[1], src[2] likewise
//   mbarrier  src[0] base or none, `offset`; `mode` = MbarrierOp; src[1] count, bytes, state or parity, or none; dst[0] state (none when unused), or the
//             predicate of a wait; `immediate` as below.   mbarrier_count: dst[0], src[0] state
//   lop3      src[0..2], `immediate`; with bool_op: dst[1] = (result != 0) bool_op src[3]
//   redux     `atomic` names the operation; src[0] value, src[1] member mask.   elect: dst[0] leader, dst[1] predicate; src[0] member mask
//   pack      cvt.pack: src[0], src[1] of `source_type`, src[2] the word whose lower bits fill up, or none
//   video     see VideoOp; src[0], src[1], src[2] third operand or none; `vector` = 1, 2 or 4 elements; selectors in `offset`
//   tex, tld4 src[0] handle; src[1..] the coordinates of its Geometry (`mode`), each a 32-bit register: integers, or floats when
//             `source_type` is f32; a layer comes first and is an unsigned integer; behind them the level, or both gradients, an element for
//             each coordinate but the layer; then, if kTexelOffsets, an offset in texels for each of these coordinates, and, if kOwnSampler, the
//             sampler's handle. dst[0..vector-1]. tex: the lower byte of `immediate` is the Mipmap; tld4: the channel gathered
//   suld, sust, sured src[0] handle; src[1..] the coordinates, x in bytes; `immediate` is what Outside says. suld: dst[0..vector-1]; sust: then the data.
//             `formatted` (sust.p, sured.p): x in texels, the data of sust 32-bit registers. sured likewise, `atomic` names the operation
//   istypep   src[0] handle; dst[0] predicate; `space` is texture, surface or sampler
//   txq       src[0] handle; `mode` is the TextureQuery; dst[0]; src[1] the level asked about, or none
//   wmma_load src[0] base or none, `offset`, src[1] stride in elements or none; `mode` = MatrixPart; `type` of the elements; the fragment in
//             Kernel::matrices. wmma_store: likewise, part c.   mma: `type` of D, `source_type` of A; all registers in Kernel::matrices
//             of bits: bool_op joins them, and popc counts
//   ld_wide, st_wide, atom_wide  src[0] base or none, `offset`; `vector` elements; the registers in Kernel::matrices; `atomic` adds
//   ldmatrix, stmatrix  src[0] base or none, `offset`; `vector` matrices; `immediate` kMatrixTransposed.   movmatrix: dst[0], src[0]
//   call      target; arguments travel through Space::frame
//   bra       guard decides; `uniform` for .uni.  brx: src[0] index, `table`
#pragma once

#include <cstdint>

#include "ptx/instruction.h"

namespace heddle::ptx {

enum class PrmtMode : std::uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class VoteMode : std::uint8_t { all, any, uni, ballot };
enum class MatchMode : std::uint8_t { any, all };
enum class ShflMode : std::uint8_t { up, down, bfly, idx };
enum class TestProperty : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };
enum class VideoOp : std::uint8_t { add, sub, absdiff, min, max, avrg, shl, shr, mad, set };

// video, Instruction::offset: which parts of each register take part. Byte 0: destination mask
// (SIMD) or selector (scalar); bytes 2-3 and 4-5: the sources' selectors, a hexadecimal digit per
// element (SIMD) or one of the codes below; byte 6: sources that are negated (vmad).
inline constexpr std::uint32_t kSelectAll = 0, kSelectByte = 1 /* to 4 */,
                               kSelectHalf = 5 /* and 6 */;
inline constexpr std::uint32_t kVideoSignedB = 1, kVideoPlusOne = 2, kVideoShift7 = 4,
                               kVideoShift15 = 8;  // Instruction::immediate

// Shapes of images, and how many coordinates each has; what is written behind them is padding.
enum class Geometry : std::uint8_t { d1, d2, d3, a1d, a2d, cube, acube };
constexpr std::uint32_t coordinates_of(Geometry g) {
  switch (g) {
    case Geometry::d1: return 1;
    case Geometry::d2:
    case Geometry::a1d: return 2;
    case Geometry::d3:
    case Geometry::a2d:
    case Geometry::cube: return 3;
    case Geometry::acube: return 4;
  }
  return 0;
}
constexpr bool has_layers(Geometry g) {
  return g == Geometry::a1d || g == Geometry::a2d || g == Geometry::acube;
}
constexpr std::uint32_t axes_of(Geometry g) { return coordinates_of(g) - (has_layers(g) ? 1 : 0); }
// How a fetch chooses among a texture's levels.
enum class Mipmap : std::uint8_t { base, level, gradient };
// What a surface access outside of the surface does.
enum class Outside : std::uint8_t { trap, clamp, zero };
inline constexpr std::uint32_t kTexelOffsets = 1u << 8,
                               kOwnSampler = 1u << 9;  // Instruction::immediate of tex and tld4
enum class TextureQuery : std::uint8_t {
  width,
  height,
  depth,
  array_size,
  normalized,
  levels,
  one,
  data_type,
  order,
  layout,
  filter,
  address_x,
  address_y,
  address_z,
  force_unnormalized
};
constexpr bool asks_a_sampler(TextureQuery q) { return q >= TextureQuery::filter; }
inline constexpr std::uint8_t kWaitForAll =
    1;  // cp_async_wait: for what has not been committed, too

// expect_tx stands first: as a word it also qualifies arrivals, which then name their operation
// (kMbarrierExpects).
enum class MbarrierOp : std::uint8_t {
  expect_tx,
  complete_tx,
  init,
  inval,
  arrive,
  arrive_drop,
  wait
};
inline constexpr std::uint32_t kMbarrierExpects =
    1;  // the last operand is bytes that the phase waits for, besides one arrival
inline constexpr std::uint32_t kMbarrierStaysOpen = 2;  // .noComplete
inline constexpr std::uint32_t kMbarrierParity =
    4;  // a wait by the phase's parity instead of a state
inline constexpr std::uint32_t kMbarrierCounted =
    8;  // cp.async.mbarrier.arrive.noinc: the arrival is one of those expected
inline constexpr std::uint32_t kClusterBarrier =
    16;  // the barrier's number in its CTA, behind those of bar

enum class FenceScope : std::uint8_t { cta, gl, sys };

// dp4a and dp2a, Instruction::immediate: bit 0, the first operand's elements are signed; bit 1, the
// second's; bit 2, dp2a.hi.
inline constexpr std::uint32_t kDotSignedA = 1;
inline constexpr std::uint32_t kDotSignedB = 2;
inline constexpr std::uint32_t kDotHigh = 4;

// Matrices, Instruction::immediate: rows of D, columns of D and the depth in a byte each, then the
// flags.
enum class MatrixPart : std::uint8_t { a, b, c };
inline constexpr std::uint32_t kMatrixColumns =
    1u << 24;  // wmma load and store: columns are contiguous
inline constexpr std::uint32_t kMatrixColumnsB =
    1u << 28;  // mma of Volta: of B, where kMatrixColumns is of A
// kMatrixSecondB: B is of the second of two kinds: signed where A may be unsigned, e5m2 where it
// may be e4m3.
inline constexpr std::uint32_t kMatrixSecondB = 1u << 25, kMatrixHalfC = 1u << 26,
                               kMatrixTransposed = 1u << 27;
struct MatrixShape {
  std::uint32_t m = 0, n = 0, k = 0;
};
constexpr MatrixShape matrix_shape(std::uint32_t immediate) {
  return {immediate & 0xff, immediate >> 8 & 0xff,
          immediate >> 16 & 0xff ? immediate >> 16 & 0xff : 256};
}
constexpr std::uint32_t element_bits(Type t) {
  switch (t) {
    case Type::b1: return 1;
    case Type::u4:
    case Type::s4: return 4;
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2: return 8;
    case Type::f16:
    case Type::bf16: return 16;
    case Type::f64: return 64;
    default: return 32;
  }
}
// mma.m8n8k4 on halves: four products at once, each by eight lanes.
constexpr bool is_volta(const Instruction& i) {
  return i.opcode == Opcode::mma && i.source_type == Type::f16 && matrix_shape(i.immediate).k == 4;
}

}  // namespace heddle::ptx
