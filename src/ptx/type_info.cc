#include "ptx/type_info.h"

#include <array>
#include <cstddef>

namespace heddle::ptx {

namespace {

struct TypeInfo {
  std::string_view name;
  std::uint8_t bytes;
  bool floating = false, is_signed = false;
};
// In the order of Type.
constexpr std::array<TypeInfo, 32> kTypes = {{{"", 0},
                                              {"pred", 0},
                                              {"b8", 1},
                                              {"b16", 2},
                                              {"b32", 4},
                                              {"b64", 8},
                                              {"b128", 16},
                                              {"u8", 1},
                                              {"u16", 2},
                                              {"u32", 4},
                                              {"u64", 8},
                                              {"s8", 1, false, true},
                                              {"s16", 2, false, true},
                                              {"s32", 4, false, true},
                                              {"s64", 8, false, true},
                                              {"f16", 2, true},
                                              {"f16x2", 4, true},
                                              {"bf16", 2, true},
                                              {"bf16x2", 4, true},
                                              {"tf32", 4, true},
                                              {"f32", 4, true},
                                              {"f64", 8, true},
                                              {"u16x2", 4},
                                              {"s16x2", 4, false, true},
                                              {"e4m3x2", 2, true},
                                              {"e5m2x2", 2, true},
                                              {"f32x2", 8, true},
                                              {"b1", 0},
                                              {"u4", 0},
                                              {"s4", 0, false, true},
                                              {"e4m3", 1, true},
                                              {"e5m2", 1, true}}};

constexpr std::size_t kFirstMatrixOnly = static_cast<std::size_t>(Type::b1);

}  // namespace

std::uint32_t bytes_of(Type type) { return kTypes[static_cast<std::size_t>(type)].bytes; }
bool is_float(Type type) { return kTypes[static_cast<std::size_t>(type)].floating; }
bool is_signed(Type type) { return kTypes[static_cast<std::size_t>(type)].is_signed; }
std::string_view name_of(Type type) { return kTypes[static_cast<std::size_t>(type)].name; }

Type type_named(std::string_view name) {
  for (std::size_t i = 1; i < kFirstMatrixOnly; ++i) {
    if (kTypes[i].name == name) return static_cast<Type>(i);
  }
  return Type::none;
}

}  // namespace heddle::ptx
