// cp.async.bulk.tensor between global and shared memory. As with other bulk copies the bytes are
// copied when the instruction issues; the mbarrier is notified when they have arrived.
#include "exec/isa/tensor_copy.h"

#include <cmath>
#include <utility>

#include "exec/fault.h"
#include "exec/isa/bulk_copy.h"
#include "exec/isa/matrix.h"
#include "exec/isa/small_float.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using isa::Space;

constexpr U32 kBoxAlignment = 128;

std::uint8_t* shared_piece(const Warp& w, const DecodedInstruction& r, int lane, U64 address,
                           std::uint8_t* memory) {
  const Machine& m = *w.machine;
  if (address > m.shared_bytes || m.shared_bytes - address < kTensorPiece)
    throw_out_of_bounds(w, r, lane, Space::shared, address, kTensorPiece, m.shared_bytes);
  return memory + address;
}

// Calls f(bytes that precede, bytes) for the parts of a piece that lie in one 16-byte block of
// global memory.
template <class F>
void for_each_block(const TensorPiece& piece, F f) {
  const U32 bytes = piece.end - piece.first;
  const U32 first = std::min(bytes, kTensorPiece - static_cast<U32>(piece.global % kTensorPiece));
  if (first > 0) f(0u, first);
  if (bytes > first) f(first, bytes - first);
}

std::uint8_t* global_piece(Warp& w, const DecodedInstruction& r, int lane,
                           const TensorPiece& piece) {
  Machine& m = *w.machine;
  const U32 bytes = piece.end - piece.first;
  if (!m.memory.valid(Address{piece.global}, bytes))
    throw_out_of_bounds(w, r, lane, Space::global, piece.global, bytes, 0);
  return m.memory.host(Address{piece.global});
}

// A load of a tensor of tf32 rounds: infinities and NaNs stay as they are.
void round_to_tensor32(std::uint8_t* first, U32 bytes) {
  constexpr int kCutBits = 13;
  for (U32 n = 0; n < bytes; n += sizeof(float)) {
    float x;
    std::memcpy(&x, first + n, sizeof x);
    if (!std::isfinite(x)) continue;
    const U32 rounded = encode(kTensor32, x, ptx::Rounding::rn) << kCutBits;
    std::memcpy(first + n, &rounded, sizeof rounded);
  }
}

void report_rows(Warp& w, const LaneTensorCopy& copy) {
  if (!w.step) return;
  for_each_row(copy, [&](U32, U64 address, U32 begin, U32 end) {
    const U64 first = (address + begin) & ~U64{kTensorPiece - 1};
    if (end > begin)
      w.step->bulk_ranges.push_back({first, static_cast<U32>(address + end - first)});
  });
}

U32 load_box(Warp& w, const DecodedInstruction& r, int lane, U64 shared, std::uint8_t* memory) {
  Machine& m = *w.machine;
  const LaneTensorCopy copy = tensor_copy(w, r, lane);
  check_box(w, r, lane, copy.map, shared);
  for_each_piece(copy, shared, [&](const TensorPiece& piece) {
    std::uint8_t* const to = shared_piece(w, r, lane, piece.shared, memory);
    std::memset(to, 0, kTensorPiece);
    const U32 bytes = piece.end - piece.first;
    if (bytes == 0) return;
    std::memcpy(to + piece.first, global_piece(w, r, lane, piece), bytes);
    if (!m.direct && !m.stores.empty())
      for_each_block(piece, [&](U32 n, U32 count) {
        m.stores.patch(piece.global + n, to + piece.first + n, count);
      });
    if (copy.map.type == ptx::Type::tf32) round_to_tensor32(to + piece.first, bytes);
  });
  report_rows(w, copy);
  return static_cast<U32>(copy.map.rows() * copy.map.row_bytes());
}

// Of the elements that a reduction combines.
ptx::Type combined_type(const Warp& w, const DecodedInstruction& r, int lane,
                        const TensorMap& map) {
  using ptx::AtomicOp;
  const AtomicOp op = ptx_of(r).atomic;
  const bool of_integers =
      op != AtomicOp::none && op != AtomicOp::add && op != AtomicOp::min && op != AtomicOp::max;
  if (of_integers && ptx::is_float(map.type))
    throw_trap(w, r, lane, "a reduction by bits of a tensor of floating-point numbers");
  return map.type == ptx::Type::tf32 ? ptx::Type::f32 : map.type;
}

void store_box(Warp& w, const DecodedInstruction& r, int lane, U64 shared) {
  const LaneTensorCopy copy = tensor_copy(w, r, lane);
  check_box(w, r, lane, copy.map, shared);
  const ptx::Type type = combined_type(w, r, lane, copy.map);
  for_each_piece(copy, shared, [&](const TensorPiece& piece) {
    const std::uint8_t* const from =
        shared_piece(w, r, lane, piece.shared, w.cta->shared.data()) + piece.first;
    const U32 bytes = piece.end - piece.first;
    if (bytes == 0) return;
    (void)global_piece(w, r, lane, piece);
    store_bytes(w, r, lane, type, piece.global, from, bytes);
  });
  report_rows(w, copy);
}

void load(Warp& w, const DecodedInstruction& r, U32 mask) { load_in_bulk(w, r, mask, load_box); }
void store(Warp& w, const DecodedInstruction& r, U32 mask) {
  begin_bulk_step(w);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    store_box(w, r, lane, bulk_copy(w, r, lane).shared);
  }
}

// Of im2col. In machine code the lower half of a word has those of 16, 8 or 5 bits.
void read_offsets(const Warp& w, const DecodedInstruction& r, int lane, LaneTensorCopy& copy) {
  const auto& bulk = ptx_of(r).as<ptx::BulkCopy>();
  if (bulk.im2col != copy.map.is_im2col())
    throw_trap(w, r, lane,
               bulk.im2col ? "a tensor map of tiles in a copy of im2col"
                           : "a tensor map of im2col in a copy of tiles");
  if (!bulk.has_offsets) return;
  const U32 count = copy.map.rank - 2u, bits = std::array{16u, 8u, 5u}[count - 1];
  for (U32 n = 0; n < count; ++n) {
    const auto& operand = ptx_of(r).src[ptx::CopySource::first_offset + n];
    const U32 word =
        r.src[ptx::CopySource::bytes].present
            ? source<U32>(w, r, ptx::CopySource::bytes)[lane] >> (n * bits) & ((1u << bits) - 1)
            : fragment_row<U32>(w, operand)[lane] & 0xffff;
    copy.offsets[n + 1] = static_cast<std::int32_t>(word);
  }
}

}  // namespace

LaneTensorCopy tensor_copy(Warp& w, const DecodedInstruction& r, int lane) {
  LaneTensorCopy copy;
  const U64 address = bulk_copy(w, r, lane).global;
  std::array<std::uint8_t, TensorMap::kBytes> bytes{};
  constexpr U32 kAlignment = 64;
  // Parameters are aligned where the code finds them, which is not the window.
  if (address % kAlignment && address - kParamWindow >= kWindowBytes)
    throw_misaligned(w, r, lane, address, kAlignment);
  for (U32 n = 0; n < TensorMap::kBytes; n += kTensorPiece)
    if (!read_generic(w, lane, address + n, bytes.data() + n, kTensorPiece))
      throw_out_of_bounds(w, r, lane, Space::global, address, TensorMap::kBytes, 0);
  std::memcpy(&copy.map, bytes.data(), sizeof copy.map);
  copy.map.address = w.machine->memory.allocations().on_device(Address{copy.map.address}).value;
  const U32 rank = ptx_of(r).as<ptx::BulkCopy>().dimensions;
  if (!copy.map.is_well_formed())
    throw_trap(w, r, lane, "a tensor map that no function of the driver has written");
  if (copy.map.rank != rank)
    throw_trap(w, r, lane,
               "a tensor map of " + std::to_string(copy.map.rank) + " dimensions in a copy of " +
                   std::to_string(rank));
  // Of machine code in uniform registers.
  const std::uint8_t* const rows = r.machine.extra.present ? row(w, r.machine.extra) : nullptr;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto& coordinate = ptx_of(r).src[ptx::CopySource::first_coordinate + d];
    const auto* const words =
        rows ? reinterpret_cast<const Lane<std::int32_t>*>(rows) + d * kWarpSize
             : fragment_row<std::int32_t>(std::as_const(w), coordinate);
    copy.place[d] = words[lane];
  }
  read_offsets(w, r, lane, copy);
  return copy;
}

void check_box(const Warp& w, const DecodedInstruction& r, int lane, const TensorMap& map,
               U64 shared) {
  if (shared % kBoxAlignment) throw_misaligned(w, r, lane, shared, kBoxAlignment);
  if (map.swizzled_bytes > kTensorPiece && map.row_bytes() != map.swizzled_bytes)
    throw_trap(w, r, lane,
               "a box whose rows of " + std::to_string(map.row_bytes()) +
                   " bytes are shorter than its swizzle, which is not supported");
}

Handler tensor_copy_handler(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::bulk_load ? load : store;
}

}  // namespace heddle::exec
