#include "mem/cache_ports.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

CachePorts ports(std::uint32_t banks, std::uint32_t port_bytes) {
  config::CacheSpec spec;
  spec.banks = banks;
  spec.data_port_bytes = port_bytes;
  return CachePorts(spec);
}

TEST(CachePorts, ADataPortIsBusyWhileItsBytesPass) {
  CachePorts p = ports(1, 8);
  EXPECT_TRUE(p.data_free(10));
  p.pass_data(Address{0}, 32, 10);
  EXPECT_FALSE(p.data_free(13));
  EXPECT_TRUE(p.data_free(14));
  p.pass_data(Address{0}, 9, 14);
  EXPECT_FALSE(p.data_free(15));
  EXPECT_TRUE(p.data_free(16));
}

TEST(CachePorts, BytesWaitForThoseBeforeThem) {
  CachePorts p = ports(1, 32);
  p.pass_fill(128, 10);
  p.pass_fill(128, 11);
  EXPECT_FALSE(p.fill_free(17));
  EXPECT_TRUE(p.fill_free(18));
  EXPECT_TRUE(p.data_free(10));
}

TEST(CachePorts, WithoutAWidthALinePassesInOneCycle) {
  CachePorts p = ports(1, 0);
  p.pass_fill(128, 10);
  EXPECT_TRUE(p.fill_free(11));
}

TEST(CachePorts, AFillPortOfTwiceTheWidthTakesTwoFillsInACycle) {
  config::CacheSpec spec;
  spec.data_port_bytes = 32;
  CachePorts p(spec, 2);
  p.pass_fill(32, 10);
  EXPECT_TRUE(p.fill_free(10));
  p.pass_fill(32, 10);
  EXPECT_FALSE(p.fill_free(10));
  EXPECT_TRUE(p.fill_free(11));
}

TEST(CachePorts, SectorsAlternateBetweenBanks) {
  CachePorts p = ports(2, 32);
  p.pass_data(Address{0x1020}, 32, 10);
  EXPECT_TRUE(p.data_free(10, Address{0x1040}));
  EXPECT_FALSE(p.data_free(10, Address{0x1060}));
}

}  // namespace
}  // namespace heddle::mem
