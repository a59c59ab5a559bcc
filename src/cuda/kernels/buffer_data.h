// The elements of buffers: made before the launches, compared with the expected ones after them.
#pragma once

#include <string>

#include "cuda/kernels/description.h"

namespace heddle::cuda {

// The bytes of a buffer of this type and shape. UserError when a file cannot be read.
std::string make_content(const Content& content, ElementType type, const Shape& shape);

// How the elements differ from the expected ones, as numpy.testing.assert_allclose decides:
// |a - b| <= atol + rtol * |b|, and NaN equals NaN.
struct Difference {
  std::uint64_t elements = 0, different = 0;
  std::uint64_t first = 0;  // that differs
  long double largest = 0;  // |a - b| of all elements
};
Difference compare_content(const KernelBuffer& buffer, const std::string& data,
                           const std::string& expected);
// In words, a line.
std::string describe_difference(const KernelBuffer& buffer, const Difference& difference,
                                const std::string& data, const std::string& expected);

}  // namespace heddle::cuda
