// numpy's .npy files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cuda/kernels/element_type.h"

namespace heddle::cuda {

struct Shape {
  static constexpr std::size_t kMostDimensions = 32;

  std::vector<std::uint64_t> extents;  // none: a single element
  bool column_major = false;           // the first index changes fastest: numpy's "fortran_order"

  // Their product; none beyond 2^48, more than any GPU's memory.
  std::optional<std::uint64_t> product() const;
  std::uint64_t elements() const { return product().value(); }
  std::string text() const;  // "(3, 4)"
  // The indices of an element by its place in memory: "[2, 1]".
  std::string place(std::uint64_t element) const;
  bool operator==(const Shape&) const = default;
};

struct NpyHeader {
  ElementType type = ElementType::u8;
  Shape shape;
  std::uint64_t data_offset = 0;  // in the file
};

// UserError with the file for what is no .npy file, for types of elements that kernels do not have,
// and when the file's size is not that of its shape.
NpyHeader read_npy_header(const std::string& path);
// Also the elements as they are in memory.
std::string read_npy_data(const std::string& path, const NpyHeader& header);
void write_npy(const std::string& path, ElementType type, const Shape& shape,
               const std::string& data);

}  // namespace heddle::cuda
