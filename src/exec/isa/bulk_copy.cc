// cp.async.bulk between global and shared memory, and between CTAs of a cluster. The bytes are
// copied when the instruction issues, as with cp.async; the mbarrier is notified when they have
// arrived. In a timed run reductions act when the window ends, as copies to other CTAs do.
#include <algorithm>
#include <numeric>

#include "exec/fault.h"
#include "exec/isa/bulk_copy.h"
#include "exec/isa/decode.h"
#include "exec/isa/matrix.h"
#include "exec/isa/mbarrier.h"
#include "exec/isa/memory_access.h"
#include "exec/state/pending_atomic.h"

namespace heddle::exec {
namespace {

using ptx::Space;

constexpr U32 kPiece = 16;

// Checks that global memory holds the whole range and that it is aligned.
U64 check_global(Warp& w, const DecodedInstruction& r, int lane, U64 address, U32 bytes) {
  if (address % kPiece) throw_misaligned(w, r, lane, address, kPiece);
  if (bytes % kPiece)
    throw_trap(
        w, r, lane,
        "the size of a bulk copy has to be a multiple of 16 bytes, not " + std::to_string(bytes));
  const U64 given = address;
  address = w.machine->memory.allocations().on_device(Address{address}).value;
  if (!w.machine->memory.valid(Address{address}, bytes))
    throw_out_of_bounds(w, r, lane, Space::global, given, bytes, 0);
  return address;
}

U64 check_shared(Warp& w, const DecodedInstruction& r, int lane, U64 address, U32 bytes,
                 U32 aligned) {
  const Machine& m = *w.machine;
  if (address % aligned) throw_misaligned(w, r, lane, address, aligned);
  if (address > m.shared_bytes || m.shared_bytes - address < bytes)
    throw_out_of_bounds(w, r, lane, Space::shared, address, bytes, m.shared_bytes);
  return address;
}

void report_range(Warp& w, U64 address, U32 bytes) {
  if (w.step) w.step->bulk_ranges.push_back({address, bytes});
}

U32 load_range(Warp& w, const DecodedInstruction& r, int lane, U64 shared, std::uint8_t* memory) {
  Machine& m = *w.machine;
  const LaneBulkCopy copy = bulk_copy(w, r, lane);
  std::uint8_t* const to = memory + check_shared(w, r, lane, shared, copy.bytes, kPiece);
  if (ptx_of(r).as<ptx::BulkCopy>().from_shared) {
    const U64 within = shared_place(m, w.cta->rank, copy.global).offset;
    const std::uint8_t* const from =
        w.cta->shared.data() + check_shared(w, r, lane, within, copy.bytes, kPiece);
    if (memory == w.cta->shared.data())
      put_bytes(m, r, ptx_of(r).type, to, from, copy.bytes);
    else
      std::memcpy(to, from, copy.bytes);
    return copy.bytes;
  }
  const U64 from = check_global(w, r, lane, copy.global, copy.bytes);
  std::memcpy(to, m.memory.host(Address{from}), copy.bytes);
  if (!m.direct && !m.stores.empty())
    for (U32 n = 0; n < copy.bytes; n += kPiece) m.stores.patch(from + n, to + n, kPiece);
  report_range(w, from, copy.bytes);
  return copy.bytes;
}

void load(Warp& w, const DecodedInstruction& r, U32 mask) { load_in_bulk(w, r, mask, load_range); }

void store(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  begin_bulk_step(w);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const LaneBulkCopy copy = bulk_copy(w, r, lane);
    const U64 to = check_global(w, r, lane, copy.global, copy.bytes);
    const std::uint8_t* const from =
        w.cta->shared.data() + check_shared(w, r, lane,
                                            shared_place(m, w.cta->rank, copy.shared).offset,
                                            copy.bytes, kPiece);
    store_bytes(w, r, lane, ptx_of(r).type, to, from, copy.bytes);
    report_range(w, to, copy.bytes);
  }
}

U64 address_in(const Warp& w, const RowSource& base, int lane, U64 displacement) {
  return (base.present ? pair_or_word(w, base, static_cast<std::size_t>(lane)) : 0) + displacement;
}
// Of machine code in units, in the lower half of a word. A copy of a tensor names none.
U32 bytes_in(const Warp& w, const DecodedInstruction& r, int lane) {
  if (ptx_of(r).as<ptx::BulkCopy>().from_registers)
    return U32{r.instruction->access_bytes} * r.instruction->vector;
  if (!r.src[ptx::CopySource::bytes].present) return 0;
  const U32 size = source<U32>(w, r, ptx::CopySource::bytes)[lane];
  return r.machine.address_shift ? (size & 0xffff) << r.machine.address_shift : size;
}

// The CTAs of the cluster that a lane's copy goes to, a bit for each rank, and its offset in their
// shared memory.
struct BulkTargets {
  U32 ranks = 1;
  U64 shared = 0, object = 0;
};
BulkTargets bulk_targets(const Warp& w, const DecodedInstruction& r, int lane,
                         const LaneBulkCopy& copy) {
  const Machine& m = *w.machine;
  const U32 own = w.cta->rank;
  const SharedPlace shared = shared_place(m, own, copy.shared),
                    object = shared_place(m, own, copy.object);
  BulkTargets targets{U32{1} << shared.rank, shared.offset, object.offset};
  if (copy.ranks)
    targets.ranks = *copy.ranks;
  else if (object.rank != shared.rank)
    throw_trap(w, r, lane, "a bulk copy whose mbarrier is not in the CTA that it writes");
  const U32 ctas = m.launch.clusters ? m.launch.clusters->shape.ctas() : 1;
  if (targets.ranks >> ctas != 0)
    throw_trap(w, r, lane, "a bulk copy to a CTA that its cluster does not have");
  return targets;
}

// The bytes go to the other CTAs.
void send_bytes(Warp& w, const DecodedInstruction& r, int lane, const BulkTargets& to,
                const std::uint8_t* from, U32 bytes) {
  Machine& m = *w.machine;
  for (U32 rest = to.ranks & ~(U32{1} << w.cta->rank); rest; rest &= rest - 1) {
    const auto rank = static_cast<U32>(std::countr_zero(rest));
    if (m.direct)
      put_bytes(m, r, ptx_of(r).type,
                cta_of_cluster(w, r, lane, w.cta->linear, rank).shared.data() + to.shared, from,
                bytes);
    else
      m.sent_bytes.push_back({SentBytes::Target::cta,
                              &w,
                              &r,
                              lane,
                              w.cta->linear,
                              rank,
                              to.shared,
                              {from, from + bytes},
                              0,
                              ptx_of(r).type});
  }
}

}  // namespace

void bulk_load_arrives(Warp& w, const DecodedInstruction& r, int lane, U64 object, U32 bytes,
                       U32 ranks) {
  Machine& m = *w.machine;
  for (; ranks; ranks &= ranks - 1) {
    const auto rank = static_cast<U32>(std::countr_zero(ranks));
    if (rank == w.cta->rank)
      arrive_later(w, r, lane, *w.cta, object, bytes);
    else if (m.direct)
      arrive_later(w, r, lane, cta_of_cluster(w, r, lane, w.cta->linear, rank), object, bytes);
    else
      m.sent_bytes.push_back({SentBytes::Target::barrier,
                              &w,
                              &r,
                              lane,
                              w.cta->linear,
                              rank,
                              object,
                              {},
                              bytes,
                              ptx::Type::none});
  }
}

namespace {

// What the lanes have copied: for the arrival of the bytes at their mbarriers.
struct CopiedByLanes {
  std::array<U64, kWarpSize> objects{}, sizes{}, ranks{};
};

// The arrival: now, or when the copy has ended.
void notify_barriers(Warp& w, const DecodedInstruction& r, U32 mask, const CopiedByLanes& copied) {
  if (w.machine->direct) {
    for (U32 rest = mask; rest; rest &= rest - 1) {
      const auto l = static_cast<std::size_t>(std::countr_zero(rest));
      bulk_load_arrives(w, r, static_cast<int>(l), copied.objects[l],
                        static_cast<U32>(copied.sizes[l]), static_cast<U32>(copied.ranks[l]));
    }
    return;
  }
  if (ptx_of(r).as<ptx::BulkCopy>().from_shared) {
    constexpr U64 kSectorBytes = 32;
    const U64 bytes = std::accumulate(copied.sizes.begin(), copied.sizes.end(), U64{0});
    w.step->space = Space::shared;
    w.step->remote = kNoRemoteAccess;
    w.step->remote_lanes = LaneMask{mask};
    w.step->remote_sectors = static_cast<U32>((bytes + kSectorBytes - 1) / kSectorBytes);
  }
  PendingAtomic& pending = defer_atomic(w, r, mask, copied.objects);
  pending.operands = copied.sizes;
  pending.compared = copied.ranks;
}

}  // namespace

void load_in_bulk(Warp& w, const DecodedInstruction& r, U32 mask, CopyToShared copy) {
  Machine& m = *w.machine;
  CopiedByLanes copied;
  begin_bulk_step(w);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const BulkTargets to = bulk_targets(w, r, lane, bulk_copy(w, r, lane));
    std::vector<std::uint8_t> elsewhere;  // where the bytes are when none go to the own CTA
    std::uint8_t* memory = w.cta->shared.data();
    if (!(to.ranks >> w.cta->rank & 1)) {
      elsewhere.resize(m.shared_bytes);
      memory = elsewhere.data();
    }
    const U32 bytes = copy(w, r, lane, to.shared, memory);
    send_bytes(w, r, lane, to, memory + to.shared, bytes);
    copied.objects[l] = check_shared(w, r, lane, to.object, 8, 8);
    copied.sizes[l] = bytes;
    copied.ranks[l] = to.ranks;
  }
  notify_barriers(w, r, mask, copied);
}

void send_registers(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  constexpr U32 kMostBytes = 16;
  CopiedByLanes copied;
  begin_bulk_step(w);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const LaneBulkCopy copy = bulk_copy(w, r, lane);
    const BulkTargets to = bulk_targets(w, r, lane, copy);
    check_shared(w, r, lane, to.shared, copy.bytes, copy.bytes);
    std::array<std::uint8_t, kMostBytes> data{};
    const auto* const words = source<U32>(w, r, ptx::CopySource::global);
    for (std::size_t n = 0; n < copy.bytes / sizeof(U32); ++n)
      std::memcpy(data.data() + n * sizeof(U32), words + n * kWarpSize + l, sizeof(U32));
    if (to.ranks >> w.cta->rank & 1)
      put_bytes(m, r, ptx_of(r).type, w.cta->shared.data() + to.shared, data.data(), copy.bytes);
    send_bytes(w, r, lane, to, data.data(), copy.bytes);
    copied.objects[l] = check_shared(w, r, lane, to.object, 8, 8);
    copied.sizes[l] = copy.bytes;
    copied.ranks[l] = to.ranks;
  }
  notify_barriers(w, r, mask, copied);
}

LaneBulkCopy bulk_copy(const Warp& w, const DecodedInstruction& r, int lane) {
  using Source = ptx::CopySource;
  const auto& copy = ptx_of(r).as<ptx::BulkCopy>();
  std::optional<U32> ranks;
  if (copy.multicast)
    ranks = source<U32>(w, r, Source::bytes)[lane] >> 16;
  else if (const ptx::Operand& mask = ptx_of(r).src[Source::cta_mask])
    ranks = fragment_row<U32>(w, mask)[lane] & 0xffff;
  return {address_in(w, r.src[Source::global], lane, static_cast<U64>(r.offset)),
          address_in(w, r.src[Source::shared], lane, copy.shared_offset),
          address_in(w, r.src[Source::mbarrier], lane, copy.mbarrier_offset), bytes_in(w, r, lane),
          ranks};
}

void store_bytes(Warp& w, const DecodedInstruction& r, int lane, ptx::Type type, U64 to,
                 const std::uint8_t* from, U32 bytes) {
  Machine& m = *w.machine;
  if (m.direct) return put_bytes(m, r, type, m.memory.host(Address{to}), from, bytes);
  if (ptx_of(r).atomic != ptx::AtomicOp::none) {
    m.sent_bytes.push_back({SentBytes::Target::global,
                            &w,
                            &r,
                            lane,
                            w.cta->linear,
                            0,
                            to,
                            {from, from + bytes},
                            0,
                            type});
    return;
  }
  for (U32 n = 0; n < bytes;) {  // the parts that lie in one block of global memory
    const U32 part = std::min(bytes - n, kPiece - static_cast<U32>((to + n) % kPiece));
    m.stores.store(to + n, from + n, part);
    n += part;
  }
}

Handler bulk_copy_handler(const ptx::Instruction& i) {
  if (i.as<ptx::BulkCopy>().dimensions > 0) return tensor_copy_handler(i);
  return i.opcode == ptx::Opcode::bulk_load ? load : store;
}

}  // namespace heddle::exec
