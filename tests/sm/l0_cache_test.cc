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
  EXPECT_EQ(cache.fetch(7, Cycle{100}, false), Cycle{140});
  EXPECT_EQ(cache.fetch(7, Cycle{139}, false), Cycle{140});
  EXPECT_EQ(cache.fetch(8, Cycle{140}, false), Cycle{180});
}

TEST(L0Cache, TheStreamBufferBringsTheLinesBehind) {
  L0Cache cache(spec(2));
  EXPECT_EQ(cache.fetch(7, Cycle{100}, false), Cycle{140});
  EXPECT_EQ(cache.fetch(8, Cycle{110}, false), Cycle{141});  // a line per cycle
  EXPECT_EQ(cache.fetch(9, Cycle{110}, false), Cycle{142});
  EXPECT_EQ(cache.fetch(10, Cycle{200}, false), Cycle{240});
}

TEST(L0Cache, KeepsACodeThatFits) {
  L0Cache cache(spec(0));
  for (std::uint64_t line = 0; line < 32; ++line) cache.fetch(line, Cycle{100 + line}, false);
  for (std::uint64_t line = 0; line < 32; ++line)
    EXPECT_LE(cache.fetch(line, Cycle{1000 + line}, false), Cycle{1000}) << line;
  EXPECT_EQ(cache.fetch(32, Cycle{2000}, false), Cycle{2040});
  // The least recently used line of its set has left.
  EXPECT_EQ(cache.fetch(0, Cycle{3000}, false), Cycle{3040});
}

TEST(L0Cache, NeedsNoPowerOfTwo) {
  config::GuidedSpec s = spec(0);
  s.l0i_bytes = 12288;
  L0Cache cache(s);
  for (std::uint64_t line = 0; line < 96; ++line) cache.fetch(line, Cycle{100 + line}, false);
  for (std::uint64_t line = 0; line < 96; ++line)
    EXPECT_LE(cache.fetch(line, Cycle{1000 + line}, false), Cycle{1000}) << line;
}

TEST(L0Cache, ALineThatWasDisplacedIsStillDelivered) {
  L0Cache cache(spec(0));
  EXPECT_EQ(cache.fetch(0, Cycle{100}, false), Cycle{140});
  for (std::uint64_t line = 8; line <= 32; line += 8) cache.fetch(line, Cycle{100 + line}, false);
  EXPECT_EQ(cache.fetch(0, Cycle{150}, true), Cycle{150});
  EXPECT_EQ(cache.fetch(0, Cycle{150}, false), Cycle{190});
}

}  // namespace
}  // namespace heddle::sm
