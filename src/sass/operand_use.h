// What an instruction does with its operands, beyond the rows of the encoding tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sass/encoding/form.h"
#include "sass/instruction.h"

namespace heddle::sass {

// The registers of a register operand, from its first on: 4 for the data of LDG.128.
int register_count(const Instruction& instruction, std::size_t operand);

// Of a memory operand.
struct AddressWidth {
  bool wide_base = false;     // the base is a pair
  bool wide_uniform = false;  // the uniform register is a pair
};
AddressWidth address_width(const Instruction& instruction, const OperandForm& form);
// What the base register is multiplied by: 4 in [R0.X4].
int address_shift(const Instruction& instruction, std::size_t operand);

// Loads, stores: the bytes of an element and their number. {0, 1} for other instructions.
struct AccessShape {
  int bytes = 0, count = 1;
  bool is_signed = false;
};
AccessShape access_of(const Instruction& instruction);

// TEX and its kind, TXQ: the image's handle is in a register. Of the coordinates of TEX, TLD and
// TLD4, so many stand in the first registers then.
bool is_bindless(const Instruction& instruction);
int coordinates_in_first(const Instruction& instruction);

// UBLKCP, UBLKRED, UTMALDG, UTMASTG, UTMAREDG: to shared memory, or to global memory.
bool is_bulk_load(const Instruction& instruction);
bool is_bulk_store(const Instruction& instruction);
bool is_bulk_copy(const Instruction& instruction);
// STAS, REDAS: registers go to shared memory of the cluster, and their bytes arrive at an mbarrier.
bool is_remote_store(const Instruction& instruction);
bool is_bulk_from_shared(const Instruction& instruction);  // a load from another CTA's
// Of the tensor that UTMALDG and its kind copy; 0 for other instructions. Behind the first address,
// and the barrier of a load, are as many coordinates.
int tensor_dimensions(const Instruction& instruction);
// Of a product of a warpgroup (HGMMA and its kind): its 64 rows, these columns, and how many
// products a sum has; and whether it ends a group of products (gsb0).
struct ProductShape {
  std::uint32_t columns = 0, depth = 0;
};
std::optional<ProductShape> product_shape_of(const Instruction& instruction);
bool ends_group(const Instruction& instruction);
// Of a product of a warp (HMMA and its kind): sums of `rows` x `columns`, and how many products of
// elements of so many bits each has. A sparse A has half of the elements of its rows.
struct WarpProduct {
  std::uint32_t rows = 0, columns = 0, depth = 0, element_bits = 0;
  bool sparse = false;
  std::uint32_t depth_of_a() const { return sparse ? depth / 2 : depth; }
};
std::optional<WarpProduct> warp_product_of(const Instruction& instruction);
// An atomic on several numbers: F32x2.
bool is_vector_atomic(const Instruction& instruction);

}  // namespace heddle::sass
