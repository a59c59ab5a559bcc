#include <gtest/gtest.h>

#include "gpu/cta/cta_entry.h"
#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {

CtaEntry chunks();

TEST(Chunks, AnSmGetsTheNextChunkWhenItHasUsedUpItsOwn) {
  CtaSchedulerBench bench{chunks().parse("size=2"), {.grid = {7}, .sms = 2, .ctas_per_sm = 2}};
  bench.dispatch();
  EXPECT_EQ(bench.ctas_of(0), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(bench.ctas_of(1), (std::vector<std::uint64_t>{2, 3}));
  bench.finish(1, 2);
  bench.dispatch();
  EXPECT_EQ(bench.ctas_of(1), (std::vector<std::uint64_t>{3, 4}));
  bench.finish(0, 0);
  bench.dispatch();
  EXPECT_EQ(bench.ctas_of(0), (std::vector<std::uint64_t>{1, 6}));  // 5 belongs to SM 1
  bench.finish(1, 3);
  bench.dispatch();
  EXPECT_EQ(bench.ctas_of(1), (std::vector<std::uint64_t>{4, 5}));
  EXPECT_TRUE(bench.scheduler().exhausted());
}

}  // namespace heddle::gpu
