#include "mem/sm_port.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

Packet store(std::uint32_t bytes) {
  Packet p;
  p.kind = PacketKind::write;
  p.bytes = bytes;
  return p;
}

TEST(SmPort, PacketsOfAnyLengthTakeAPlaceEach) {
  SmPort port(2, 1);
  port.send(Cycle{0}, store(128));
  EXPECT_TRUE(port.can_send(store(128).network_bytes()));
  port.send(Cycle{0}, store(128));
  EXPECT_FALSE(port.can_send());
}

// A store of a whole line has 136 bytes, 5 flits of 32; a read has one flit.
TEST(SmPort, APortThatCountsFlitsHoldsOneStoreOfALineAndFourReadsIn9Flits) {
  SmPort port(9, 1, SmPort::Sides::in_turn, 32);
  port.send(Cycle{0}, store(128));
  EXPECT_FALSE(port.can_send(store(128).network_bytes()));
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(port.can_send());
    port.send(Cycle{0}, Packet{});
  }
  EXPECT_FALSE(port.can_send());
}

TEST(SmPort, FlitsThatWereSentAreFreeInTheNextWindow) {
  for (const auto sides : {SmPort::Sides::in_turn, SmPort::Sides::at_once}) {
    SmPort port(9, 1, sides, 32);
    port.send(Cycle{0}, store(128));
    port.send(Cycle{1}, store(64));
    port.settle();
    port.pop_request();
    EXPECT_FALSE(port.can_send(store(128).network_bytes()));
    port.settle();
    EXPECT_TRUE(port.can_send(store(128).network_bytes()));
    EXPECT_FALSE(port.can_send(store(192).network_bytes()));
  }
}

}  // namespace
}  // namespace heddle::mem
