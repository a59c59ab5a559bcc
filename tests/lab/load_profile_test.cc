#include "lab/load_profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heddle::lab {
namespace {

using Json = nlohmann::ordered_json;

// A load of the loop at `loop`, whose group is that of the load at `first`.
Json load(int pc, int first, int loop, int executions, int scattered, int same, int other) {
  return {{"pc", pc},
          {"ptx_line", pc + 100},
          {"loop", loop},
          {"repeats", first},
          {"executions", executions},
          {"scattered", scattered},
          {"l1d",
           {{"hit_same_warp", same},
            {"pending_same_warp", 1},
            {"miss_same_warp", 2},
            {"hit_other_warp", other}}}};
}

Json launch(const std::string& name, const Json& instructions) {
  return {{"name", name},
          {"details",
           {{"instructions_in_code", 40},
            {"instructions", instructions},
            {"loops",
             {{{"pc", 3}, {"ptx_line", 103}, {"source", "k.cu:5"}},
              {{"pc", 9}, {"ptx_line", 109}, {"source", "k.cu:8"}}}}}}};
}

TEST(LoadProfile, AddsTheLaunchesOfAKernelUpByLoopAndLoad) {
  Json results{{"program", {{"path", "prog"}, {"arguments", {"8", "x"}}}},
               {"gpu", "gtx480"},
               {"scheduler", "gto"}};
  Json instructions{load(10, 10, 9, 4, 0, 9, 0), load(12, 10, 9, 4, 3, 0, 20),
                    load(4, 4, 3, 2, 0, 5, 2), Json{{"pc", 20}, {"loop", 9}}};
  Json unused = load(14, 14, 9, 7, 0, 0, 0);
  for (auto& [key, count] : unused["l1d"].items()) count = 0;
  instructions.push_back(unused);
  results["kernels"] = {launch("k", instructions), launch("k", instructions),
                        Json{{"name", "without"}}, launch("other", Json::array())};
  const sched::LoadProfile profile = load_profile_of(results);
  EXPECT_EQ(profile.program, "prog");
  EXPECT_EQ(profile.arguments, "8 x");
  EXPECT_EQ(profile.gpu, "gtx480");
  EXPECT_EQ(profile.scheduler, "gto");
  ASSERT_EQ(profile.kernels.size(), 2u);
  EXPECT_EQ(profile.kernels[1].name, "other");
  const sched::ProfiledKernel& kernel = profile.kernels[0];
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.instructions, 40u);
  ASSERT_EQ(kernel.loops.size(), 2u) << "ascending, although the later one is first";
  const sched::ProfiledLoop &first = kernel.loops[0], &second = kernel.loops[1];
  EXPECT_EQ(first.pc, 3u);
  EXPECT_EQ(first.ptx_line, 103u);
  EXPECT_EQ(first.source, "k.cu:5");
  EXPECT_EQ(first.accesses, 2u * 10);
  EXPECT_EQ(first.own, 2u * 8);
  EXPECT_TRUE(first.local);
  EXPECT_EQ(second.source, "k.cu:8");
  EXPECT_EQ(second.accesses, 2u * (12 + 23));
  EXPECT_EQ(second.own, 2u * (12 + 3));
  EXPECT_FALSE(second.local) << "30 of 70";
  ASSERT_EQ(second.loads.size(), 2u) << "without the load that never executed";
  EXPECT_EQ(second.loads[0].ptx_line, 110u);
  EXPECT_EQ(second.loads[0].executions, 8u);
  EXPECT_FALSE(second.loads[0].diverged);
  EXPECT_EQ(second.loads[0].group, 0u);
  EXPECT_EQ(second.loads[1].scattered, 6u);
  EXPECT_TRUE(second.loads[1].diverged);
  EXPECT_EQ(second.loads[1].group, 0u) << "it touches the lines of the load at 10";
  EXPECT_EQ(first.loads[0].group, 0u);
}

TEST(LoadProfile, IsOfARunWithDetailsAndNothingElse) {
  RunRequest request;
  request.watch.interval = 100;
  request.keep_launches = false;
  request.gpu = "daws";
  const RunRequest changed = with_details(request);
  EXPECT_TRUE(changed.watch.details);
  EXPECT_EQ(changed.watch.interval, 0u);
  EXPECT_TRUE(changed.keep_launches);
  EXPECT_EQ(changed.gpu, "daws");
}

}  // namespace
}  // namespace heddle::lab
