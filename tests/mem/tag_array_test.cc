#include "mem/tag_array.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

constexpr Address kFirst{0x1000}, kSecond{0x1020};  // sectors of one line

config::CacheSpec spec(std::uint32_t ways, config::Filling filling = config::Filling::sectors) {
  config::CacheSpec spec;
  spec.size_bytes = std::uint64_t{2} * ways * kLineBytes;  // two sets
  spec.ways = ways;
  spec.filling = filling;
  return spec;
}
// A line that holds its first sector.
struct OneLine {
  explicit OneLine(config::Filling filling = config::Filling::sectors) : tags(spec(2, filling)) {
    at = tags.empty_line(kFirst);
    tags.assign(at, kFirst, {{1, WarpSlot(2)}, 3});
    tags.fill(at, 0b0001, 0);
  }
  TagArray tags;
  std::uint32_t at;
};
ByteMask bytes(unsigned first, unsigned count) {
  ByteMask mask;
  mask.set(first, count);
  return mask;
}

TEST(TagArray, FindsALineAmongFewAndAmongManyWays) {
  for (const std::uint32_t ways : {2u, 64u}) {
    TagArray tags(spec(ways));
    EXPECT_EQ(tags.find(kFirst), kNoLine);
    const std::uint32_t at = tags.empty_line(kFirst);
    tags.assign(at, kFirst, {});
    tags.fill(at, 0b0001, 0);
    EXPECT_EQ(tags.find(kSecond), at);
    EXPECT_EQ(tags.find(Address{0x1080}), kNoLine);
    EXPECT_EQ(tags.address_of(at), LineAddress{0x1000});
    EXPECT_NE(tags.empty_line(kFirst), at);
  }
}

TEST(TagArray, AGuessChangesNothingButTheSearch) {
  const OneLine line;
  for (std::uint32_t guess = 0; guess < 4; ++guess) {
    EXPECT_EQ(line.tags.find(kSecond, guess), line.at);
    EXPECT_EQ(line.tags.find(kFirst + kLineBytes, guess), kNoLine);
  }
}

TEST(TagArray, ASectorIsReadableBetweenItsFillAndItsDrop) {
  OneLine l;
  EXPECT_TRUE(l.tags.readable(l.at, kFirst));
  EXPECT_FALSE(l.tags.readable(l.at, kSecond));
  EXPECT_FALSE(l.tags.readable(kNoLine, kFirst));
  l.tags.reserve(l.at, 0b0010);
  EXPECT_FALSE(l.tags.readable(l.at, kSecond));
  l.tags.drop(l.at, kFirst);
  EXPECT_FALSE(l.tags.readable(l.at, kFirst));
  EXPECT_TRUE(l.tags.line(l.at).occupied());  // the second sector is on its way
}

TEST(TagArray, ADroppedLineIsEmptyAgain) {
  OneLine l;
  EXPECT_NE(l.tags.empty_line(kFirst), l.at);
  l.tags.drop(l.at, kFirst);
  EXPECT_EQ(l.tags.empty_line(kFirst), l.at);
}

TEST(TagArray, AFetchBringsASectorOrALine) {
  OneLine sectors, lines(config::Filling::lines);
  EXPECT_EQ(sectors.tags.fetch_bytes(), 32u);
  EXPECT_EQ(sectors.tags.fetch_start(Address{0x103F}), kSecond);
  EXPECT_EQ(lines.tags.fetch_bytes(), 128u);
  EXPECT_EQ(lines.tags.fetch_start(Address{0x103F}), kFirst);
  EXPECT_TRUE(sectors.tags.covers_sector(bytes(32, 32), kSecond));
  EXPECT_FALSE(sectors.tags.covers_sector(bytes(32, 31), kSecond));
  EXPECT_FALSE(lines.tags.covers_sector(bytes(0, 127), kFirst));
  EXPECT_TRUE(lines.tags.covers_sector(bytes(0, 128), kFirst));
}

TEST(TagArray, AFetchOfTwoSectorsBringsWhatTheLineLacks) {
  config::CacheSpec two = spec(2);
  two.fetch_sectors = 2;
  TagArray tags(two);
  EXPECT_EQ(tags.fetch_bytes(), 64u);
  EXPECT_EQ(tags.fetched_sectors(kNoLine, kSecond), 0b0011);
  EXPECT_EQ(tags.fetched_sectors(kNoLine, Address{0x1040}), 0b1100);
  const std::uint32_t at = tags.empty_line(kFirst);
  tags.assign(at, kFirst, {});
  tags.fill(at, 0b0001, 0);
  EXPECT_EQ(tags.fetched_sectors(at, kSecond), 0b0010);
  EXPECT_EQ(tags.start_of(0b0010, kFirst), kSecond);
  EXPECT_EQ(tags.bytes_of(0b0011), 64u);
  EXPECT_TRUE(tags.covers_sector(bytes(32, 32), kSecond));
}

TEST(TagArray, APartlyWrittenSectorIsUnreadableUntilAllBytesAreThere) {
  OneLine l;
  l.tags.write(l.at, kSecond, bytes(32, 16), true);
  EXPECT_FALSE(l.tags.readable(l.at, kSecond));
  l.tags.write(l.at, kSecond, bytes(48, 16), true);
  EXPECT_TRUE(l.tags.readable(l.at, kSecond));
  EXPECT_EQ(l.tags.line(l.at).dirty, 0b0010);
  l.tags.write(l.at, kFirst, bytes(0, 1), false);  // the rest is there
  EXPECT_TRUE(l.tags.readable(l.at, kFirst));
  EXPECT_EQ(l.tags.line(l.at).dirty, 0b0010);
}

TEST(TagArray, ASectorWrittenOnItsWayIsDirtyWhenItArrives) {
  OneLine l;
  l.tags.reserve(l.at, 0b0010);
  l.tags.write(l.at, kSecond, bytes(32, 4), true);
  EXPECT_EQ(l.tags.line(l.at).dirty, 0);
  l.tags.fill(l.at, 0b0010, 0);
  EXPECT_EQ(l.tags.line(l.at).dirty, 0b0010);
  EXPECT_EQ(l.tags.line(l.at).dirty_on_fill, 0);
}

TEST(TagArray, ADirtySectorThatIsFetchedStaysDirty) {
  OneLine l;
  l.tags.write(l.at, kSecond, bytes(32, 4), true);
  l.tags.reserve(l.at, 0b0010);
  l.tags.fill(l.at, 0b0010, 0);
  EXPECT_EQ(l.tags.line(l.at).dirty, 0b0010);
  EXPECT_TRUE(l.tags.readable(l.at, kSecond));
}

TEST(TagArray, ALineThatIsBeingFetchedIsNotReplaced) {
  OneLine l;
  const auto any = [](std::uint32_t, std::uint32_t) { return true; };
  const std::uint32_t other = l.tags.empty_line(kFirst);
  l.tags.assign(other, Address{0x2000}, {});
  l.tags.reserve(other, 0b0001);
  EXPECT_EQ(l.tags.first_to_replace(kFirst, any), l.at);
  l.tags.reserve(l.at, 0b0010);
  EXPECT_EQ(l.tags.first_to_replace(kFirst, any), kNoLine);
}

TEST(TagArray, KeepsOnlyWhatIsOnItsWay) {
  OneLine l;
  l.tags.reserve(l.at, 0b0010);
  l.tags.keep_reserved();
  EXPECT_EQ(l.tags.find(kFirst), l.at);
  EXPECT_FALSE(l.tags.readable(l.at, kFirst));
  l.tags.clear();
  EXPECT_EQ(l.tags.find(kFirst), kNoLine);
}

}  // namespace
}  // namespace heddle::mem
