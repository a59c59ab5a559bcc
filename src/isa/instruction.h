// What every kind of code says of an instruction before it runs: all that timing, scheduling
// policies and statistics know of it. PTX (ptx/instruction.h) adds what its execution needs.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "isa/control_word.h"

namespace heddle::isa {

enum class Space : std::uint8_t {
  none,
  generic,
  global,
  shared,
  local,
  constant,
  param,
  frame /* .param variables of calls */,
  texture,
  surface,
  sampler
};
constexpr bool is_opaque(Space s) {
  return s == Space::texture || s == Space::surface || s == Space::sampler;
}
enum class CacheOperator : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt, nc };
enum class Ordering : std::uint8_t { weak, volatile_, relaxed, acquire, release, acq_rel };
enum class BarrierOp : std::uint8_t { none, sync, arrive, red_popc, red_and, red_or, warp_sync };
// A CTA has 16 barriers; barrier.cluster uses the next number, and the warpgroups those after it.
inline constexpr std::uint32_t kClusterBarrier = 16, kWarpgroupBarrier = 17,
                               kBarriers = kWarpgroupBarrier + 8;

// What an instruction does with asynchronous copies to shared memory (cp.async, cp.async.bulk) or
// asynchronous products of matrices (wgmma).
enum class CopyStep : std::uint8_t {
  none,
  start,
  commit,  // the copies since the last commit are a group
  wait,    // for groups, see groups_left
  arrive,  // at an mbarrier when the copies are complete
  bulk_load,
  bulk_store,
  product,          // starts a product
  last_product,     // likewise, and the products since the last group are a group
  commit_products,  // the products since the last commit are a group
  wait_for_products
};

inline constexpr bool is_product(CopyStep s) {
  return s == CopyStep::product || s == CopyStep::last_product;
}
inline constexpr bool ends_products(CopyStep s) {
  return s == CopyStep::last_product || s == CopyStep::commit_products;
}

// Decides the functional unit and the latency. In the order of the lists in the GPU files (ADD,
// MAX/MIN, MUL, MAD, DIV, SHFL or FMA).
enum class OpClass : std::uint8_t {
  alu,  // moves, logic, shifts, conversions, comparisons: 1 cycle on the SP (or INT) unit
  int_add,
  int_max,
  int_mul,
  int_mad,
  int_div,
  shuffle,
  fp_add,
  fp_max,
  fp_mul,
  fp_mad,
  fp_div,
  fp_fma,  // fma; fp_mad is mad
  dp_add,
  dp_max,
  dp_mul,
  dp_mad,
  dp_div,
  dp_fma,
  sfu,  // rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh
  tensor,
  load,
  store,
  atomic,
  memory_barrier,
  branch,
  call,
  return_,
  exit_,
  barrier
};
inline constexpr bool is_memory(OpClass c) {
  return c >= OpClass::load && c <= OpClass::memory_barrier;
}

// Registers have numbers that are dense in a kernel, predicates included.
inline constexpr std::uint16_t kNoRegister = 0xffff;
inline constexpr std::uint16_t kNoLoop = 0xffff;
inline constexpr int kMaxReads = 26;  // wmma.mma of three fragments of 8 registers with a guard
                                      // reads 25; tests/ptx checks the bound
inline constexpr int kMaxWrites = 8;

struct Instruction {
  OpClass op_class = OpClass::alu;
  Space space = Space::none;  // that the code names; a generic address is resolved when it runs
  CacheOperator cache = CacheOperator::none;
  Ordering ordering = Ordering::weak;
  BarrierOp barrier = BarrierOp::none;
  CopyStep copy = CopyStep::none;
  std::uint8_t access_bytes = 0;  // memory: bytes of one element; a lane accesses `vector` of them
  std::uint8_t vector = 1;        // elements of one access
  std::uint8_t read_count = 0, write_count = 0, operand_count = 0;
  bool minor_opcode = false;          // mul24 and mad24 of the products, rem of the divisions
  bool on_uniform_datapath = false;   // computed once per warp
  bool loop_header = false;           // first instruction of the header of its loop
  bool waits_for_all_copies = false;  // CopyStep::wait: for copies that are in no group, too
  std::uint16_t loop = kNoLoop;       // index of the innermost natural loop into Kernel::loops
  std::uint16_t guard_register = kNoRegister;
  std::uint16_t base_register = kNoRegister;  // memory: of the address
  Pc target = kNoPc;                          // of a direct branch or call
  // Branches that may diverge: the immediate post-dominator; kNoPc: the end of the function.
  Pc reconvergence = kNoPc;
  // Bit k: reads[k] is only the guard or the base of an address, not a value.
  std::uint32_t not_values = 0;
  std::uint32_t matrix_work = 0;    // tensor: products of elements, times the bits of an element
  std::uint32_t groups_left = 0;    // of a wait: groups that may remain incomplete
  std::uint32_t ptx_line = 0;       // line in the PTX text, from 1
  std::uint32_t source = 0;         // index into Kernel::source_lines; 0: unknown
  std::int64_t address_offset = 0;  // memory: bytes to add to the base register
  // The registers that the scoreboard compares, guard and base included, without duplicates.
  std::array<std::uint16_t, kMaxReads> reads{};
  std::array<std::uint16_t, kMaxWrites> writes{};
  // Source operands in their order, as indices into `reads`. A register of two operands is listed
  // twice, but those of a matrix once.
  std::array<std::uint8_t, kMaxReads> operands{};
  ControlWord control;  // where Kernel::has_control_words

  bool is_load() const { return op_class == OpClass::load; }
  bool is_store() const { return op_class == OpClass::store; }
  // A long operation in the sense of LFWS (section 3): a load, store, atomic or texture fetch of
  // global, local or texture memory.
  bool is_long() const {
    return (op_class == OpClass::load || op_class == OpClass::store ||
            op_class == OpClass::atomic) &&
           (space == Space::global || space == Space::local || space == Space::generic ||
            space == Space::texture);
  }
  bool reads_value(int k) const { return ((not_values >> k) & 1) == 0; }
  // A load that the L1 data cache may hold; textures and constants have caches of their own.
  bool is_l1_load() const {
    return is_load() &&
           (space == Space::global || space == Space::local || space == Space::generic);
  }
};

}  // namespace heddle::isa
