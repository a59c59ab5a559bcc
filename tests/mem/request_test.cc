#include "mem/request.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

Miss miss_of(Miss::Kind kind) {
  Miss miss;
  miss.kind = kind;
  miss.client = Client::texture;
  miss.sectors = 0b0110;
  miss.address = Address{0x1020};
  miss.bytes = 64;
  miss.tag = 9;
  miss.origin = {{3, WarpSlot(5), 2}, 77};
  miss.mask.set(32, 64);
  return miss;
}

TEST(Miss, APacketKeepsItsOriginAndPlace) {
  const Packet p = miss_of(Miss::Kind::fetch).packet(Cycle{40});
  EXPECT_EQ(p.kind, PacketKind::read);
  EXPECT_EQ(p.client, Client::texture);
  EXPECT_EQ(p.address, Address{0x1020});
  EXPECT_EQ(p.bytes, 64u);
  EXPECT_EQ(p.sectors, 0b0110);
  EXPECT_EQ(p.sector_count(), 2u);
  EXPECT_EQ(p.origin, (Requester{3, WarpSlot(5), 2}));
  EXPECT_EQ(p.origin.pc, 77u);
  EXPECT_EQ(p.issued, Cycle{40});
  EXPECT_EQ(p.mask.words[0], 0xFFFFFFFF00000000u);
}

TEST(Miss, OnlyTheReplyToAFetchReturnsATag) {
  EXPECT_EQ(miss_of(Miss::Kind::fetch).packet({}).tag, 9u);
  EXPECT_EQ(miss_of(Miss::Kind::forwarded_write).packet({}).tag, 0u);
  EXPECT_EQ(miss_of(Miss::Kind::write_back).packet({}).tag, 0u);
}

TEST(Miss, WritesCarryDataAndAWriteBackGetsNoReply) {
  const Packet forwarded = miss_of(Miss::Kind::forwarded_write).packet({}),
               back = miss_of(Miss::Kind::write_back).packet({});
  EXPECT_EQ(forwarded.kind, PacketKind::write);
  EXPECT_TRUE(forwarded.wants_reply);
  EXPECT_EQ(back.kind, PacketKind::write);
  EXPECT_FALSE(back.wants_reply);
}

TEST(Miss, APartialFillIsAReadWithoutReply) {
  const Packet fill = miss_of(Miss::Kind::partial_fill).packet({});
  EXPECT_EQ(fill.kind, PacketKind::read);
  EXPECT_FALSE(fill.wants_reply);
  EXPECT_EQ(fill.tag, 0u);
  EXPECT_EQ(miss_of(Miss::Kind::partial_fill).network_bytes(), kHeaderBytes);
}

TEST(Packet, WithoutSectorsItTouchesThoseOfItsBytes) {
  Packet p;
  p.address = Address{0x1010};
  p.bytes = 32;
  EXPECT_EQ(p.sector_count(), 2u);
  p.sectors = 0b1000;
  EXPECT_EQ(p.sector_count(), 1u);
}

// The instruction is not part of a warp's identity.
TEST(Origin, RequestersAreEqualWhenSmWarpAndKernelAre) {
  const Origin a{{1, WarpSlot(2), 3}, 7}, same{{1, WarpSlot(2), 3}, 8};
  EXPECT_EQ(a, same);
  EXPECT_FALSE(a == (Origin{{2, WarpSlot(2), 3}, 7}));
  EXPECT_FALSE(a == (Origin{{1, WarpSlot(3), 3}, 7}));
  EXPECT_FALSE(a == (Origin{{1, WarpSlot(2), 4}, 7}));
}

}  // namespace
}  // namespace heddle::mem
