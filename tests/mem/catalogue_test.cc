#include "mem/catalogue.h"

#include <gtest/gtest.h>

#include <string>

#include "base/diagnostics.h"

namespace heddle::mem {

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
  try {
    resolve_policies(gpu);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with(
        "memory.dram.scheduler: unknown DRAM scheduler \"fcfs2\"; did you mean fcfs?\n"
        "  DRAM schedulers: fr-fcfs, fcfs"))
        << what;
  }
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
