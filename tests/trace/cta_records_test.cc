#include "trace/cta_records.h"

#include <gtest/gtest.h>

namespace heddle::trace {
namespace {

TEST(CtaRecords, AreReadAsTheyWereWritten) {
  CtaWriter writer;
  writer.begin_warp();
  Executed strided{.number = 0, .lanes = LaneMask::first(8), .has_addresses = true};
  for (std::size_t lane = 0; lane < 8; ++lane) strided.addresses[lane] = 0x7f0000 - 4 * lane;
  writer.add(strided);
  Executed scattered{.number = 9,
                     .lanes = LaneMask{0x80000101},
                     .has_addresses = true,
                     .space = isa::Space::local};
  scattered.addresses[0] = 5, scattered.addresses[8] = 100, scattered.addresses[31] = 7;
  writer.add(scattered);
  writer.add({.number = 10, .lanes = LaneMask{}});
  writer.set_arrives(writer.position());
  writer.begin_warp();
  writer.add({});
  const CtaReader reader(writer.take());
  ASSERT_EQ(reader.warps(), 2u);
  CtaReader::Warp warp = reader.warp(0);
  Executed read;
  read.number = ~std::uint32_t{0};
  ASSERT_TRUE(warp.next(read));
  EXPECT_EQ(read.addresses, strided.addresses);
  ASSERT_TRUE(warp.next(read));
  EXPECT_EQ(read.number, 9u);
  EXPECT_EQ(read.space, isa::Space::local);
  EXPECT_EQ(read.addresses[8], 100u);
  EXPECT_EQ(read.addresses[31], 7u);
  ASSERT_TRUE(warp.next(read));
  EXPECT_TRUE(read.arrives);
  EXPECT_FALSE(read.has_addresses);
  EXPECT_TRUE(read.lanes.none());
  EXPECT_FALSE(warp.next(read));
}

}  // namespace
}  // namespace heddle::trace
