#include "mem/flit_count.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

config::NetworkSpec spec_of(config::Topology topology) {
  config::NetworkSpec spec;
  spec.flit_bytes = 32;
  spec.topology = topology;
  return spec;
}

TEST(FlitCount, TheLastFlitOfAPacketMayBePartlyFilled) {
  const FlitCount flits_of(spec_of(config::Topology::butterfly));
  EXPECT_EQ(flits_of(8), 1u);
  EXPECT_EQ(flits_of(32), 1u);
  EXPECT_EQ(flits_of(40), 2u);
  EXPECT_EQ(flits_of(136), 5u);
  EXPECT_EQ(flits_of(1024), 32u);
}

TEST(FlitCount, ALocalCrossbarTransfersWholePackets) {
  const FlitCount flits_of(spec_of(config::Topology::local_crossbar));
  EXPECT_EQ(flits_of(8), 1u);
  EXPECT_EQ(flits_of(136), 1u);
  EXPECT_EQ(flits_of(1024), 1u);
}

}  // namespace
}  // namespace heddle::mem
