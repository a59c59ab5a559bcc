#include "exec/isa/tensor_copy.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace heddle::exec {
namespace {

// An image of 4 x 3 pixels of four floats; boxes have three pixels. Two images.
LaneTensorCopy columns(std::int32_t x, std::int32_t y) {
  LaneTensorCopy copy;
  TensorMap& m = copy.map;
  m.rank = 4;
  m.type = ptx::Type::f32;
  m.box = {4, 1, 1, 1, 1};
  m.last = {3, 3, 2, 1, 0};
  m.strides = {4, 16, 64, 192, 0};
  m.pixels = 3;
  copy.place = {0, x, y, 0, 0};
  return copy;
}
using Pixel = std::array<std::int64_t, 3>;
std::vector<Pixel> pixels_of(const LaneTensorCopy& copy) {
  std::vector<Pixel> pixels;
  TensorRows at(copy);
  for (std::uint64_t n = 0; n < copy.map.rows(); ++n, at.advance())
    pixels.push_back({at.coordinate(1), at.coordinate(2), at.coordinate(3)});
  return pixels;
}

TEST(TensorRows, PixelsOfColumnsFollowEachOtherFromRowToRowAndFromImageToImage) {
  EXPECT_EQ(pixels_of(columns(2, 0)), (std::vector<Pixel>{{2, 0, 0}, {3, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(pixels_of(columns(2, 2)), (std::vector<Pixel>{{2, 2, 0}, {3, 2, 0}, {0, 0, 1}}));
}

TEST(TensorRows, ColumnsMayBeginAtTheHighestCoordinate) {
  constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(pixels_of(columns(kHighest, 0)),
            (std::vector<Pixel>{{kHighest, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
  LaneTensorCopy shifted = columns(kHighest, kHighest);
  shifted.offsets = {0, kHighest, kHighest, 0, 0};
  constexpr std::int64_t kSum = 2 * std::int64_t{kHighest};
  EXPECT_EQ(pixels_of(shifted),
            (std::vector<Pixel>{
                {kSum, kSum, 0}, {kHighest, kHighest, 1}, {kHighest + 1LL, kHighest, 1}}));
}

TEST(TensorRows, NothingOfColumnsOutsideOfTheImageIsInside) {
  constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
  std::vector<std::uint32_t> ends;
  for_each_row(columns(kHighest, 0), [&](std::uint32_t, std::uint64_t, std::uint32_t,
                                         std::uint32_t end) { ends.push_back(end); });
  EXPECT_EQ(ends, (std::vector<std::uint32_t>{0, 16, 16}));
}

}  // namespace
}  // namespace heddle::exec
