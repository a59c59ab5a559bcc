#include "sm/front/l0_cache.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

config::GuidedSpec spec(std::uint32_t prefetched) {
  config::GuidedSpec s;
  s.l0i_bytes = 4096;  // 32 lines
  s.l0i_miss_latency = 40;
  s.prefetched_lines = prefetched;
  return s;
}

TEST(L0Cache, AMissTakesTheLatencyOfTheL1InstructionCache) {
  L0Cache cache(spec(0));
  EXPECT_FALSE(cache.fetch(7, Cycle{100}));
  EXPECT_FALSE(cache.fetch(7, Cycle{139}));
  EXPECT_TRUE(cache.fetch(7, Cycle{140}));
  EXPECT_FALSE(cache.fetch(8, Cycle{140}));
}

TEST(L0Cache, TheStreamBufferBringsTheLinesBehind) {
  L0Cache cache(spec(2));
  EXPECT_FALSE(cache.fetch(7, Cycle{100}));
  EXPECT_TRUE(cache.fetch(8, Cycle{141}));  // a line per cycle
  EXPECT_TRUE(cache.fetch(9, Cycle{142}));
  EXPECT_FALSE(cache.fetch(10, Cycle{200}));
}

TEST(L0Cache, KeepsACodeThatFits) {
  L0Cache cache(spec(0));
  for (std::uint64_t line = 0; line < 32; ++line) cache.fetch(line, Cycle{100 + line});
  for (std::uint64_t line = 0; line < 32; ++line)
    EXPECT_TRUE(cache.fetch(line, Cycle{1000 + line})) << line;
  EXPECT_FALSE(cache.fetch(32, Cycle{2000}));
  EXPECT_FALSE(cache.fetch(0, Cycle{3000}));  // the least recently used of its set has left
}

}  // namespace
}  // namespace heddle::sm
