// Moves matrices between memory and the registers of a warp: wmma.load, wmma.store, ldmatrix,
// stmatrix; and movmatrix, between registers.
#include <algorithm>
#include <utility>

#include "exec/isa/decode.h"
#include "exec/isa/matrix.h"

namespace heddle::exec {
namespace {

using ptx::MatrixPart;
using ptx::Opcode;
using ptx::Type;
using Addresses = std::array<U64, kWarpSize>;

constexpr U32 kAll = ~U32{0};
constexpr std::size_t kMaxBytes = 2048;  // of a matrix

// A matrix in memory: `lines` rows (or columns, when these are contiguous) of `line_bytes`,
// `stride` bytes apart.
struct Stored {
  U32 rows, columns, element, line_bytes;
  bool by_columns;
  U64 first, stride;
  U32 place(MatrixPlace p) const {
    return (by_columns ? p.column * rows + p.row : p.row * columns + p.column) * element;
  }
};

// Elements smaller than a byte are moved as bytes: the depth is the number of bytes.
ptx::MatrixShape shape_of(const ptx::Instruction& i) {
  ptx::MatrixShape s = i.as<ptx::Matrix>().shape();
  if (i.as<ptx::Matrix>().part != MatrixPart::c && ptx::element_bits(i.type) < 8)
    s.k = s.k * ptx::element_bits(i.type) / 8;
  return s;
}

Stored stored(const Warp& w, const DecodedInstruction& r) {
  const ptx::Instruction& i = ptx_of(r);
  const ptx::MatrixShape s = shape_of(i);
  const U32 bits = ptx::element_bits(i.type);
  const MatrixPart part = i.as<ptx::Matrix>().part;
  Stored out{};
  out.rows = part == MatrixPart::b ? s.k : s.m;
  out.columns = part == MatrixPart::a ? s.k : s.n;
  out.element = std::max(bits, 8u) / 8;
  out.by_columns = i.as<ptx::Matrix>().columns;
  const U32 line = out.by_columns ? out.rows : out.columns;
  out.line_bytes = line * out.element;
  Addresses base;
  raw_addresses(w, r, base);
  out.first = base[0];
  out.stride = r.src[1].present ? U64{source<U32>(w, r, 1)[0]} * bits / 8 : U64{out.line_bytes};
  return out;
}

// The addresses of the lanes' `piece` bytes. Lane 0's are at `at` in the matrix, those of the next
// lanes follow.
Addresses lane_addresses(const Stored& s, U32 share, U32 at) {
  Addresses out;
  for (U32 lane = 0; lane < kWarpSize; ++lane) {
    const U32 byte = lane * share + at;
    out[lane] = s.first + byte / s.line_bytes * s.stride + byte % s.line_bytes;
  }
  return out;
}

// Calls f(lane, host bytes, device address when the access is logged or 0, position in the matrix)
// for pieces that fill the matrix. The first piece of each lane comes last: its addresses stay in
// the Step.
template <class F>
void for_pieces(Warp& w, const DecodedInstruction& r, const Stored& s, U32& piece, F f) {
  Machine& m = *w.machine;
  const U32 share = s.rows * s.columns * s.element / kWarpSize;
  piece = std::min(share, 16u);
  for (U32 at = share; at > 0; at -= piece) {
    Located where;
    locate_addresses(w, r, kAll, piece, lane_addresses(s, share, at - piece), !m.direct, where);
    for (U32 lane = 0; lane < kWarpSize; ++lane) {
      const bool logged = !m.direct && (where.global_lanes >> lane & 1);
      f(where.at(static_cast<int>(lane)), logged ? m.addresses[lane] : 0,
        lane * share + at - piece);
    }
  }
}

// The position of an element in the matrix that the instruction moves.
MatrixPlace place_of(const ptx::Instruction& i, U32 packed, U32 lane, U32 reg, U32 element) {
  const ptx::MatrixShape s = shape_of(i);
  switch (i.as<ptx::Matrix>().part) {
    case MatrixPart::a: return place_in_a(s.m, s.k, packed, lane, reg, element);
    case MatrixPart::b: return place_in_b(s.k, s.n, packed, lane, reg, element);
    default: return place_in_c(s.m, packed, lane, reg, element);
  }
}

template <class Register>
void load(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const Stored s = stored(w, r);
  std::array<U8, kMaxBytes> bytes;
  U32 piece = 0;
  for_pieces(w, r, s, piece, [&](const U8* from, U64 address, U32 to) {
    std::memcpy(bytes.data() + to, from, piece);
    if (address) w.machine->stores.patch(address, bytes.data() + to, piece);
  });
  const U32 packed = static_cast<U32>(sizeof(Register)) / s.element;
  const auto& dst = fragments(w, r).dst;
  for (U32 reg = 0; reg < dst.size() && dst[reg]; ++reg) {
    auto* lanes = reinterpret_cast<U8*>(fragment_row<Register>(w, dst[reg]));
    for (U32 lane = 0; lane < kWarpSize; ++lane)
      for (U32 e = 0; e < packed; ++e)
        std::memcpy(lanes + lane * sizeof(Register) + e * s.element,
                    bytes.data() + s.place(place_of(ptx_of(r), packed, lane, reg, e)), s.element);
  }
}

template <class Register>
void store(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const Stored s = stored(w, r);
  std::array<U8, kMaxBytes> bytes;
  const U32 packed = static_cast<U32>(sizeof(Register)) / s.element;
  const auto& src = fragments(w, r).src;
  for (U32 reg = 0; reg < ptx::MatrixOperands::kMaxRegisters && src[reg]; ++reg) {
    const auto* lanes =
        reinterpret_cast<const U8*>(fragment_row<Register>(std::as_const(w), src[reg]));
    for (U32 lane = 0; lane < kWarpSize; ++lane)
      for (U32 e = 0; e < packed; ++e)
        std::memcpy(bytes.data() + s.place(place_of(ptx_of(r), packed, lane, reg, e)),
                    lanes + lane * sizeof(Register) + e * s.element, s.element);
  }
  U32 piece = 0;
  for_pieces(w, r, s, piece, [&](U8* to, U64 address, U32 from) {
    if (address)
      w.machine->stores.store(address, bytes.data() + from, piece);
    else
      std::memcpy(to, bytes.data() + from, piece);
  });
}

// Lane 8q + i names row i of the q-th matrix. Lanes without a row count as lane 0.
void locate_rows(Warp& w, const DecodedInstruction& r, Located& at) {
  Addresses rows;
  raw_addresses(w, r, rows);
  for (std::size_t lane = std::size_t{8} * r.instruction->vector; lane < kWarpSize; ++lane)
    rows[lane] = rows[0];
  locate_addresses(w, r, kAll, 16, rows, false, at);
  if (at.global_lanes)
    throw_trap(w, r, std::countr_zero(at.global_lanes),
               "an address of global memory where one of shared memory is needed");
}

// Calls move(half of a register, half of a row) for the matrices' elements of two bytes.
template <class Byte, class Move>
void for_halves(Warp& w, const DecodedInstruction& r, bool transposed,
                const std::array<Byte*, 4>& registers, Move move) {
  Located at;
  locate_rows(w, r, at);
  for (U32 q = 0; q < r.instruction->vector; ++q)
    for (U32 lane = 0; lane < kWarpSize; ++lane)
      for (U32 half = 0; half < 2; ++half) {
        const U32 row = transposed ? lane % 4 * 2 + half : lane / 4,
                  column = transposed ? lane / 4 : lane % 4 * 2 + half;
        move(registers[q] + lane * 4 + half * 2, at.at(static_cast<int>(q * 8 + row)) + column * 2);
      }
}

void load_rows(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  std::array<U8*, 4> rows{};
  for (U32 q = 0; q < r.instruction->vector; ++q)
    rows[q] = reinterpret_cast<U8*>(fragment_row<U32>(w, fragments(w, r).dst[q]));
  load_matrices(w, r, ptx_of(r).as<ptx::Matrix>().transposed, rows);
}

void store_rows(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  std::array<const U8*, 4> rows{};
  for (U32 q = 0; q < r.instruction->vector; ++q)
    rows[q] =
        reinterpret_cast<const U8*>(fragment_row<U32>(std::as_const(w), fragments(w, r).src[q]));
  store_matrices(w, r, ptx_of(r).as<ptx::Matrix>().transposed, rows);
}

void transpose(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const auto* a = source<U32>(w, r, 0);
  alignas(64) U32 result[kWarpSize];
  for (U32 lane = 0; lane < kWarpSize; ++lane) {
    result[lane] = 0;
    for (U32 half = 0; half < 2; ++half) {
      const U32 row = lane % 4 * 2 + half, column = lane / 4;
      result[lane] |= (a[row * 4 + column / 2] >> (16 * (column % 2)) & 0xffff) << (16 * half);
    }
  }
  store_result(w, r, result, mask);
}

}  // namespace

void load_matrices(Warp& w, const DecodedInstruction& r, bool transposed,
                   const std::array<U8*, 4>& rows) {
  for_halves(w, r, transposed, rows,
             [](U8* registers, const U8* memory) { std::memcpy(registers, memory, 2); });
}
void store_matrices(Warp& w, const DecodedInstruction& r, bool transposed,
                    const std::array<const U8*, 4>& rows) {
  for_halves(w, r, transposed, rows,
             [](const U8* registers, U8* memory) { std::memcpy(memory, registers, 2); });
}

Handler matrix_memory_handler(const ptx::Instruction& i) {
  const bool wide = i.type == Type::f64;
  switch (i.opcode) {
    case Opcode::wmma_load: return wide ? load<U64> : load<U32>;
    case Opcode::wmma_store: return wide ? store<U64> : store<U32>;
    case Opcode::ldmatrix: return load_rows;
    case Opcode::stmatrix: return store_rows;
    case Opcode::movmatrix: return transpose;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
