// D = A * B + D by a warpgroup (wgmma, HGMMA, IGMMA): the part of one of its four warps, which has
// 16 of the 64 rows. B, and A unless it is in registers, are in shared memory and described by
// matrix descriptors.
#pragma once

#include <array>
#include <cstdint>

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

inline constexpr std::uint32_t kWarpsInWarpgroup = 4;

// A matrix in shared memory (PTX ISA, "Matrix Descriptor Format"). Its smallest part is a core
// matrix of 8 rows of 16 bytes.
struct MatrixDescriptor {
  std::uint32_t start, leading, stride;  // bytes
  std::uint32_t base_offset;             // of the swizzle's pattern, in units of 128 bytes
  std::uint32_t row_bytes;               // that are swizzled: 16 (none), 32, 64, 128

  explicit MatrixDescriptor(std::uint64_t word);

  // The address of 16 bytes: of line `line` (row of A, column of B), chunk `chunk` along K; or,
  // when it is transposed, of k `line`, chunk `chunk` along M or N. The layouts are those that
  // CUTLASS documents in mma_traits_sm90_gmma.hpp (make_gmma_desc).
  std::uint32_t address(std::uint32_t line, std::uint32_t chunk, bool transposed) const;
};

struct WarpgroupProduct {
  // What a wgmma instruction says of it; the operands are missing.
  explicit WarpgroupProduct(const ptx::Instruction& wgmma);

  std::uint32_t n = 0, k = 0;
  ptx::Type type_a = ptx::Type::none, type_b = ptx::Type::none, type_d = ptx::Type::none;
  bool a_in_shared = false;
  std::uint64_t a_descriptor = 0, b_descriptor = 0;
  bool transpose_a = false, transpose_b = false;
  bool negate_a = false, negate_b = false;
  bool adds_to_d = true;   // scale-d
  bool saturates = false;  // s32
  // A sparse A has half of its elements. The metadata is a row of 32 lanes.
  bool sparse = false;
  std::uint32_t selector = 0;
  const std::uint32_t* metadata = nullptr;
  std::uint32_t depth_of_a() const { return sparse ? k / 2 : k; }
  // Rows of 32 lanes: A when it is in registers, and D.
  std::array<const std::uint32_t*, 4> a{};
  static constexpr std::size_t kMaxRegisters = 128;
  std::array<std::uint32_t*, kMaxRegisters> d{};
};

// By all 32 lanes of the warp. The instruction is named in faults.
void multiply_by_warpgroup(const Warp& w, const DecodedInstruction& r,
                           const WarpgroupProduct& product);

}  // namespace heddle::exec
