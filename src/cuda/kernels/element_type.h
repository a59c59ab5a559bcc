// The types of a buffer's elements and of scalar arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

enum class ElementType : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64
};

struct ElementInfo {
  const char* name;   // in descriptions: "f32"
  const char* numpy;  // in .npy files: "<f4"
  std::uint32_t bytes;
  bool real;       // a floating-point number
  double closest;  // relative tolerance of expected values unless the description gives one
};
const ElementInfo& info_of(ElementType type);

std::optional<ElementType> element_type_named(std::string_view name);
std::optional<ElementType> element_type_of_numpy(std::string_view descr);
std::vector<std::string> element_type_names();

// Integers are exact; a real number is rounded to the nearest value of the type. `at` and `to` need
// not be aligned.
long double read_element(ElementType type, const char* at);
void write_element(ElementType type, char* to, long double value);
// Whether an integer type has the value; any number is one of a real type.
bool holds(ElementType type, long double value);

}  // namespace heddle::cuda
