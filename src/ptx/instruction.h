// A lowered PTX instruction: everything that is known before it runs, in one flat record without
// strings or pointers. ptx/ produces it, exec/ computes with it. The timing model knows its base.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "base/diagnostics.h"
#include "base/types.h"
#include "isa/instruction.h"
#include "ptx/payload.h"
#include "ptx/type.h"

namespace heddle::ptx {

using isa::BarrierOp;
using isa::CacheOperator;
using isa::is_memory;
using isa::is_opaque;
using isa::kBarriers;
using isa::kClusterBarrier;
using isa::OpClass;
using isa::Ordering;
using isa::Space;

enum class Opcode : std::uint8_t {
  nop,
  // data movement
  mov,
  mov_vector,  // mov.v2, mov.v4
  read_special,
  cvt,
  cvta,
  ld,
  ldu,
  st,
  prefetch,
  isspacep,
  mapa,
  getctarank,
  prmt,
  selp,
  slct,
  set,
  setp,
  shfl,
  vote,
  match,
  activemask,
  redux,
  elect,
  pack /* cvt.pack */,
  createpolicy,
  // integer and logic
  add,
  sub,
  addc,
  subc,
  mul,
  mad,
  madc,
  mul24,
  mad24,
  sad,
  div,
  rem,
  abs,
  neg,
  min,
  max,
  popc,
  clz,
  bfind,
  brev,
  bfe,
  bfi,
  fns,
  bmsk,
  szext,
  video,
  dp4a,
  dp2a,
  and_,
  or_,
  xor_,
  not_,
  cnot,
  lop3,
  shf,
  shl,
  shr,
  // floating point (add, sub, mul, mad, div, abs, neg, min, max above serve all types)
  fma,
  rcp,
  sqrt,
  rsqrt,
  sin,
  cos,
  lg2,
  ex2,
  tanh,
  copysign,
  testp,
  // memory and synchronisation
  atom,
  red,
  bar,
  membar,
  cp_async,
  cp_async_commit,
  cp_async_wait,
  cp_async_arrive,
  bulk_load,
  bulk_store,
  mbarrier,
  mbarrier_count,
  cluster_arrive,
  wgmma_commit,
  wgmma_wait,
  // textures and surfaces
  tex,
  tld4,
  txq /* and suq */,
  istypep,
  suld,
  sust,
  sured,
  // more registers than an instruction has operands: 256 bits of a lane, vectors of atomics
  ld_wide,
  st_wide,
  atom_wide,
  wgmma,  // wgmma.mma_async
  // matrices of a warp
  wmma_load,
  wmma_store,
  mma,
  ldmatrix,
  stmatrix,
  movmatrix,
  // control
  bra,
  brx,
  call,
  call_through_site /* described by an entry of Kernel::call_sites */,
  ret,
  exit,
  trap,
  brkpt,
  nanosleep,
  // the stack
  alloca,
  stacksave,
  stackrestore,
  local_address /* of a variable in the frame of a call */,
  // host functions
  vprintf,
  assertfail,
  device_malloc,
  device_free,
  device_runtime /* CUDA's device runtime: CallSite::runtime says which function */
};

enum class Rounding : std::uint8_t {
  none,
  rn,
  rz,
  rm,
  rp,
  rna /* ties away from zero */,
  rni,
  rzi,
  rmi,
  rpi
};  // the last four round to an integral value
enum class Compare : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
enum class BoolOp : std::uint8_t { none, and_, or_, xor_ };
enum class MulPart : std::uint8_t { none, lo, hi, wide };
enum class AtomicOp : std::uint8_t { none, and_, or_, xor_, cas, exch, add, inc, dec, min, max };

// Registers before `clock` are filled once, when a warp starts (Kernel::preset_registers). The
// clocks are read each time.
enum class SpecialRegister : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  dynamic_smem_size,
  total_smem_size,
  envreg,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  current_graph,    // the handle of the device graph that the kernel is a node of
  reserved_shared,  // an address in the reserved kilobyte of shared memory, through which
                    // cooperative groups of several warps synchronize
  local_frame,      // where the running call's local variables begin; calls and returns change it
  // read each time
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi
};
inline constexpr bool is_dynamic(SpecialRegister r) { return r >= SpecialRegister::clock; }

// Where the 32 lanes of an operand are stored.
//   reg:      `row` is a 128-byte row of the warp's register file. A 64-bit value takes two
//             adjacent rows: 32 contiguous lanes of 64 bits. Narrower values occupy the low bits
//             of 32-bit lanes; the upper bits are unspecified.
//   pred:     `row` is one of the warp's predicate masks (a LaneMask each).
//   constant: `row` is a row of Kernel::constants: an immediate for each of 32 lanes, as in reg.
struct Operand {
  enum class Kind : std::uint8_t { none, reg, pred, constant };
  Kind kind = Kind::none;
  std::uint8_t bytes = 4;  // storage per lane: 4 or 8; 0 for predicates. 128 bits are two operands,
                           // the lower half first
  bool negated = false;    // predicate operand written with '!'
  std::uint16_t row = 0;
  std::uint16_t reg = kNoReg;  // number of the virtual register, dense in a kernel and unique over
                               // all classes: for scoreboard and banks. Registers whose live ranges
                               // do not overlap share rows, but never numbers.
  static constexpr std::uint16_t kNoReg = isa::kNoRegister;
  explicit operator bool() const { return kind != Kind::none; }
};

struct Instruction : isa::Instruction {
  Opcode opcode = Opcode::nop;
  Type type = Type::none;         // operation type; cvt and set: destination type; setp: compared
                                  // type; mov that packs or unpacks: type of the wide register
  Type source_type = Type::none;  // cvt, set, slct, setp, video: type of the sources; tex:
                                  // type of the coordinates; mma: type of A
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp bool_op = BoolOp::none;  // setp, set, lop3: joins the result with the last source; mma on
                                  // bits: joins A and B
  MulPart part = MulPart::none;
  AtomicOp atomic = AtomicOp::none;  // atom, red, sured, redux; vadd and the like: second operation
  bool ftz = false, sat = false, approx = false, full = false /* div.full */, uniform = false;
  bool to_generic = false;    // cvta without .to
  bool carry_out = false;     // add.cc and the like
  bool clamp = false;         // shf.clamp, bmsk.clamp, szext.clamp, vshl.clamp, vshr.clamp
  bool left = false;          // shf.l
  bool shift_amount = false;  // bfind.shiftamt
  bool nan = false;           // min, max: the result is NaN when an operand is
  bool xorsign = false;       // min, max: .xorsign.abs
  bool absolute = false;      // min, max: .abs
  bool relu = false, satfinite = false;
  bool aligned = false;  // bar, barrier.aligned: all threads of a warp execute the same instruction
  bool cluster = false;  // barrier.cluster; an operand is in the cluster's shared memory
  SpecialRegister special = SpecialRegister::tid_x;  // read_special
  Payload payload;                                   // options of its family only

  // Operands, in the order of the form tables; payload.h names the exceptions. An operand that is
  // optional and absent, or written '_', is Kind::none.
  // `vector` counts the elements of ld, st, tex, mov (pack, unpack) and video, and the matrices of
  // ldmatrix and stmatrix. `address_offset` includes the address of the named variable.
  //   mov       pack: src[0..vector-1] -> dst[0]; unpack: src[0] -> dst[0..vector-1]; b128: two
  //             halves each, src[0..1] -> dst[0..1]
  //   mov_vector src[0..vector-1] -> dst[0..vector-1]
  //   setp, set src[2] is the predicate that bool_op joins, or none; setp: dst[1] is q, or none
  //   ld, ldu   src[0] base or none; dst[0..vector-1]
  //   st        src[0] base or none; src[1..vector] data
  //   atom, red src[0] base or none; src[1], src[2] operands; b128: two sources each, the lower
  //             half first
  //   wgmma     src[0] descriptor of A, or none: A is in the registers of its fragment; src[1]
  //             descriptor of B; src[2] scale-d. D: Kernel::accumulators[Wgmma::accumulators]
  //   matrices, ld_wide, st_wide, atom_wide: the registers are in Kernel::matrices[fragments];
  //             src[0] base or none; wmma: src[1] stride in elements, or none
  Operand guard;  // kind pred, or none
  std::array<Operand, 4> dst{};
  std::array<Operand, 14> src{};  // only sust and tex have more than five
  std::uint32_t fragments = 0;    // has_fragments(opcode): index into Kernel::matrices
  // Indices into Kernel::convergence_points where lanes may have to wait for others: at this
  // instruction, and at matching instructions elsewhere.
  std::uint32_t convergence_point = ~std::uint32_t{0}, matching_point = ~std::uint32_t{0};
  bool clock_decides = false;  // whether it executes depends on a clock value
  bool clock_acts = false;     // a clock value has an effect here other than on registers
                               // (clock_flow.h)

  template <class T>
  const T& as() const {
    const T* const value = std::get_if<T>(&payload);
    check_invariant(value != nullptr, "a payload was read that the opcode does not have");
    return *value;
  }
  template <class T>
  T& as() {
    return const_cast<T&>(std::as_const(*this).as<T>());
  }
};

// The registers of a matrix or a long vector are in Kernel::matrices.
inline constexpr bool has_fragments(Opcode o) {
  return o >= Opcode::ld_wide && o <= Opcode::stmatrix;
}
inline constexpr bool is_matrix(Opcode o) {
  return o >= Opcode::wmma_load && o <= Opcode::movmatrix;
}
// mma.m8n8k4 on halves, of Volta: four products at once, each by eight lanes.
inline bool is_volta(const Instruction& i) {
  return i.opcode == Opcode::mma && i.source_type == Type::f16 && i.as<Matrix>().k == 4;
}
// Of tex, tld4, suld, sust and sured.
inline Geometry geometry_of(const Instruction& i) {
  const auto* const fetch = std::get_if<TextureFetch>(&i.payload);
  return fetch ? fetch->geometry : i.as<SurfaceAccess>().geometry;
}
// The payload, with default values, of an opcode.
Payload payload_for(Opcode opcode);

struct MatrixOperands {
  static constexpr std::size_t kMaxRegisters = 8;  // registers of a fragment
  std::array<Operand, kMaxRegisters> dst{};
  // [0]: A, or the stored registers; [kMaxRegisters]: B; [2 * kMaxRegisters]: C
  std::array<Operand, 3 * kMaxRegisters> src{};
};

}  // namespace heddle::ptx
