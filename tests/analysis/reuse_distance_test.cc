#include "analysis/reuse_distance.h"

#include <gtest/gtest.h>

#include "tests/analysis/pieces.h"

namespace heddle::analysis {
namespace {

std::uint32_t own_distance(const Piece& piece) { return reuse_distance(piece, piece, 0, kLine); }

TEST(ReuseDistance, WordsOfALineAreReusedWithinIt) {
  // 32 words of 4 bytes are a line: the first and the last are 31 apart.
  EXPECT_EQ(own_distance(along({0, 99}, 4, {{0, 3}})), 31u);
  EXPECT_EQ(own_distance(along({0, 99}, -4, {{0, 3}})), 31u);
  EXPECT_EQ(own_distance(along({0, 999}, 1, {{0, 0}})), 127u);
  EXPECT_EQ(own_distance(along({0, 999}, -1, {{0, 0}})), 127u);
  EXPECT_EQ(own_distance(along({0, 3}, 4, {{0, 3}})), 3u);  // all places there are
  EXPECT_EQ(own_distance(along({5, 5}, 4, {{0, 3}})), 0u);  // one place
}

TEST(ReuseDistance, PlacesALineApartShareWhatTheirRunsOverlap) {
  EXPECT_EQ(own_distance(along({0, 9}, 128, {{0, 127}})), 0u);
  EXPECT_EQ(own_distance(along({0, 9}, 128, {{0, 128}})), 1u);   // one byte of the next line
  EXPECT_EQ(own_distance(along({0, 9}, 128, {{64, 319}})), 2u);  // lines p to p + 2
  EXPECT_EQ(own_distance(along({0, 9}, -128, {{64, 319}})), 2u);
}

TEST(ReuseDistance, WhatDoesNotMoveIsSharedByTheEndsOfTheBox) {
  EXPECT_EQ(own_distance(along({2, 9}, 0, {{0, 3}})), 7u);
  const Piece low = along({0, 3}, 0, {{0, 3}}), high = along({6, 9}, 0, {{4, 7}});
  EXPECT_EQ(reuse_distance(low, high, 0, kLine), 9u);
  EXPECT_EQ(reuse_distance(high, low, 0, kLine), 0u);  // that would be backwards
  EXPECT_EQ(reuse_distance(low, along({6, 9}, 0, {{128, 131}}), 0, kLine), 0u);
}

TEST(ReuseDistance, HasADirection) {
  // The second is five places ahead of the first.
  const Piece behind = along({0, 9}, -128, {{0, 3}}), ahead = along({0, 9}, -128, {{640, 643}});
  EXPECT_EQ(reuse_distance(behind, ahead, 0, kLine), 5u);
  EXPECT_EQ(reuse_distance(ahead, behind, 0, kLine), 0u);
}

TEST(ReuseDistance, OnlyALargerOneIsReported) {
  const Piece words = along({0, 99}, 4, {{0, 3}});
  EXPECT_EQ(reuse_distance(words, words, 0, kLine, 30), 31u);
  EXPECT_EQ(reuse_distance(words, words, 0, kLine, 31), 31u);
  EXPECT_EQ(reuse_distance(words, words, 0, kLine, 40), 40u);
}

TEST(ReuseDistance, TheOtherAxisMovesLinesUnderTheRuns) {
  // Words at 96x + 32y for x in {0, 1}: 0 and 96 are in one line, 32 and 128 are not.
  EXPECT_EQ(own_distance({{{0, 1}, {0, 0}}, {96, 32}, {{0, 3}}}), 1u);
  EXPECT_EQ(own_distance({{{0, 1}, {1, 1}}, {96, 32}, {{0, 3}}}), 0u);
  EXPECT_EQ(own_distance({{{0, 1}, {0, 1}}, {96, 32}, {{0, 3}}}), 1u);
}

TEST(ReuseDistance, RowsThatDoNotOverlapShareNothing) {
  const Piece above{{{0, 9}, {0, 1}}, {0, 0}, {{0, 3}}}, below{{{0, 9}, {2, 3}}, {0, 0}, {{0, 3}}};
  EXPECT_EQ(reuse_distance(above, below, 0, kLine), 0u);
  EXPECT_EQ(reuse_distance(above, below, 1, kLine), 3u);
}

TEST(ReuseDistance, OfRandomPiecesIsThatOfTheirEnumeration) {
  RandomPieces random(5);
  int shared = 0;
  for (int n = 0; n < 2000; ++n) {
    const std::vector<std::int64_t> coefficients = random.coefficients();
    const Piece first = random.piece(coefficients), second = random.piece(coefficients);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::uint32_t expected = enumerated_distance(first, second, axis, kLine);
      ASSERT_EQ(reuse_distance(first, second, axis, kLine), expected)
          << "pair " << n << ", axis " << axis;
      shared += expected > 0;
    }
  }
  EXPECT_GT(shared, 500);
}

TEST(ReuseDistanceOfPlaces, NeedsTwoPlaces) {
  const std::vector<Piece> one{along({4, 4}, 0, {{0, 3}})}, other{along({7, 7}, 0, {{4, 7}})};
  EXPECT_EQ(reuse_distance_of_places({}, one, 0, kLine), 0u);
  EXPECT_EQ(reuse_distance_of_places(one, {}, 0, kLine), 0u);
  EXPECT_EQ(reuse_distance_of_places(one, one, 0, kLine), 0u);
  EXPECT_EQ(reuse_distance_of_places(one, other, 0, kLine), 3u);
  EXPECT_EQ(reuse_distance_of_places(other, one, 0, kLine), 0u);
}

TEST(ReuseDistanceOfPlaces, APieceIsAPlaceWhenNoAxisHasAnExtent) {
  EXPECT_TRUE(is_place({{{4, 4}, {0, 0}}, {0, 0}, {}}));
  EXPECT_FALSE(is_place({{{4, 4}, {0, 1}}, {0, 0}, {}}));
}

TEST(ReuseDistanceOfPlaces, IsTheLargestOfAllPairs) {
  RandomPieces random(3);
  const auto places = [&] {
    std::vector<Piece> pieces;
    for (std::int64_t x = 0; x < 6; ++x)
      for (std::int64_t y = 0; y < 3; ++y) {
        Piece piece{{{x, x}, {y, y}}, {0, 0}, {}};
        for (std::int64_t n = 0, at = random.number(0, 9000); n < 3;
             ++n, at += random.number(300, 3000))
          piece.runs.push_back({at, at + random.number(3, 250)});
        pieces.push_back(std::move(piece));
      }
    return pieces;
  };
  int shared = 0;
  for (int n = 0; n < 200; ++n) {
    const std::vector<Piece> a = places(), b = places();
    for (std::size_t axis = 0; axis < 2; ++axis)
      for (const std::vector<Piece>* second : {&a, &b}) {
        std::uint32_t expected = 0;
        for (const Piece& p : a)
          for (const Piece& q : *second)
            if (p.box[1 - axis].low == q.box[1 - axis].low)
              expected = reuse_distance(p, q, axis, kLine, expected);
        EXPECT_EQ(reuse_distance_of_places(a, *second, axis, kLine), expected);
        shared += expected > 0;
      }
  }
  EXPECT_GT(shared, 100);
}

}  // namespace
}  // namespace heddle::analysis
