#include "gpu/engine/cta_epochs.h"

#include <gtest/gtest.h>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using test::EngineBench;
using test::ScriptedCtas;

}  // namespace

TEST(CtaEpochs, EndAfterTheWantedCyclesAndCoverAllTime) {
  EngineBench bench;
  std::vector<std::uint64_t> cycles;
  std::vector<Cycle> ends;
  bench.ctas.prepare = [&](ScriptedCtas& ctas) {
    ctas.wanted.epoch_cycles = 200;
    ctas.epoch = [&](Cycle now, std::span<const SmEpoch> sms, CtaControl&) {
      EXPECT_EQ(sms.size(), 2u);
      cycles.push_back(sms[0].cycles);
      ends.push_back(now);
    };
  };
  bench.begin(8, 256);
  bench.finish();
  ASSERT_GE(ends.size(), 2u);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_GE(cycles[i], 200u);
    EXPECT_LT(cycles[i], 200u + bench.run.gpu.network.window());
    if (i > 0) EXPECT_EQ(ends[i] - ends[i - 1], cycles[i]);
  }
}

TEST(CtaEpochs, NobodyWhoNeedsNoneGetsOne) {
  EngineBench bench;
  int epochs = 0;
  bench.ctas.prepare = [&](ScriptedCtas& ctas) {
    ctas.epoch = [&](Cycle, std::span<const SmEpoch>, CtaControl&) { ++epochs; };
  };
  bench.begin(8, 256);
  bench.finish();
  EXPECT_EQ(epochs, 0);
}

// A paused CTA issues nothing until it resumes, nor does a paused cluster.
void check_pauses(EngineBench& bench, std::uint64_t paused_one) {
  int epoch = 0;
  std::vector<std::uint64_t> issued;
  std::vector<bool> paused;
  bench.ctas.prepare = [&](ScriptedCtas& ctas) {
    ctas.wanted.epoch_cycles = 200;
    ctas.wanted.issue_counts = true;
    ctas.epoch = [&](Cycle, std::span<const SmEpoch> sms, CtaControl& control) {
      for (const SmEpoch::Cta& cta : sms[0].resident)
        if (cta.cta == paused_one) issued.push_back(cta.issued), paused.push_back(cta.paused);
      if (epoch == 0) control.pause(0, paused_one);
      if (epoch == 2) control.resume(0, paused_one);
      ++epoch;
    };
  };
  bench.begin(4, 256);
  bench.finish();
  ASSERT_GE(issued.size(), 3u);
  EXPECT_EQ(paused[0], false);
  EXPECT_EQ(paused[1], true);
  EXPECT_EQ(paused[2], true);
  EXPECT_EQ(issued[2], issued[1]);
}

TEST(CtaEpochs, CarryOutPausesAfterTheWindow) {
  EngineBench bench;
  check_pauses(bench, 2);
}

TEST(CtaEpochs, PauseAllCtasOfACluster) {
  EngineBench bench(test::count_down(".explicitcluster\n.reqnctapercluster 2, 1, 1"));
  bench.run.gpu.cluster_network = {.gpcs = 1, .latency = 200, .bandwidth = 16};
  check_pauses(bench, 1);
}

}  // namespace heddle::gpu
