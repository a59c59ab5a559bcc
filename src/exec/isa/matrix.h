// Shared by the matrix instructions: the registers of a fragment, and the check that the whole warp
// executes.
#pragma once

#include <array>

#include "exec/fault.h"
#include "exec/isa/matrix_layout.h"
#include "exec/isa/memory_access.h"

namespace heddle::exec {

inline const ptx::MatrixOperands& fragments(const Warp& w, const DecodedInstruction& r) {
  return ptx_kernel(*w.machine).matrices[ptx_of(r).fragments];
}

template <class T>
const Lane<T>* fragment_row(const Warp& w, const ptx::Operand& o) {
  return reinterpret_cast<const Lane<T>*>(w.bases[o.kind == ptx::Operand::Kind::constant ? 1 : 0] +
                                          o.row * std::size_t{128});
}
template <class T>
Lane<T>* fragment_row(Warp& w, const ptx::Operand& o) {
  return reinterpret_cast<Lane<T>*>(w.bases[0] + o.row * std::size_t{128});
}

inline void need_whole_warp(const Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
  if (mask != ~std::uint32_t{0})
    throw_trap(w, r, mask ? std::countr_zero(mask) : 0,
               "a matrix instruction that not all 32 lanes of the warp execute together");
}

// ldmatrix, stmatrix: the registers of each matrix.
void load_matrices(Warp& w, const DecodedInstruction& r, bool transposed,
                   const std::array<std::uint8_t*, 4>& rows);
void store_matrices(Warp& w, const DecodedInstruction& r, bool transposed,
                    const std::array<const std::uint8_t*, 4>& rows);

Handler quad_multiply_handler();  // mma.m8n8k4 on halves

}  // namespace heddle::exec
