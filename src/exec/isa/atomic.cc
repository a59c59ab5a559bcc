// Atomics and reductions. Shared and local ones act when they issue; global ones act when the
// memory system calls them, lane by lane.
#include <algorithm>
#include <cmath>

#include "exec/isa/bulk_copy.h"
#include "exec/isa/decode.h"
#include "exec/isa/matrix.h"
#include "exec/isa/mbarrier.h"
#include "exec/isa/memory_access.h"
#include "exec/isa/small_float.h"
#include "exec/livelock/livelock_detector.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::AtomicOp;
using ptx::Type;

template <class T>
T combine(AtomicOp op, T old, T operand, T compared) {
  switch (op) {
    case AtomicOp::and_: return old & operand;
    case AtomicOp::or_: return old | operand;
    case AtomicOp::xor_: return old ^ operand;
    case AtomicOp::exch: return operand;
    case AtomicOp::cas: return old == compared ? operand : old;
    case AtomicOp::add: return static_cast<T>(static_cast<U64>(old) + static_cast<U64>(operand));
    case AtomicOp::min: return std::min(old, operand);
    case AtomicOp::max: return std::max(old, operand);
    case AtomicOp::inc: return old >= operand ? T{0} : static_cast<T>(old + 1);
    case AtomicOp::dec: return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
    case AtomicOp::none: break;
  }
  return old;
}
template <class T>
U64 integer(AtomicOp op, void* place, U64 operand, U64 compared) {
  T old;
  std::memcpy(&old, place, sizeof old);
  const T now = combine<T>(op, old, static_cast<T>(operand), static_cast<T>(compared));
  std::memcpy(place, &now, sizeof now);
  return static_cast<U64>(old);
}
// exch and cas of floating-point values operate on their bits.
template <class F, class Bits>
U64 floating(AtomicOp op, void* place, U64 operand, U64 compared) {
  if (op == AtomicOp::exch || op == AtomicOp::cas)
    return integer<Bits>(op, place, operand, compared);
  Bits old;
  std::memcpy(&old, place, sizeof old);
  const F a = std::bit_cast<F>(old), b = std::bit_cast<F>(static_cast<Bits>(operand));
  F now = op == AtomicOp::add ? a + b : op == AtomicOp::min ? std::fmin(a, b) : std::fmax(a, b);
  if constexpr (sizeof(F) == 4) now = canonical(now);
  std::memcpy(place, &now, sizeof now);
  return old;
}

// add.noftz, min.noftz and max.noftz. A number wins over a NaN, and -0 is below +0.
template <class F>
U32 small_result(AtomicOp op, U32 a, U32 b) {
  const float x = F::decode(a), y = F::decode(b);
  if (op == AtomicOp::add)
    return encode(F::format, sum_to_odd(static_cast<double>(x), static_cast<double>(y)),
                  ptx::Rounding::rn);
  if (x != x || y != y) return x == x ? a : y == y ? b : F::format.nan;
  const bool below = x < y || (x == y && std::signbit(x));
  return below == (op == AtomicOp::min) ? a : b;
}
template <class F, bool kPair>
U64 small(AtomicOp op, void* place, U64 operand) {
  const auto given = static_cast<U32>(operand);
  U32 old = 0;
  std::memcpy(&old, place, kPair ? 4 : 2);
  U32 now = small_result<F>(op, old & 0xffff, given & 0xffff);
  if (kPair) now |= small_result<F>(op, old >> 16, given >> 16) << 16;
  std::memcpy(place, &now, kPair ? 4 : 2);
  return old;
}

U64 lane_value(const Warp& w, const RowSource& s, std::size_t lane, std::size_t bytes) {
  U64 v = 0;
  if (s.pair) return pair_or_word(w, s, lane);
  if (s.present) std::memcpy(&v, row(w, s) + lane * s.bytes, std::min<std::size_t>(bytes, s.bytes));
  return v;
}

void write_old(Warp& w, const DecodedInstruction& r, const std::array<U64, kWarpSize>& old,
               U32 mask) {
  if (r.machine.pair_result) {
    alignas(64) U32 halves[2][kWarpSize];
    for (std::size_t l = 0; l < kWarpSize; ++l)
      halves[0][l] = static_cast<U32>(old[l]), halves[1][l] = static_cast<U32>(old[l] >> 32);
    for (U32 n = 0; n < 2; ++n)
      store_lanes<4>(w.bases[0] + r.dst[0] + n * sizeof halves[0], halves[n], mask);
  } else if (r.dst_bytes[0] == 8) {
    alignas(64) std::array<U64, kWarpSize> values = old;
    store_lanes<8>(w.bases[0] + r.dst[0], values.data(), mask);
  } else if (r.dst_bytes[0] == 4) {
    alignas(64) U32 values[kWarpSize];
    for (std::size_t l = 0; l < kWarpSize; ++l) values[l] = static_cast<U32>(old[l]);
    store_lanes<4>(w.bases[0] + r.dst[0], values, mask);
  }
}

U64 perform(AtomicOp op, Type type, void* place, U64 operand, U64 compared) {
  switch (type) {
    case Type::f32: return floating<float, U32>(op, place, operand, compared);
    case Type::f64: return floating<double, U64>(op, place, operand, compared);
    case Type::s32: return integer<std::int32_t>(op, place, operand, compared);
    case Type::s64: return integer<std::int64_t>(op, place, operand, compared);
    case Type::b64:
    case Type::u64: return integer<U64>(op, place, operand, compared);
    case Type::b16:
    case Type::u16: return integer<std::uint16_t>(op, place, operand, compared);
    case Type::f16: return small<HalfFloat, false>(op, place, operand);
    case Type::f16x2: return small<HalfFloat, true>(op, place, operand);
    case Type::bf16: return small<BrainFloat, false>(op, place, operand);
    case Type::bf16x2: return small<BrainFloat, true>(op, place, operand);
    default: return integer<U32>(op, place, operand, compared);
  }
}

// exch and cas are the only operations on 128 bits; the two halves are adjacent in memory.
struct WidePair {
  U64 lower = 0, upper = 0;
  bool operator==(const WidePair&) const = default;
};
WidePair perform_wide(const Machine& m, const ptx::Instruction& i, void* place, WidePair operand,
                      WidePair compared) {
  WidePair old;
  std::memcpy(&old, place, sizeof old);
  if (i.atomic == AtomicOp::cas && old != compared) return old;
  std::memcpy(place, &operand, sizeof operand);
  if (m.detector && old != operand) m.detector->note_change();
  return old;
}

// As perform(), and notifies the livelock detector when the value in memory has changed.
U64 perform_observed(const Machine& m, AtomicOp op, Type type, void* place, U64 operand,
                     U64 compared) {
  if (!m.detector) [[likely]]
    return perform(op, type, place, operand, compared);
  const auto bytes = ptx::bytes_of(type);
  std::array<std::uint8_t, 8> before;
  std::memcpy(before.data(), place, bytes);
  const U64 old = perform(op, type, place, operand, compared);
  if (std::memcmp(before.data(), place, bytes) != 0) m.detector->note_change();
  return old;
}

U64 half_value(const Warp& w, const DecodedInstruction& r, std::size_t n, std::size_t lane) {
  return lane_value(w, r.src[n], lane, 8);
}

void write_upper(Warp& w, const DecodedInstruction& r, const std::array<U64, kWarpSize>& old,
                 U32 mask) {
  if (r.dst_bytes[1] != 8) return;
  alignas(64) std::array<U64, kWarpSize> values = old;
  store_lanes<8>(w.bases[0] + r.dst[1], values.data(), mask);
}

// cas: src[1] is the compared value, src[2] the new value. Others: src[1] is the operand.
void atomic(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  Machine& m = *w.machine;
  const auto bytes = ptx::bytes_of(i.type);
  const bool cas = i.atomic == AtomicOp::cas;
  const RowSource &value = cas ? r.src[2] : r.src[1], &compare = r.src[1];
  Located at;
  locate(w, r, mask, static_cast<U32>(bytes), !m.direct, at);
  const U32 later = m.direct ? 0 : at.global_lanes, now = mask & ~later & ~at.remote_lanes;
  std::array<U64, kWarpSize> old{};
  for (U32 rest = now; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    old[l] = perform_observed(m, i.atomic, i.type, at.at(lane), lane_value(w, value, l, bytes),
                              cas ? lane_value(w, compare, l, bytes) : 0);
  }
  write_old(w, r, old, now);
  const auto keep_operands = [&](PendingAtomic& pending) {
    for (std::size_t l = 0; l < kWarpSize; ++l) {
      pending.operands[l] = lane_value(w, value, l, bytes);
      pending.compared[l] = cas ? lane_value(w, compare, l, bytes) : 0;
    }
  };
  if (at.remote_lanes) [[unlikely]]
    keep_operands(defer_remote_atomic(w, r, at));
  if (later) keep_operands(defer_atomic(w, r, later, m.addresses));
}

// exch: src[1..2] is the new value. cas: src[1..2] is the compared value, src[3..4] the new value.
void wide_atomic(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  Machine& m = *w.machine;
  const bool cas = i.atomic == AtomicOp::cas;
  const std::size_t value = cas ? 3 : 1;
  Located at;
  locate(w, r, mask, 16, !m.direct, at);
  const U32 later = m.direct ? 0 : at.global_lanes, now = mask & ~later & ~at.remote_lanes;
  std::array<U64, kWarpSize> lower{}, upper{};
  for (U32 rest = now; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const WidePair compared =
        cas ? WidePair{half_value(w, r, 1, l), half_value(w, r, 2, l)} : WidePair{};
    const WidePair old = perform_wide(
        m, i, at.at(lane), {half_value(w, r, value, l), half_value(w, r, value + 1, l)}, compared);
    lower[l] = old.lower, upper[l] = old.upper;
  }
  write_old(w, r, lower, now);
  write_upper(w, r, upper, now);
  const auto keep_operands = [&](PendingAtomic& pending) {
    pending.upper = std::make_unique<UpperHalves>();
    for (std::size_t l = 0; l < kWarpSize; ++l) {
      pending.operands[l] = half_value(w, r, value, l);
      pending.upper->operands[l] = half_value(w, r, value + 1, l);
      pending.compared[l] = cas ? half_value(w, r, 1, l) : 0;
      pending.upper->compared[l] = cas ? half_value(w, r, 2, l) : 0;
    }
  };
  if (at.remote_lanes) [[unlikely]]
    keep_operands(defer_remote_atomic(w, r, at));
  if (later) keep_operands(defer_atomic(w, r, later, m.addresses));
}

// The elements of a vector, singles or halves, are updated one after the other. They are passed as
// two words of 64 bits.
U32 vector_bytes(const ptx::Instruction& i) { return U32{i.vector} * ptx::bytes_of(i.type); }

WidePair update_vector(const Machine& m, const ptx::Instruction& i, void* place,
                       WidePair operands) {
  WidePair old;
  const std::size_t bytes = ptx::bytes_of(i.type);
  for (std::size_t n = 0; n < i.vector; ++n) {
    U64 operand = 0;
    std::memcpy(&operand, reinterpret_cast<const std::uint8_t*>(&operands) + n * bytes, bytes);
    const U64 before = perform_observed(m, i.atomic, i.type,
                                        static_cast<std::uint8_t*>(place) + n * bytes, operand, 0);
    std::memcpy(reinterpret_cast<std::uint8_t*>(&old) + n * bytes, &before, bytes);
  }
  return old;
}

WidePair vector_operands(const Warp& w, const DecodedInstruction& r, std::size_t lane) {
  WidePair out;
  const ptx::Instruction& i = ptx_of(r);
  const std::size_t bytes = ptx::bytes_of(i.type);
  for (std::size_t n = 0; n < i.vector; ++n) {
    const U32 value =
        r.machine.pair_result
            ? reinterpret_cast<const Lane<U32>*>(row(w, r.src[1]))[n * kWarpSize + lane]
            : fragment_row<U32>(w, fragments(w, r).src[n])[lane];
    std::memcpy(reinterpret_cast<std::uint8_t*>(&out) + n * bytes, &value, bytes);
  }
  return out;
}

void write_vector(Warp& w, const DecodedInstruction& r, const std::array<U64, kWarpSize>& lower,
                  const std::array<U64, kWarpSize>& upper, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  const U32 bits = 8 * ptx::bytes_of(i.type);
  const bool machine_code = r.machine.pair_result;
  if (machine_code && r.dst_bytes[0] == 0) return;
  for (U32 n = 0; n < i.vector && (machine_code || fragments(w, r).dst[n]); ++n) {
    alignas(64) U32 values[kWarpSize];
    for (std::size_t l = 0; l < kWarpSize; ++l) {
      const U64 half = n * bits < 64 ? lower[l] : upper[l];
      values[l] = static_cast<U32>(half >> (n * bits % 64)) & (bits == 32 ? ~U32{0} : 0xffff);
    }
    if (machine_code)
      store_lanes<4>(w.bases[0] + r.dst[0] + n * sizeof values, values, mask);
    else
      store_lanes<4>(fragment_row<U32>(w, fragments(w, r).dst[n]), values, mask);
  }
}

void vector_atomic(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  Machine& m = *w.machine;
  Located at;
  locate(w, r, mask, vector_bytes(i), !m.direct, at);
  const U32 later = m.direct ? 0 : at.global_lanes, now = mask & ~later & ~at.remote_lanes;
  std::array<U64, kWarpSize> lower{}, upper{};
  for (U32 rest = now; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const WidePair old = update_vector(m, i, at.at(lane), vector_operands(w, r, l));
    lower[l] = old.lower, upper[l] = old.upper;
  }
  write_vector(w, r, lower, upper, now);
  const auto keep_operands = [&](PendingAtomic& pending) {
    pending.upper = std::make_unique<UpperHalves>();
    for (std::size_t l = 0; l < kWarpSize; ++l) {
      const WidePair operands = vector_operands(w, r, l);
      pending.operands[l] = operands.lower, pending.upper->operands[l] = operands.upper;
    }
  };
  if (at.remote_lanes) [[unlikely]]
    keep_operands(defer_remote_atomic(w, r, at));
  if (later) keep_operands(defer_atomic(w, r, later, m.addresses));
}

Type type_in(const ptx::Instruction& i, U32 signed_lanes, std::size_t lane) {
  if (!(signed_lanes >> lane & 1)) return i.type;
  return i.type == Type::b64 ? Type::s64 : Type::s32;
}

std::uint8_t* remote_place(const PendingAtomic& pending, std::size_t l) {
  const U64 address = pending.addresses[l];
  Cta& cta =
      cta_of_cluster(*pending.warp, *pending.decoded, static_cast<int>(l),
                     pending.warp->cta->linear, static_cast<U32>(address >> kClusterAddressBits));
  return cta.shared.data() + (address & (kWindowBytes - 1));
}

void perform_pending_lane(Machine& m, PendingAtomic& pending, std::size_t l) {
  const ptx::Instruction& i = ptx_of(*pending.decoded);
  if (i.opcode == ptx::Opcode::bulk_load)
    return bulk_load_arrives(*pending.warp, *pending.decoded, static_cast<int>(l),
                             pending.addresses[l], static_cast<U32>(pending.operands[l]),
                             static_cast<U32>(pending.compared[l]));
  if (i.opcode == ptx::Opcode::cp_async_arrive)
    return arrive_later(*pending.warp, *pending.decoded, static_cast<int>(l), *pending.warp->cta,
                        pending.addresses[l], 0);
  std::uint8_t* const place =
      pending.remote ? remote_place(pending, l) : m.memory.host(Address{pending.addresses[l]});
  if (i.opcode == ptx::Opcode::mbarrier)
    return change_remotely(*pending.warp, *pending.decoded, static_cast<int>(l), place,
                           static_cast<U32>(pending.operands[l]));
  if (!pending.upper) {
    pending.old[l] = perform_observed(m, i.atomic, type_in(i, pending.signed_lanes, l), place,
                                      pending.operands[l], pending.compared[l]);
    return;
  }
  UpperHalves& upper = *pending.upper;
  const WidePair old = i.opcode == ptx::Opcode::atom_wide
                           ? update_vector(m, i, place, {pending.operands[l], upper.operands[l]})
                           : perform_wide(m, i, place, {pending.operands[l], upper.operands[l]},
                                          {pending.compared[l], upper.compared[l]});
  pending.old[l] = old.lower, upper.old[l] = old.upper;
}

}  // namespace

PendingAtomic& defer_atomic(Warp& w, const DecodedInstruction& r, U32 lanes,
                            const std::array<U64, kWarpSize>& addresses) {
  const U32 handle = w.machine->atomics.take();
  PendingAtomic& pending = w.machine->atomics[handle];
  pending.decoded = &r;
  pending.warp = &w;
  pending.remaining = pending.executed = lanes;
  pending.addresses = addresses;
  pending.signed_lanes = 0;
  pending.remote = false;
  ++w.pending_atomics;
  if (w.step) w.step->atomic = handle;
  return pending;
}

PendingAtomic& defer_remote_atomic(Warp& w, const DecodedInstruction& r, const Located& at) {
  RemoteAccess& access = w.machine->remote[at.remote];
  PendingAtomic& pending = defer_atomic(w, r, at.remote_lanes, access.addresses);
  pending.remote = access.atomic = true;
  access.atomic_handle = w.step->atomic;
  return pending;
}

void reduce_global(Warp& w, const DecodedInstruction& r, U32 mask,
                   const std::array<U64, kWarpSize>& addresses,
                   const std::array<U64, kWarpSize>& operands, U32 signed_lanes) {
  if (mask == 0) return;
  Machine& m = *w.machine;
  if (!m.direct) {
    PendingAtomic& pending = defer_atomic(w, r, mask, addresses);
    pending.operands = operands;
    pending.signed_lanes = signed_lanes;
    return;
  }
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(rest));
    perform_observed(m, ptx_of(r).atomic, type_in(ptx_of(r), signed_lanes, l),
                     m.memory.host(Address{addresses[l]}), operands[l], 0);
  }
}

void put_bytes(const Machine& m, const DecodedInstruction& r, Type type, void* to, const void* from,
               U32 bytes) {
  const AtomicOp op = ptx_of(r).atomic;
  if (op == AtomicOp::none) {
    std::memmove(to, from, bytes);
    return;
  }
  const U32 size = ptx::bytes_of(type);
  for (U32 n = 0; n < bytes; n += size) {
    U64 operand = 0;
    std::memcpy(&operand, static_cast<const std::uint8_t*>(from) + n, size);
    perform_observed(m, op, type, static_cast<std::uint8_t*>(to) + n, operand, 0);
  }
}

void perform_pending(Machine& m, U32 handle, U32 lanes) {
  check_invariant(handle < m.atomics.size(), "an atomic acts that was not issued");
  PendingAtomic& pending = m.atomics[handle];
  const U32 acting = lanes & pending.remaining;
  for (U32 rest = acting; rest; rest &= rest - 1) {
    perform_pending_lane(m, pending, static_cast<std::size_t>(std::countr_zero(rest)));
  }
  pending.remaining &= ~acting;
  if (acting == 0 || pending.remaining) return;
  const bool vector = ptx_of(*pending.decoded).opcode == ptx::Opcode::atom_wide;
  if (vector)
    write_vector(*pending.warp, *pending.decoded, pending.old, pending.upper->old,
                 pending.executed);
  else
    write_old(*pending.warp, *pending.decoded, pending.old, pending.executed);
  if (pending.upper && !vector)
    write_upper(*pending.warp, *pending.decoded, pending.upper->old, pending.executed);
  pending.upper.reset();
  --pending.warp->pending_atomics;
  m.atomics.release(handle);
}

Handler atomic_handler(const ptx::Instruction& i) {
  if (i.opcode == ptx::Opcode::atom_wide) return vector_atomic;
  switch (i.type) {
    case Type::b128: return wide_atomic;
    case Type::f32:
    case Type::f64:
    case Type::s32:
    case Type::u32:
    case Type::b32:
    case Type::s64:
    case Type::u64:
    case Type::b64:
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2:
    case Type::b16:
    case Type::u16: return atomic;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
