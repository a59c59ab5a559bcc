// The options of an instruction that only its family has. Every struct or enumeration here is an
// alternative of Instruction::payload. payload_for() returns the alternative of an opcode;
// Instruction::as<T>() reads it and checks that the instruction has it.
//
// Sources follow the order of the operands in the form tables (src/ptx/forms): src[0] is the first
// source, dst[0] the first destination. The structs below name the exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "ptx/type.h"

namespace heddle::ptx {

// --- Data movement and conversion (PTX ISA 9.7.8) ---

// prmt: how bytes are selected; `index` is the form without a mode.
enum class PrmtMode : std::uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };
// shfl. The sources are the value, the lane operand, the clamp and the member mask.
enum class ShflMode : std::uint8_t { up, down, bfly, idx };

// cp.async and cp.async.bulk: each source has a fixed place, whatever the order of the syntax.
struct CopySource {
  static constexpr std::size_t global = 0;  // base register; Instruction::address_offset adds to it
  static constexpr std::size_t shared = 1;  // base register; shared_offset adds to it
  static constexpr std::size_t bytes = 2;   // bytes to copy; cp.async: or the ignore-src predicate
  static constexpr std::size_t mbarrier = 3;  // base register; mbarrier_offset adds to it
  static constexpr std::size_t first_coordinate = 4;
  static constexpr std::size_t cta_mask = 9;  // cp.async.bulk: multicast to these of the cluster
  static constexpr std::size_t first_offset = 10;  // of im2col, one for each dimension of pixels
};
// cp.async: the destination. Instruction::access_bytes is cp-size.
struct AsyncCopy {
  std::uint32_t shared_offset = 0;
};
// cp.async.bulk and cp.reduce.async.bulk. A store has no mbarrier.
struct BulkCopy {
  std::uint32_t shared_offset = 0;
  std::uint32_t mbarrier_offset = 0;
  // Of a tensor; 0: a range of bytes. The global address is that of the tensor map, and the
  // coordinates follow from src[4] on.
  std::uint8_t dimensions = 0;
  bool from_shared = false;     // a load whose source, in place of the global one, is shared memory
  bool from_registers = false;  // machine code: src[global] is the first one (STAS, REDAS)
  bool multicast = false;       // machine code: cta_mask is the upper half of src[bytes]
  bool im2col = false;
  bool has_offsets = false;  // machine code: packed in the lower half of src[bytes]
};
// cp.async.wait_group and wait_all.
struct CopyWait {
  std::uint32_t pending_groups = 0;  // groups that may remain incomplete
  bool all = false;                  // wait for copies that are not committed to a group, too
};

// --- Integer, floating-point and logic (9.7.1, 9.7.3, 9.7.7) ---

// dp4a, dp2a: which elements are signed, and dp2a.hi.
struct DotProduct {
  bool signed_a = false, signed_b = false;
  bool high = false;
};
enum class TestProperty : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };
// lop3: immLut. With a Boolean operator dst[1] = (result != 0) BoolOp src[3].
struct Lop3Table {
  std::uint8_t bits = 0;
};

// --- Synchronization (9.7.12) ---

enum class VoteMode : std::uint8_t { all, any, uni, ballot };
enum class MatchMode : std::uint8_t { any, all };

enum class MbarrierOp : std::uint8_t {
  expect_tx,
  complete_tx,
  init,
  inval,
  arrive,
  arrive_drop,
  wait  // test_wait and try_wait
};
// mbarrier. src[0] is the object; src[1] is the count, the bytes, the state or the parity.
struct Mbarrier {
  MbarrierOp op = MbarrierOp::expect_tx;
  bool expects_bytes = false;  // arrive.expect_tx: src[1] is bytes, and one thread arrives
  bool no_complete = false;    // arrive.noComplete
  bool by_parity = false;      // a wait names the phase's parity instead of a state
};
// cp.async.mbarrier.arrive.
struct CopyArrival {
  bool noinc = false;  // the arrival is one of the expected ones: the pending count stays
};

// --- Textures and surfaces (9.7.9, 9.7.10) ---

enum class Geometry : std::uint8_t { d1, d2, d3, a1d, a2d, cube, acube };
// Coordinates, the layer included. PTX may write four; the rest is padding.
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
// Coordinates without the layer.
constexpr std::uint32_t axes_of(Geometry g) { return coordinates_of(g) - (has_layers(g) ? 1 : 0); }

// Sources of a texture or surface instruction: the handle; the coordinates, the layer first, each
// in a 32-bit register. Then
//   tex, tld4    the level of detail, or both gradients with an element for each axis; with
//                has_offsets an offset in texels for each axis; with has_sampler the sampler's
//                handle
//   sust, sured  the data
// Texture coordinates are floats when Instruction::source_type is f32; the layer is an integer.
struct ImageSource {
  static constexpr std::size_t handle = 0;
  static constexpr std::size_t first_coordinate = 1;
};
enum class Mipmap : std::uint8_t { base, level, gradient };
// tex, tld4.
struct TextureFetch {
  Geometry geometry = Geometry::d1;
  Mipmap mipmap = Mipmap::base;
  std::uint8_t channel = 0;  // tld4: the gathered channel, 0 to 3 for r, g, b, a
  bool has_offsets = false;
  bool has_sampler = false;  // .target texmode_independent
};
// suld, sust, sured: what an access outside the surface does.
enum class Outside : std::uint8_t { trap, clamp, zero };
struct SurfaceAccess {
  Geometry geometry = Geometry::d1;
  Outside outside = Outside::trap;
  bool formatted = false;  // .p: x in texels and data in the surface's format; .b: x in bytes
};
// txq and suq. src[1] is the mipmap level of the query, or none.
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

// --- Control flow and stack (9.7.11, 9.7.15) ---

// brx.idx: index into Kernel::branch_tables.
struct BranchTable {
  std::uint32_t index = 0;
};
// A call whose arguments are copied, or of the host: index into Kernel::call_sites.
struct CallSiteIndex {
  std::uint32_t index = 0;
};
// alloca: bytes; 0 when the instruction does not give it.
struct StackAlignment {
  std::uint32_t bytes = 0;
};

// --- Warp-level matrices (9.7.13) ---

enum class MatrixPart : std::uint8_t { a, b, c };
struct MatrixShape {
  std::uint32_t m = 0, n = 0, k = 0;
};
// wmma, mma, ldmatrix, stmatrix. The registers are in Kernel::matrices[Instruction::fragments].
// mma: Instruction::type is the type of D, source_type that of A.
struct Matrix {
  std::uint16_t m = 0, n = 0, k = 0;
  MatrixPart part = MatrixPart::a;  // wmma.load, wmma.store (c is also d)
  bool columns : 1 = false;         // loads and stores: .col; mma: of A
  bool columns_b : 1 = false;       // mma: B is .col
  bool second_b : 1 = false;  // B has the second type of two: signed where A may be unsigned, e5m2
                              // where A may be e4m3
  bool half_c : 1 = false;    // C is f16
  bool transposed : 1 = false;
  bool wmma : 1 = false;      // wmma.mma, whose fragments of halves are larger than those of mma
  bool sparse : 1 = false;    // mma.sp: Instruction::src[0] says which elements of A are stored
  std::uint8_t selector = 0;  // the lanes that say so
  constexpr MatrixShape shape() const { return {m, n, k}; }
};

// wgmma.mma_async. Instruction::type is the type of D, source_type that of A.
struct Wgmma {
  std::uint16_t n = 0, k = 0;  // m is 64
  Type type_b = Type::none;
  bool negate_a = false, negate_b = false;
  bool transpose_a = false, transpose_b = false;  // stored with M or N contiguous instead of K
  std::uint8_t constants = 0;                     // of the operands, that lowering has read
  bool sparse = false;                            // Instruction::src[2]: the metadata of A
  bool has_selector = false;                      // lowering has read it
  std::uint8_t selector = 0;                      // the lanes that have it
  std::uint32_t accumulators = 0;                 // index into Kernel::accumulators
};
// wgmma.wait_group.
struct ProductWait {
  std::uint32_t pending_groups = 0;  // groups that may remain incomplete
};

// --- Video (9.7.16) ---

enum class VideoOp : std::uint8_t { add, sub, absdiff, min, max, avrg, shl, shr, mad, set };
// Instruction::vector is the number of elements: 1 for scalar instructions, 2 or 4 for SIMD ones.
struct Video {
  // Scalar instructions select a part of a register: all of it, byte n (kByte + n) or half n.
  static constexpr std::uint16_t kAll = 0, kByte = 1, kHalf = 5;
  VideoOp op = VideoOp::add;
  bool signed_b = false;      // .btype
  bool plus_one = false;      // vmad.po
  std::uint8_t shift = 0;     // vmad: 0, 7 or 15
  std::uint16_t parts_d = 0;  // scalar: the part; SIMD: a bit for each element that is written
  std::uint16_t parts_a = 0;  // scalar: the part; SIMD: four bits for each element, which number
  std::uint16_t parts_b = 0;  // the elements of a and, after them, those of b
};

using Payload = std::variant<std::monostate, PrmtMode, ShflMode, AsyncCopy, BulkCopy, CopyWait,
                             DotProduct, TestProperty, Lop3Table, VoteMode, MatchMode, Mbarrier,
                             CopyArrival, TextureFetch, SurfaceAccess, TextureQuery, BranchTable,
                             CallSiteIndex, StackAlignment, Matrix, Wgmma, ProductWait, Video>;

}  // namespace heddle::ptx
