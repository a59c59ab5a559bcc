// cp.async.bulk between global and shared memory, by one lane or several. The bytes are copied when
// the instruction issues, as with cp.async; the mbarrier is notified when they have arrived.
#include <algorithm>

#include "exec/fault.h"
#include "exec/isa/bulk_copy.h"
#include "exec/isa/decode.h"
#include "exec/isa/mbarrier.h"
#include "exec/isa/memory_access.h"
#include "exec/state/atomic_pool.h"

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

U32 load_range(Warp& w, const DecodedInstruction& r, int lane, U64 shared) {
  Machine& m = *w.machine;
  const LaneBulkCopy copy = bulk_copy(w, r, lane);
  const U64 from = check_global(w, r, lane, copy.global, copy.bytes);
  std::uint8_t* const to =
      w.cta->shared.data() + check_shared(w, r, lane, shared, copy.bytes, kPiece);
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
        w.cta->shared.data() + check_shared(w, r, lane, copy.shared, copy.bytes, kPiece);
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

void load_in_bulk(Warp& w, const DecodedInstruction& r, U32 mask, CopyToShared copy) {
  Machine& m = *w.machine;
  std::array<U64, kWarpSize> objects{}, sizes{};
  begin_bulk_step(w);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const LaneBulkCopy operands = bulk_copy(w, r, lane);
    const U32 bytes = copy(w, r, lane, operands.shared);
    objects[l] = check_shared(w, r, lane, operands.object, 8, 8);
    sizes[l] = bytes;
    if (m.direct) arrive_later(w, r, lane, objects[l], bytes);
  }
  if (!m.direct) defer_atomic(w, r, mask, objects).operands = sizes;
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
