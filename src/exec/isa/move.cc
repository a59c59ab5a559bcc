// Moves: mov with packing and unpacking, cvta, isspacep, and special registers whose value changes
// while a warp runs.
#pragma GCC optimize("O3")
#include "exec/isa/decode.h"
#include "exec/isa/lanes.h"
#include "exec/isa/memory_access.h"
#include "exec/state/machine.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Space;
using ptx::SpecialRegister;
using ptx::Type;

template <int kBytes>
void move(Warp& w, const DecodedInstruction& r, U32 mask) {
  if (r.direct) return store_lanes<kBytes>(w.bases[0] + r.dst[0], row(w, r.src[0]), mask);
  alignas(64) std::uint8_t copy[kBytes * kWarpSize];
  std::memcpy(copy, row(w, r.src[0]), sizeof copy);
  store_lanes<kBytes>(w.bases[0] + r.dst[0], copy, mask);
}
void move_predicate(Warp& w, const DecodedInstruction& r, U32 mask) {
  set_predicate(w, r.dst_predicate[0], predicate(w, r.src_predicate[0]), mask);
}

// Reads all sources before it writes: the halves may be swapped.
void move_wide(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(64) U64 halves[2][kWarpSize];
  for (std::size_t n = 0; n < 2; ++n) std::memcpy(halves[n], row(w, r.src[n]), sizeof halves[n]);
  for (std::size_t n = 0; n < 2; ++n)
    if (r.dst_bytes[n] == 8) store_lanes<8>(w.bases[0] + r.dst[n], halves[n], mask);
}

U64 lane_value(const std::uint8_t* lanes, std::size_t bytes, std::size_t lane) {
  U64 v = 0;
  std::memcpy(&v, lanes + lane * bytes, bytes);
  return v;
}
template <class T>
void store_values(Warp& w, U32 to, const std::array<U64, kWarpSize>& values, U32 mask) {
  alignas(64) T narrow[kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l) narrow[l] = static_cast<T>(values[l]);
  store_lanes<sizeof(T)>(w.bases[0] + to, narrow, mask);
}
void store_values(Warp& w, const DecodedInstruction& r, std::size_t n,
                  const std::array<U64, kWarpSize>& values, U32 mask) {
  if (r.dst_bytes[n] == 8)
    store_values<U64>(w, r.dst[n], values, mask);
  else if (r.dst_bytes[n] == 4)
    store_values<U32>(w, r.dst[n], values, mask);
}

// Reads all elements before it writes: they may be permuted.
void move_vector(Warp& w, const DecodedInstruction& r, U32 mask) {
  std::array<std::array<U64, kWarpSize>, 4> elements;
  const std::size_t count = r.instruction->vector;
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t l = 0; l < kWarpSize; ++l)
      elements[n][l] = lane_value(row(w, r.src[n]), r.src[n].bytes, l);
  for (std::size_t n = 0; n < count; ++n) store_values(w, r, n, elements[n], mask);
}

U32 wide_bits(const ptx::Instruction& i) {
  return i.type == Type::b64 || i.type == Type::u64 || i.type == Type::s64 || i.type == Type::f64
             ? 64
         : i.type == Type::b16 ? 16
                               : 32;
}

void pack(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 part = wide_bits(ptx_of(r)) / r.instruction->vector;
  std::array<U64, kWarpSize> values{};
  for (U32 n = 0; n < r.instruction->vector; ++n)
    for (std::size_t l = 0; l < kWarpSize; ++l)
      values[l] |= (lane_value(row(w, r.src[n]), r.src[n].bytes, l) & ((U64{1} << part) - 1))
                   << (part * n);
  store_values(w, r, 0, values, mask);
}
void unpack(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 part = wide_bits(ptx_of(r)) / r.instruction->vector;
  std::array<U64, kWarpSize> values, elements;
  for (std::size_t l = 0; l < kWarpSize; ++l)
    values[l] = lane_value(row(w, r.src[0]), r.src[0].bytes, l);
  for (U32 n = 0; n < r.instruction->vector; ++n) {
    for (std::size_t l = 0; l < kWarpSize; ++l)
      elements[l] = values[l] >> (part * n) & ((U64{1} << part) - 1);
    store_values(w, r, n, elements, mask);
  }
}

// The most frequent form: 64 bits and their halves, as compilers pass doubles and pointers to
// shuffles.
void pack_halves(Warp& w, const DecodedInstruction& r, U32 mask) {
  lane_op<U64, U32, U32>(w, r, mask, [](U32 low, U32 high) { return U64{high} << 32 | low; });
}
void unpack_halves(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto* whole = source<U64>(w, r, 0);
  alignas(64) U32 low[kWarpSize], high[kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l)
    low[l] = static_cast<U32>(whole[l]), high[l] = static_cast<U32>(whole[l] >> 32);
  if (r.dst_bytes[0] == 4) store_lanes<4>(w.bases[0] + r.dst[0], low, mask);
  if (r.dst_bytes[1] == 4) store_lanes<4>(w.bases[0] + r.dst[1], high, mask);
}

// Shared and local addresses are in windows of the generic space; global addresses are the same in
// both.
U64 window_of(Space s) {
  switch (s) {
    case Space::shared: return kSharedWindow;
    case Space::local: return kLocalWindow;
    case Space::param: return kParamWindow;
    default: return 0;
  }
}

void convert_address(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U64 window = window_of(r.instruction->space), add = ptx_of(r).to_generic ? window : -window;
  std::array<U64, kWarpSize> values;
  for (std::size_t l = 0; l < kWarpSize; ++l)
    values[l] = lane_value(row(w, r.src[0]), r.src[0].bytes, l) + add;
  store_values(w, r, 0, values, mask);
}
void is_space(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Machine& m = *w.machine;
  const bool in_cluster = ptx_of(r).cluster;
  U32 holds = 0;
  for (std::size_t l = 0; l < kWarpSize; ++l) {
    const U64 a = lane_value(row(w, r.src[0]), r.src[0].bytes, l);
    const bool shared = in_shared_window(m, a), local = a - kLocalWindow < kWindowBytes,
               param = a - kParamWindow < kWindowBytes;
    bool is = false;
    switch (r.instruction->space) {
      case Space::shared:
        is = shared &&
             (in_cluster || shared_place(m, w.cta->rank, a - kSharedWindow).rank == w.cta->rank);
        break;
      case Space::local: is = local; break;
      case Space::param: is = param; break;
      case Space::global: is = !shared && !local && !param; break;
      default: break;  // constants are among the global variables
    }
    holds |= U32{is} << l;
  }
  set_predicate(w, r.dst_predicate[0], holds, mask);
}

// mapa and getctarank, whose addresses are in the window of shared memory, or generic without a
// space.
U64 window_of_cluster(const DecodedInstruction& r) { return ptx_of(r).cluster ? 0 : kSharedWindow; }

void map_address(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Machine& m = *w.machine;
  const U64 window = window_of_cluster(r);
  std::array<U64, kWarpSize> values;
  for (std::size_t l = 0; l < kWarpSize; ++l) {
    values[l] = lane_value(row(w, r.src[0]), r.src[0].bytes, l);
    if (!m.launch.clusters) continue;
    const U64 rank = lane_value(row(w, r.src[1]), r.src[1].bytes, l);
    values[l] = window + m.map.cluster_base + (rank << kClusterAddressBits) +
                shared_place(m, w.cta->rank, values[l] - window).offset;
  }
  store_values(w, r, 0, values, mask);
}

void rank_of_address(Warp& w, const DecodedInstruction& r, U32 mask) {
  std::array<U64, kWarpSize> values;
  for (std::size_t l = 0; l < kWarpSize; ++l)
    values[l] = shared_place(*w.machine, w.cta->rank,
                             lane_value(row(w, r.src[0]), r.src[0].bytes, l) - window_of_cluster(r))
                    .rank;
  store_values(w, r, 0, values, mask);
}

void arrive_at_cluster(Warp& w, const DecodedInstruction&, U32 mask) {
  if (w.machine->launch.clusters) w.cluster_arrived |= mask;
}

void read_clock(Warp& w, const DecodedInstruction& r, U32 mask) {
  const double ns_per_cycle = 1000.0 / w.machine->view.core_mhz;
  const auto timer = static_cast<U64>(static_cast<double>(w.now) * ns_per_cycle);
  U64 value = 0;
  switch (ptx_of(r).special) {
    case SpecialRegister::clock: value = static_cast<U32>(w.now); break;
    case SpecialRegister::clock_hi: value = w.now >> 32; break;
    case SpecialRegister::clock64: value = w.now; break;
    case SpecialRegister::globaltimer: value = timer; break;
    case SpecialRegister::globaltimer_lo: value = static_cast<U32>(timer); break;
    case SpecialRegister::globaltimer_hi: value = timer >> 32; break;
    default: break;
  }
  std::array<U64, kWarpSize> values;
  values.fill(value);
  store_values(w, r, 0, values, mask);
}

// Which data the L2 keeps longer is not modelled.
void create_policy(Warp& w, const DecodedInstruction& r, U32 mask) {
  store_values(w, r, 0, std::array<U64, kWarpSize>{}, mask);
}

}  // namespace

Handler move_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mov:
      if (i.type == Type::b128) return move_wide;
      if (i.vector == 2 && wide_bits(i) == 64 && i.src[1])
        return i.src[0].bytes == 4 && i.src[1].bytes == 4 && i.dst[0].bytes == 8 ? pack_halves
                                                                                 : pack;
      if (i.vector == 2 && wide_bits(i) == 64 && i.src[0].bytes == 8) return unpack_halves;
      if (i.vector > 1) return i.src[1] ? pack : unpack;
      if (i.dst[0].kind == ptx::Operand::Kind::pred) return move_predicate;
      return i.dst[0].bytes == 8 ? move<8> : move<4>;
    case Opcode::mov_vector: return move_vector;
    case Opcode::cvta:
      if (window_of(i.space) == 0 && i.src[0].bytes == i.dst[0].bytes)
        return i.dst[0].bytes == 8 ? move<8> : move<4>;
      return convert_address;
    case Opcode::isspacep: return is_space;
    case Opcode::mapa: return map_address;
    case Opcode::getctarank: return rank_of_address;
    case Opcode::cluster_arrive: return arrive_at_cluster;
    case Opcode::createpolicy: return create_policy;
    case Opcode::read_special: return ptx::is_dynamic(i.special) ? read_clock : nullptr;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
