#include "analysis/access_relations.h"

#include <gtest/gtest.h>

#include "tests/analysis/pieces.h"

namespace heddle::analysis {
namespace {

std::uint32_t distance(const Piece& first, const Piece& second, std::uint32_t at_least = 0) {
  return AccessRelations(1'000'000).distance(first, second, 0, kLine, at_least);
}

TEST(AccessRelations, OneAccessMayMoveTwiceAsFast) {
  const Piece slow = along({0, 9}, 128, {{0, 3}}), fast = along({0, 9}, 256, {{0, 3}});
  // The fast one at p is in line 2p, where the slow one is at 2p; 2p <= 9.
  EXPECT_EQ(distance(fast, slow), 4u);
  EXPECT_EQ(distance(slow, fast), 0u);
}

TEST(AccessRelations, AccessesMayMoveInOppositeDirections) {
  // Lines p and 9 - q: they meet at p + q = 9, farthest apart at 0 and 9.
  EXPECT_EQ(distance(along({0, 9}, 128, {{0, 3}}), along({0, 9}, -128, {{9 * 128, 9 * 128 + 3}})),
            9u);
}

TEST(AccessRelations, ALineIsSharedByItsBytes) {
  // Words at 128p and 124 + 256q: both in line 2q for p = 2q.
  EXPECT_EQ(distance(along({0, 9}, 256, {{124, 127}}), along({0, 9}, 128, {{0, 3}})), 4u);
  // A word later it is line 2q + 1; the farthest pair is q = 4, p = 9.
  EXPECT_EQ(distance(along({0, 9}, 256, {{128, 131}}), along({0, 9}, 128, {{0, 3}})), 5u);
}

TEST(AccessRelations, OnlyALargerDistanceIsReported) {
  const Piece slow = along({0, 9}, 128, {{0, 3}}), fast = along({0, 9}, 256, {{0, 3}});
  EXPECT_EQ(distance(fast, slow, 3), 4u);
  EXPECT_EQ(distance(fast, slow, 4), 4u);
  EXPECT_EQ(distance(fast, slow, 7), 7u);
}

TEST(AccessRelations, OfRandomPiecesAreThoseOfTheirEnumeration) {
  RandomPieces random(9);
  AccessRelations relations(1'000'000'000);
  int shared = 0;
  for (int n = 0; n < 300; ++n) {
    const Piece first = random.piece(random.coefficients()),
                second = random.piece(random.coefficients());
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::uint32_t expected = enumerated_distance(first, second, axis, kLine);
      ASSERT_EQ(relations.distance(first, second, axis, kLine, 0), expected)
          << "pair " << n << ", axis " << axis;
      shared += expected > 0;
    }
  }
  EXPECT_FALSE(relations.exhausted());
  EXPECT_GT(shared, 50);
}

TEST(AccessRelations, BeyondTheBoundOnOperationsTheAnswerIsIncomplete) {
  AccessRelations relations(1);
  const Piece slow = along({0, 9}, 128, {{0, 3}}), fast = along({0, 9}, 256, {{0, 3}});
  EXPECT_EQ(relations.distance(fast, slow, 0, kLine, 2), 2u);
  EXPECT_TRUE(relations.exhausted());
}

TEST(AccessRelations, PiecesThatAreFarApartNeedNoOperation) {
  AccessRelations relations(1);
  const Piece here = along({0, 9}, 128, {{0, 3}}), there = along({0, 9}, 256, {{1 << 20, 1 << 21}});
  EXPECT_EQ(relations.distance(here, there, 0, kLine, 0), 0u);
  EXPECT_FALSE(relations.exhausted());
}

}  // namespace
}  // namespace heddle::analysis
