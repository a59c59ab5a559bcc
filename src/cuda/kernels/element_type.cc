#include "cuda/kernels/element_type.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace heddle::cuda {
namespace {

// numpy has no bfloat16; ml_dtypes stores it as two opaque bytes.
constexpr std::array<ElementInfo, 13> kInfos{{{"bool", "|b1", 1, false, 0},
                                              {"i8", "|i1", 1, false, 0},
                                              {"i16", "<i2", 2, false, 0},
                                              {"i32", "<i4", 4, false, 0},
                                              {"i64", "<i8", 8, false, 0},
                                              {"u8", "|u1", 1, false, 0},
                                              {"u16", "<u2", 2, false, 0},
                                              {"u32", "<u4", 4, false, 0},
                                              {"u64", "<u8", 8, false, 0},
                                              {"f16", "<f2", 2, true, 1e-3},
                                              {"bf16", "<V2", 2, true, 1e-2},
                                              {"f32", "<f4", 4, true, 1e-5},
                                              {"f64", "<f8", 8, true, 1e-5}}};

struct BFloat16 {
  std::uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(long double value) {
    const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const bool nan = std::isnan(value);
    // To the nearest, ties to even.
    bits = static_cast<std::uint16_t>(nan ? 0x7FC0 : (word + 0x7FFF + ((word >> 16) & 1)) >> 16);
  }
  explicit operator long double() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

// Calls use with a value of the C++ type.
template <class Use>
auto with_type(ElementType type, Use&& use) {
  switch (type) {
    case ElementType::boolean:
    case ElementType::u8: return use(std::uint8_t{});
    case ElementType::i8: return use(std::int8_t{});
    case ElementType::i16: return use(std::int16_t{});
    case ElementType::i32: return use(std::int32_t{});
    case ElementType::i64: return use(std::int64_t{});
    case ElementType::u16: return use(std::uint16_t{});
    case ElementType::u32: return use(std::uint32_t{});
    case ElementType::u64: return use(std::uint64_t{});
    case ElementType::f16: return use(_Float16{});
    case ElementType::bf16: return use(BFloat16{});
    case ElementType::f32: return use(float{});
    case ElementType::f64: break;
  }
  return use(double{});
}

}  // namespace

const ElementInfo& info_of(ElementType type) { return kInfos[static_cast<std::size_t>(type)]; }

std::optional<ElementType> element_type_named(std::string_view name) {
  for (std::size_t i = 0; i < kInfos.size(); ++i)
    if (name == kInfos[i].name) return static_cast<ElementType>(i);
  return std::nullopt;
}

std::optional<ElementType> element_type_of_numpy(std::string_view descr) {
  // A type of one byte has no order of bytes: '|'; some writers give '<'. So do types of opaque
  // bytes.
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    const std::string_view numpy = kInfos[i].numpy;
    const bool any_order = kInfos[i].bytes == 1 || numpy == "<V2";
    if (descr == numpy ||
        (any_order && descr.size() == numpy.size() && (descr[0] == '<' || descr[0] == '|') &&
         descr.substr(1) == numpy.substr(1)))
      return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

std::vector<std::string> element_type_names() {
  std::vector<std::string> names;
  for (const ElementInfo& info : kInfos) names.emplace_back(info.name);
  return names;
}

long double read_element(ElementType type, const char* at) {
  return with_type(type, [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<long double>(value);
  });
}

void write_element(ElementType type, char* to, long double value) {
  with_type(type, [&](auto example) {
    const auto written = static_cast<decltype(example)>(value);
    std::memcpy(to, &written, sizeof written);
  });
}

bool holds(ElementType type, long double value) {
  if (info_of(type).real) return true;
  if (!(std::trunc(value) == value)) return false;
  if (type == ElementType::boolean) return value == 0 || value == 1;
  return with_type(type, [&](auto example) {
    using Type = decltype(example);
    if constexpr (std::numeric_limits<Type>::is_integer)
      return value >= static_cast<long double>(std::numeric_limits<Type>::min()) &&
             value <= static_cast<long double>(std::numeric_limits<Type>::max());
    return true;
  });
}

}  // namespace heddle::cuda
