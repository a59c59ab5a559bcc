#include "cuda/kernels/buffer_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace heddle::cuda {
namespace {

std::vector<long double> elements(const std::string& data, ElementType type) {
  std::vector<long double> found;
  for (std::size_t at = 0; at < data.size(); at += info_of(type).bytes)
    found.push_back(read_element(type, data.data() + at));
  return found;
}

std::string bytes(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

Content content(Content::Kind kind, long double first, long double second, std::uint64_t seed = 0) {
  Content made;
  made.kind = kind;
  made.first = first;
  made.second = second;
  made.seed = seed;
  return made;
}

TEST(BufferData, IsMadeAsDescribed) {
  const Shape three{{3}, false};
  EXPECT_EQ(elements(make_content(content(Content::Kind::arange, 5, -2), ElementType::i32, three),
                     ElementType::i32),
            (std::vector<long double>{5, 3, 1}));
  EXPECT_EQ(
      elements(make_content(content(Content::Kind::constant, 0.5L, 1), ElementType::f16, three),
               ElementType::f16),
      (std::vector<long double>{0.5L, 0.5L, 0.5L}));
}

TEST(BufferData, RandomElementsFollowTheirSeedAndStayBetweenTheirEnds) {
  const Shape shape{{1000}, false};
  const auto made = [&](std::uint64_t seed) {
    return make_content(content(Content::Kind::random, -3, 4, seed), ElementType::i8, shape);
  };
  EXPECT_EQ(made(1), made(1));
  EXPECT_NE(made(1), made(2));
  const std::vector<long double> all = elements(made(1), ElementType::i8);
  EXPECT_EQ(*std::min_element(all.begin(), all.end()), -3);
  EXPECT_EQ(*std::max_element(all.begin(), all.end()), 3);
}

class Compared : public testing::Test {
 protected:
  Compared() {
    buffer_.name = "y";
    buffer_.shape = {{3}, false};
    buffer_.expected.emplace();
  }
  std::string compare(const std::vector<float>& data, const std::vector<float>& expected) const {
    const Difference found = compare_content(buffer_, bytes(data), bytes(expected));
    return describe_difference(buffer_, found, bytes(data), bytes(expected));
  }
  KernelBuffer buffer_;
};

TEST_F(Compared, ToleranceIsThatOfNumpy) {
  EXPECT_EQ(compare({1, 2, 3}, {1, 2, 3}),
            "y: 3 elements equal the expected ones, the largest difference is 0");
  EXPECT_EQ(compare({1, 2, 3.5F}, {1, 2, 3}),
            "y: 1 of 3 elements do not equal the expected ones; the first is [2]: 3.5, expected 3");
  buffer_.expected->rtol = 0.1;
  buffer_.expected->atol = 0.2;
  EXPECT_EQ(compare({1, 2, 3.5F}, {1, 2, 3}),  // 0.2 + 0.1 * 3
            "y: 3 elements equal the expected ones within rtol 0.1 and atol 0.2, the largest "
            "difference is 0.5");
  EXPECT_EQ(compare({1, 2.5F, 3.75F}, {1, 2, 3}),
            "y: 2 of 3 elements do not equal the expected ones within rtol 0.1 and atol 0.2; the "
            "first is [1]: 2.5, expected 2");
}

TEST_F(Compared, NaNEqualsNaNAndInfinityOnlyItself) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  buffer_.expected->rtol = 1;
  EXPECT_EQ(
      compare_content(buffer_, bytes({nan, infinity, -infinity}), bytes({nan, infinity, infinity}))
          .first,
      2u);
  EXPECT_EQ(compare_content(buffer_, bytes({1, nan, 1}), bytes({1, 1, infinity})).different, 2u);
}

}  // namespace
}  // namespace heddle::cuda
