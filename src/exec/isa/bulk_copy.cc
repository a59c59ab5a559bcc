// cp.async.bulk between global and shared memory, and between CTAs of a cluster. The bytes are
// copied when the instruction issues, as with cp.async; the mbarrier is notified when they have
// arrived.
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
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 kPiece = 16;

// Checks that global memory holds the whole range and that it is aligned.
U64 check_global(Warp& w, const DecodedInstruction& r, int lane, U64 address, U32 bytes) {
  if (address % kPiece) throw_misaligned(w, r, lane, address, kPiece);
  if (bytes % kPiece)
    throw_trap(
        w, r, lane,
        "the size of a bulk copy has to be a multiple of 16 bytes, not " + std::to_string(bytes));
  if (!w.machine->memory.valid(Address{address}, bytes))
    throw_out_of_bounds(w, r, lane, Space::global, address, bytes, 0);
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
    std::memmove(to, w.cta->shared.data() + check_shared(w, r, lane, within, copy.bytes, kPiece),
                 copy.bytes);
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
    if (m.direct)
      std::memcpy(m.memory.host(Address{to}), from, copy.bytes);
    else
      for (U32 n = 0; n < copy.bytes; n += kPiece) m.stores.store(to + n, from + n, kPiece);
    report_range(w, to, copy.bytes);
  }
}

U64 address_in(const Warp& w, const RowSource& base, int lane, U64 displacement) {
  return (base.present ? pair_or_word(w, base, static_cast<std::size_t>(lane)) : 0) + displacement;
}
// Of machine code in units, in the lower half of a word. A copy of a tensor names none.
U32 bytes_in(const Warp& w, const DecodedInstruction& r, int lane) {
  if (!r.src[ptx::CopySource::bytes].present) return 0;
  const U32 size = source<U32>(w, r, ptx::CopySource::bytes)[lane];
  return r.machine.address_shift ? (size & 0xffff) << r.machine.address_shift : size;
}

}  // namespace

namespace {

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
  if (const ptx::Operand& ranks = ptx_of(r).src[ptx::CopySource::cta_mask])
    targets.ranks = fragment_row<U32>(w, ranks)[lane] & 0xffff;
  else if (object.rank != shared.rank)
    throw_trap(w, r, lane, "a bulk copy whose mbarrier is not in the CTA that it writes");
  const U32 ctas = m.launch.clusters ? m.launch.clusters->shape.ctas() : 1;
  if (targets.ranks >> ctas != 0)
    throw_trap(w, r, lane, "a bulk copy to a CTA that its cluster does not have");
  return targets;
}

// The bytes, which are in `memory`, go to the other CTAs.
void send_bytes(Warp& w, const DecodedInstruction& r, int lane, const BulkTargets& to,
                const std::uint8_t* memory, U32 bytes) {
  Machine& m = *w.machine;
  for (U32 rest = to.ranks & ~(U32{1} << w.cta->rank); rest; rest &= rest - 1) {
    const auto rank = static_cast<U32>(std::countr_zero(rest));
    const std::uint8_t* const from = memory + to.shared;
    if (m.direct)
      std::memcpy(cta_of_cluster(w, r, lane, w.cta->linear, rank).shared.data() + to.shared, from,
                  bytes);
    else
      m.remote_bytes.push_back(
          {&w, &r, lane, w.cta->linear, rank, to.shared, {from, from + bytes}});
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
      m.remote_bytes.push_back({&w, &r, lane, w.cta->linear, rank, object, {}, bytes});
  }
}

void load_in_bulk(Warp& w, const DecodedInstruction& r, U32 mask, CopyToShared copy) {
  Machine& m = *w.machine;
  std::array<U64, kWarpSize> objects{}, sizes{}, ranks{};
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
    send_bytes(w, r, lane, to, memory, bytes);
    objects[l] = check_shared(w, r, lane, to.object, 8, 8);
    sizes[l] = bytes;
    ranks[l] = to.ranks;
    if (m.direct) bulk_load_arrives(w, r, lane, objects[l], bytes, to.ranks);
  }
  if (m.direct) return;
  if (ptx_of(r).as<ptx::BulkCopy>().from_shared) {
    constexpr U64 kSectorBytes = 32;
    w.step->space = Space::shared;
    w.step->remote = kNoRemoteAccess;
    w.step->remote_lanes = LaneMask{mask};
    w.step->remote_sectors =
        static_cast<U32>(std::accumulate(sizes.begin(), sizes.end(), U64{0}) / kSectorBytes);
  }
  PendingAtomic& pending = defer_atomic(w, r, mask, objects);
  pending.operands = sizes;
  pending.compared = ranks;
}

LaneBulkCopy bulk_copy(const Warp& w, const DecodedInstruction& r, int lane) {
  using Source = ptx::CopySource;
  const auto& copy = ptx_of(r).as<ptx::BulkCopy>();
  return {address_in(w, r.src[Source::global], lane, static_cast<U64>(r.offset)),
          address_in(w, r.src[Source::shared], lane, copy.shared_offset),
          address_in(w, r.src[Source::mbarrier], lane, copy.mbarrier_offset), bytes_in(w, r, lane)};
}

Handler bulk_copy_handler(const ptx::Instruction& i) {
  if (i.as<ptx::BulkCopy>().dimensions > 0) return tensor_copy_handler(i);
  return i.opcode == ptx::Opcode::bulk_load ? load : store;
}

}  // namespace heddle::exec
