// Reuse in an L2 slice.
#include "mem/reuse_watch.h"

#include <gtest/gtest.h>

namespace heddle::mem {
namespace {

constexpr std::uint64_t kLine = 128;

config::CacheSpec small_watched() {
  config::CacheSpec spec;
  spec.size_bytes = 16 * kLine;
  spec.line_bytes = kLine;
  spec.ways = 4;
  return spec;
}

Request read(int sm, int warp, std::uint64_t line, Client client = Client::l1d) {
  Request request;
  request.client = client;
  request.address = Address{line * kLine};
  request.bytes = 32;
  request.origin = {{static_cast<std::uint16_t>(sm), WarpSlot(warp)}};
  return request;
}

Access hit_on_line_of(int sm, int warp) {
  Access access;
  access.outcome = Outcome::hit;
  access.owner = {{static_cast<std::uint16_t>(sm), warp < 0 ? WarpSlot::none : WarpSlot(warp)}};
  return access;
}

Access miss() {
  Access access;
  access.outcome = Outcome::miss;
  return access;
}

}  // namespace

TEST(ReuseWatch, DistinguishesOwnLinesFromThoseOfOtherSms) {
  const ReuseWatch watch(small_watched());
  EXPECT_EQ(watch.judge(read(1, 5, 7), hit_on_line_of(1, 5)), Reuse::own);
  EXPECT_EQ(watch.judge(read(1, 5, 7), hit_on_line_of(2, 5)), Reuse::others);
  EXPECT_EQ(watch.judge(read(1, 5, 7), hit_on_line_of(1, 6)),
            Reuse::none);  // the SM's own L1 serves that
  EXPECT_EQ(watch.judge(read(1, 5, 7), hit_on_line_of(1, -1)),
            Reuse::none);  // a copy from the host brought it in
  EXPECT_EQ(watch.judge(read(1, 5, 7), miss()), Reuse::none);
}

TEST(ReuseWatch, RemembersEvictedLines) {
  ReuseWatch watch(small_watched());
  watch.on_eviction({LineAddress{7 * kLine}, {{2, WarpSlot(5)}}});
  EXPECT_EQ(watch.judge(read(2, 5, 7), miss()), Reuse::own_lost);
  EXPECT_EQ(watch.judge(read(1, 5, 7), miss()), Reuse::others_lost);
  EXPECT_EQ(watch.judge(read(2, 6, 7), miss()), Reuse::none);
  EXPECT_EQ(watch.judge(read(2, 5, 8), miss()), Reuse::none);
}

TEST(ReuseWatch, ConsidersOnlyReadsOfWarps) {
  const ReuseWatch watch(small_watched());
  Request write = read(1, 5, 7);
  write.kind = PacketKind::write;
  EXPECT_EQ(watch.judge(write, hit_on_line_of(1, 5)), Reuse::none);
  EXPECT_EQ(watch.judge(read(1, 5, 7, Client::instruction), hit_on_line_of(1, 5)), Reuse::none);
}

}  // namespace heddle::mem
