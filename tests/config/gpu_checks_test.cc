// Rules between parameters: each refuses what just breaks it and allows what just keeps it.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "config/config.h"

namespace heddle::config {
namespace {

using Overrides = std::vector<std::string>;

std::string answer(const std::string& gpu, const Overrides& overrides) {
  try {
    load_gpu(gpu, overrides);
  } catch (const UserError& error) {
    return error.what();
  }
  return "allowed";
}

struct Rule {
  Overrides broken;
  const char* message;  // a part of it
  Overrides kept;
};

void check_rules(const std::string& gpu, const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    const std::string text = answer(gpu, rule.broken);
    EXPECT_NE(text.find(rule.message), std::string::npos)
        << fmt::format("{}: {}", fmt::join(rule.broken, " "), text);
    EXPECT_EQ(answer(gpu, rule.kept), "allowed") << fmt::format("{}", fmt::join(rule.kept, " "));
  }
}

}  // namespace

TEST(GpuChecks, BoundCountsOfTheMachine) {
  check_rules("gtx480",
              {{{"clusters=13", "sms_per_cluster=15"},
                "13 x 15 = 195: a GPU has at most 192 SMs",
                {"clusters=12", "sms_per_cluster=16"}},
               {{"memory.channels=49", "memory.slices_per_channel=4"},
                "49 x 4 = 196: a GPU has at most 192 L2 slices",
                {"memory.channels=48", "memory.slices_per_channel=4"}},
               {{"sm.max_threads=1540"}, "1540: must be a multiple of 32", {"sm.max_threads=1504"}},
               {{"sm.max_threads=64", "sm.schedulers=3"},
                "3: at most one per warp slot (2)",
                {"sm.max_threads=64", "sm.schedulers=2"}},
               {{"sm.collectors.sp.units=55"},
                "= 65: an SM has at most 64 collectors",
                {"sm.collectors.sp.units=54"}}});
}

TEST(GpuChecks, AnSmHasTheUnitsAndPortsThatItNeeds) {
  for (const char* unit : {"sp", "sfu", "mem"})
    EXPECT_NE(answer("gtx480", {fmt::format("sm.units.{}=0", unit)}).find("needs at least one"),
              std::string::npos)
        << unit;
  const Overrides dp{"sm.units.dp=1", "sm.issue_latches.dp=1", "sm.dispatch_latches.dp=1"};
  check_rules("gtx480", {{{dp[0], dp[2]}, "sm.issue_latches.dp = 0", dp},
                         {{dp[0], dp[1]}, "sm.dispatch_latches.dp = 0", dp}});
  const Overrides generic{"sm.collectors.generic.units=1", "sm.collectors.generic.in_ports=1",
                          "sm.collectors.generic.out_ports=1"};
  for (const char* set : {"sp", "sfu", "mem"})
    for (const char* part : {"units", "in_ports", "out_ports"}) {
      Overrides all = generic;
      all.push_back(fmt::format("sm.collectors.{}.{}=0", set, part));
      check_rules("gtx480", {{{all.back()}, "without generic collectors", all}});
      for (const std::string& one : generic) {
        Overrides some = all;
        std::erase(some, one);
        EXPECT_NE(answer("gtx480", some), "allowed") << one;
      }
    }
  check_rules("qv100", {{{"sm.register_banks=2"}, "multiple of", {"sm.register_banks=4"}}});
  check_rules("gtx480", {{{"sm.core=compiler_guided"}, "needs sm.sub_cores = true", {}}});
  for (const char* change : {"sm.max_issue=2", "sm.shared.warp_parts=2", "sm.sub_cores=false",
                             "sm.collectors_step_in_lsu=true"})
    check_rules("h200_guided", {{{change}, "sm.core = compiler_guided needs", {}}});
}

TEST(GpuChecks, CoalescingIsThatOfAKnownArchitecture) {
  for (const int arch : {13, 20, 35, 61, 70, 75, 86}) {
    EXPECT_EQ(answer("gtx480", {fmt::format("sm.coalescing_arch={}", arch)}), "allowed");
    EXPECT_NE(answer("gtx480", {fmt::format("sm.coalescing_arch={}", arch + 1)}), "allowed");
  }
}

TEST(GpuChecks, ACacheHasWholeSetsThatItsHashKnows) {
  check_rules(
      "gtx480",
      {{{"sm.l1i.size=256"}, "must be ways x line (4 x 128 = 512 bytes)", {"sm.l1i.size=512"}},
       {{"sm.l1i.size=1536"}, "as 1024 and 2048", {"sm.l1i.size=1024"}},
       {{"sm.l1d.filling=sectors", "sm.l1d.line=64", "sm.l1d.size=8KiB"},
        "needs lines of 128 bytes, not 64",
        {"sm.l1d.filling=lines", "sm.l1d.line=64", "sm.l1d.size=8KiB"}},
       {{"sm.l1d.size=64KiB"}, "for 32 or 64 sets, not 128", {"sm.l1d.size=32KiB"}},
       {{"sm.l1d.size=8KiB"}, "for 32 or 64 sets, not 16", {"sm.l1d.size=16KiB"}},
       {{"memory.l2.set_index=ipoly", "memory.l2.size=2MiB"},
        "at most 1024 sets, not 2048",
        {"memory.l2.set_index=ipoly", "memory.l2.size=1MiB"}},
       {{"sm.l1d.write=read_only"}, "takes the stores of the SM", {}},
       {{"memory.l2.write=read_only"}, "takes the stores of the SMs", {}}});
  check_rules(
      "h200",
      {{{"sm.unified_size=262145"}, "must be a multiple of a way of the L1", {}},
       {{"sm.shared_sizes=0,100KiB"}, "the largest must be at least", {"sm.shared_sizes=0,228KiB"}},
       {{"sm.shared_sizes=0,256KiB"}, "less than sm.unified_size", {"sm.shared_sizes=0,255KiB"}}});
}

TEST(GpuChecks, AStoreOfALineFitsIntoThePortOfAnSm) {
  check_rules(
      "gtx480",
      {{{"network.multiple_grants=true"},
        "needs network.topology = local_crossbar",
        {"network.multiple_grants=true", "network.topology=local_crossbar"}},
       {{"network.injection_flits=3"}, "has 4 flits of 40 bytes", {"network.injection_flits=4"}},
       {{"network.injection_flits=1", "network.flit=135"},
        "has 2 flits of 135 bytes",
        {"network.injection_flits=1", "network.flit=136"}}});
}

TEST(GpuChecks, ARouterMovesPacketsThatFitInCoreCycles) {
  check_rules("lfws",
              {{{"clocks.l2=600"}, "flits move in core cycles", {"clocks.l2=700"}},
               {{"sms_per_cluster=2"}, "each SM has a port", {"sms_per_cluster=1"}},
               {{"network.reply_latency=9"}, "which its stages take", {"network.reply_latency=8"}},
               {{"network.slice_flits=12"},
                "a packet with a line has 5 flits",
                {"network.slice_flits=13"}}});
}

TEST(GpuChecks, MemoryIsOneThatItsAddressesDescribe) {
  const Overrides writes{"memory.dram.separate_writes=true"};
  const auto with = [](Overrides all, const Overrides& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  check_rules("gtx480",
              {{{"memory.heap_base=268435457"},
                "must be a multiple of 4 KiB",
                {"memory.heap_base=268439552"}},
               {{"memory.dram.burst=32"},
                "= 256 bytes: an atom must be",
                {"memory.dram.burst=16", "memory.address_bits=S7 C2 B1 C4 B3 R12"}},
               {{"memory.dram.burst=2", "memory.dram.ratio=2"},
                "= 16 bytes: an atom must be",
                {"memory.dram.burst=4", "memory.address_bits=S5 C2 B1 C4 B3 R12"}},
               {{"memory.dram.ratio=16"}, "at most one burst (8 beats)", {"memory.dram.ratio=8"}},
               {{"memory.dram.bank_groups=32"},
                "must divide memory.dram.banks (16)",
                {"memory.dram.bank_groups=16"}},
               {with(writes, {"memory.dram.write_low=28"}), "write_low (28) < write_high (28)",
                with(writes, {"memory.dram.write_low=27"})},
               {with(writes, {"memory.dram.write_high=33"}), "write_high (33) <= write_queue (32)",
                with(writes, {"memory.dram.write_high=32"})},
               {with(writes, {"memory.dram.write_high=33"}), "", {"memory.dram.write_high=33"}},
               {{"memory.far_latency=1"},
                "needs memory.partition_hash = 4",
                {"memory.far_latency=1", "memory.partition_hash=4"}},
               {{"memory.far_latency=1", "memory.partition_hash=4", "memory.channels=5"},
                "an even number of memory.channels",
                {"memory.partition_hash=4", "memory.channels=5"}}});
  for (const int hash : {0, 1, 2, 3, 4, 5, 6})
    EXPECT_EQ(answer("gtx480", {fmt::format("memory.partition_hash={}", hash)}) == "allowed",
              hash != 3 && hash != 5)
        << hash;
}

}  // namespace heddle::config
