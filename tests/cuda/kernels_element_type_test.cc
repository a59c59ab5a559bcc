#include "cuda/kernels/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace heddle::cuda {
namespace {

long double written_and_read(ElementType type, long double value) {
  char bytes[8] = {};
  write_element(type, bytes, value);
  return read_element(type, bytes);
}

TEST(ElementTypes, HaveTheNamesOfDescriptionsAndOfNumpy) {
  for (const std::string& name : element_type_names()) {
    const auto type = element_type_named(name);
    ASSERT_TRUE(type);
    EXPECT_EQ(info_of(*type).name, name);
    EXPECT_EQ(element_type_of_numpy(info_of(*type).numpy), type);
  }
  EXPECT_EQ(element_type_of_numpy("|V2"), ElementType::bf16);
  EXPECT_EQ(element_type_of_numpy("<i1"), ElementType::i8);
  for (const char* other : {"", "<", ">f4", "|i4", "<f16", "<c8", "<U4"})
    EXPECT_FALSE(element_type_of_numpy(other)) << other;
}

TEST(ElementTypes, IntegersAreExact) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t value : {Limits::min(), Limits::max(), std::int64_t{-1}})
    EXPECT_EQ(written_and_read(ElementType::i64, value), static_cast<long double>(value));
  const auto most = static_cast<long double>(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(written_and_read(ElementType::u64, most), most);
}

TEST(ElementTypes, RealNumbersAreRoundedToTheNearest) {
  EXPECT_EQ(written_and_read(ElementType::f32, 0.1L), static_cast<long double>(0.1F));
  EXPECT_EQ(written_and_read(ElementType::f16, 2049), 2048);  // 11 bits, ties to even
  EXPECT_EQ(written_and_read(ElementType::f16, 2051), 2052);
  EXPECT_EQ(written_and_read(ElementType::bf16, 257), 256);  // 8 bits, ties to even
  EXPECT_EQ(written_and_read(ElementType::bf16, 259), 260);
  EXPECT_TRUE(std::isnan(written_and_read(ElementType::bf16, std::nanl(""))));
  EXPECT_TRUE(std::isinf(written_and_read(ElementType::f16, 1e6L)));
}

TEST(ElementTypes, IntegersHoldWholeNumbersOfTheirRange) {
  EXPECT_TRUE(holds(ElementType::i8, -128));
  EXPECT_FALSE(holds(ElementType::i8, 128));
  EXPECT_FALSE(holds(ElementType::u32, -1));
  EXPECT_FALSE(holds(ElementType::i32, 0.5L));
  EXPECT_FALSE(holds(ElementType::i32, std::nanl("")));
  EXPECT_FALSE(holds(ElementType::boolean, 2));
  EXPECT_TRUE(holds(ElementType::f32, 1e300L));
}

}  // namespace
}  // namespace heddle::cuda
