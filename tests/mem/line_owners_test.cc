#include "mem/line_owners.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::mem {
namespace {

Requester warp(int slot) { return {0, WarpSlot(slot), 0}; }

TEST(LineOwners, KeepTheLastOwnerOfEachLine) {
  LineOwners owners;
  EXPECT_EQ(owners.find(0x40), std::nullopt);
  EXPECT_EQ(owners.replace(0x40, warp(1)), std::nullopt);
  EXPECT_EQ(owners.replace(0x80, warp(2)), std::nullopt);
  EXPECT_EQ(owners.replace(0x40, warp(3)), warp(1));
  EXPECT_EQ(owners.find(0x40), warp(3));
  EXPECT_EQ(owners.find(0x80), warp(2));
  owners.clear();
  EXPECT_EQ(owners.replace(0x40, warp(1)), std::nullopt);
}

TEST(LineOwners, AgreeWithAMap) {
  std::mt19937 random(7);
  LineOwners owners;
  std::map<std::uint64_t, Requester> expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t line = random() % 3'000 * 128;
    const Requester owner = warp(static_cast<int>(random() % 48));
    const auto known = expected.find(line);
    const auto found = owners.replace(line, owner);
    ASSERT_EQ(found.has_value(), known != expected.end());
    if (found) ASSERT_EQ(*found, known->second);
    expected[line] = owner;
  }
}

TEST(MissClasses, AreByTheOwnerBeforeTheLoss) {
  EXPECT_EQ(class_of_miss({}, warp(1)), MissClass::cold);
  EXPECT_EQ(class_of_miss(warp(1), warp(1)), MissClass::same_warp);
  EXPECT_EQ(class_of_miss(warp(2), warp(1)), MissClass::other_warp);
  EXPECT_EQ(class_of_miss(Requester{0, WarpSlot(1), 1}, warp(1)), MissClass::other_warp)
      << "the same slot in another kernel";
}

}  // namespace
}  // namespace heddle::mem
