#include "mem/catalogue.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "mem/cache.h"
#include "tests/error_message.h"

namespace heddle::mem {
namespace {

// Notes for how many lines, and how many of them in a set, it keeps state.
class SizedPolicy final : public ReplacementPolicy {
 public:
  explicit SizedPolicy(std::vector<std::uint32_t>& sizes) : sizes_(sizes) {}
  void resize(std::uint32_t lines, std::uint32_t ways) override { sizes_ = {lines, ways}; }
  std::uint32_t victim(const TagArray&, const Incoming&) const override { return kNoLine; }
  void insert(std::uint32_t, const Incoming&) override {}
  void use(std::uint32_t, const Use&) override {}

 private:
  std::vector<std::uint32_t>& sizes_;
};

}  // namespace

TEST(MemoryPolicies, ReplacementHasStateForTheLinesOfAllSets) {
  config::CacheSpec spec;
  spec.ways = 2;
  spec.size_bytes = 4 * spec.ways * spec.line_bytes;
  std::vector<std::uint32_t> sizes;
  Cache cache(spec);
  cache.replace_by(std::make_unique<SizedPolicy>(sizes));
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{8, 2}));
}

TEST(MemoryPolicies, TextsBecomeCanonical) {
  config::GpuSpec gpu;
  gpu.sm.l1d.replacement = "srrip:bits=2";
  gpu.memory.l2.replacement = "srrip:bits=3";
  resolve_policies(gpu);
  EXPECT_EQ(gpu.sm.l1d.replacement, "srrip");
  EXPECT_EQ(gpu.memory.l2.replacement, "srrip:bits=3");
  EXPECT_EQ(gpu.memory.dram.scheduler, "fr-fcfs");
}

TEST(MemoryPolicies, AMisspelledNameIsRefusedWithTheParameterAndTheNearestNames) {
  config::GpuSpec gpu;
  gpu.memory.dram.scheduler = "fcfs2";
  const std::string what = message_of([&] { resolve_policies(gpu); });
  EXPECT_TRUE(what.starts_with(
      "memory.dram.scheduler: unknown DRAM scheduler \"fcfs2\"; did you mean fcfs?\n"
      "  DRAM schedulers: fr-fcfs, fcfs"))
      << what;
}

TEST(MemoryPolicies, EveryPolicyIsDescribed) {
  for (const auto& list :
       {policies::list_policies<ReplacementEntry>(), policies::list_policies<DramSchedulerEntry>()})
    for (const policies::PolicyInfo& policy : list) {
      EXPECT_FALSE(policy.title.empty()) << policy.name;
      EXPECT_FALSE(policy.paper.empty()) << policy.name;
    }
}

}  // namespace heddle::mem
