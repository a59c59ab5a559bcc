// The fundamental types of PTX (PTX ISA 5.2) and the element types of matrix instructions.
#pragma once

#include <cstdint>

namespace heddle::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  u16x2,
  s16x2,
  e4m3x2,
  e5m2x2,
  f32x2,
  // Elements of matrices only; type_named() (type_info.h) does not return them.
  b1,
  u4,
  s4,
  e4m3,
  e5m2
};

// Bits of one matrix element.
constexpr std::uint32_t element_bits(Type t) {
  switch (t) {
    case Type::b1: return 1;
    case Type::u4:
    case Type::s4: return 4;
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2: return 8;
    case Type::f16:
    case Type::bf16: return 16;
    case Type::f64: return 64;
    default: return 32;
  }
}

}  // namespace heddle::ptx
