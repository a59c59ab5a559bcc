#include "mem/arrival_buffer.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

config::NetworkSpec spec(std::uint32_t packets, std::uint32_t flits) {
  config::NetworkSpec spec;
  spec.ejection_packets = packets;
  spec.slice_flits = flits;
  spec.request_latency = 1;
  return spec;
}

TEST(ArrivalBuffer, TheNetworkSeesTheRoomOfTheBeginOfTheWindow) {
  ArrivalBuffer buffer(spec(1, 0));  // and one packet on the link
  buffer.begin_window();
  buffer.push(7, 5, 100);
  EXPECT_TRUE(buffer.has_room());
  buffer.push(8, 5, 110);
  EXPECT_FALSE(buffer.has_room());
  EXPECT_EQ(buffer.visible_at(), 100u);
  EXPECT_EQ(buffer.pop(), 7u);
  EXPECT_EQ(buffer.front(), 8u);
  EXPECT_FALSE(buffer.has_room());
  buffer.begin_window();
  EXPECT_TRUE(buffer.has_room());
}

TEST(ArrivalBuffer, CountsFlitsWhereTheParameterSaysSo) {
  ArrivalBuffer buffer(spec(1, 4));
  buffer.begin_window();
  buffer.push(7, 4, 100);
  EXPECT_TRUE(buffer.has_room());  // one flit of the link is left
  buffer.push(8, 3, 100);
  EXPECT_FALSE(buffer.has_room());
  buffer.pop();
  buffer.begin_window();
  EXPECT_TRUE(buffer.has_room());
  buffer.pop();
  EXPECT_TRUE(buffer.empty());
}

}  // namespace
}  // namespace heddle::mem
