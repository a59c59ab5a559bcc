// What the hardware hands to the warp schedulers that it builds.
#include <gtest/gtest.h>

#include <algorithm>

#include "config/config.h"
#include "gpu/engine/hardware.h"
#include "sched/catalogue.h"
#include "sched/framework/policy_entry.h"

namespace heddle::gpu {
namespace {

// Records the contexts in which it builds its objects.
class RecordingPolicy final : public sched::Policy {
 public:
  const std::string& text() const override { return text_; }
  std::unique_ptr<sm::WarpScheduler> build(const sched::PolicyContext& context) const override {
    contexts.push_back(context);
    return sched::parse_policy("lrr")->build(context);
  }
  mutable std::vector<sched::PolicyContext> contexts;

 private:
  std::string text_ = "recording";
};

}  // namespace

TEST(Hardware, GivesEverySchedulerTheSeedAndItsPlace) {
  const auto spec = config::load_gpu(std::string(HEDDLE_SOURCE_DIR) + "/presets/gtx480.toml");
  const RecordingPolicy policy;
  const RunningKernels running(1, 1);
  const Hardware hardware(spec, policy, 7, running, mem::SmPort::Sides::in_turn);
  ASSERT_EQ(policy.contexts.size(), 30u);
  std::vector<std::uint64_t> seeds;
  for (const sched::PolicyContext& context : policy.contexts) {
    EXPECT_EQ(context.seed, 7u);
    seeds.push_back(sched::random_seed(context));
  }
  std::sort(seeds.begin(), seeds.end());
  EXPECT_TRUE(std::adjacent_find(seeds.begin(), seeds.end()) == seeds.end());
}

}  // namespace heddle::gpu
