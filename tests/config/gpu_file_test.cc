#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "config/config.h"
#include "tests/error_message.h"

namespace heddle::config {
namespace {

std::string refusal(const std::string& gpu, const std::vector<std::string>& overrides = {}) {
  return message_of([&] { load_gpu(gpu, overrides); }, "accepted");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class GpuFile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("heddle-gpu-file-" + std::to_string(::getpid()));
};

TEST(Presets, Gtx480IsTheMachineOfTheShippedFile) {
  const GpuSpec gpu = load_gpu("gtx480");
  EXPECT_EQ(gpu.name, "gtx480");
  EXPECT_EQ(gpu.sms(), 15u);
  EXPECT_EQ(gpu.sm.schedulers, 2u);
  EXPECT_EQ(gpu.sm.l1d.sets(), 32u);
  EXPECT_EQ(gpu.sm.l1d.mshr_keying, MshrKeying::sector);
  EXPECT_EQ(gpu.sm.l1i.size_bytes, 2048u);
  EXPECT_EQ(gpu.sm.constant.sets(), 64u);
  EXPECT_EQ(gpu.memory.l2.sets(), 64u);
  EXPECT_EQ(gpu.memory.slices() * gpu.memory.l2.size_bytes, 768u * 1024);
  EXPECT_EQ(gpu.memory.dram.atom_bytes(), 64u);
}

TEST(Presets, IpawsHasOneSchedulerAndTwiceTheL1) {
  const GpuSpec gpu = load_gpu("ipaws");
  EXPECT_EQ(gpu.sm.schedulers, 1u);
  EXPECT_EQ(gpu.sm.l1d.size_bytes, 32u * 1024);
  EXPECT_EQ(gpu.sm.l1d.ways, 8u);
  EXPECT_EQ(gpu.memory.dram.frfcfs_queue, 16u);
  EXPECT_EQ(gpu.memory.dram.return_queue, 116u);
}

TEST(Presets, AllLoadAndHaveATitle) {
  ASSERT_FALSE(preset_names().empty());
  for (const std::string& name : preset_names()) {
    EXPECT_NO_THROW(load_gpu(name)) << name;
    EXPECT_FALSE(preset_title(name).empty()) << name;
  }
}

TEST(Overrides, AcceptSizesNamesBooleansAndLists) {
  const GpuSpec gpu =
      load_gpu("gtx480", {"sm.l1d.size=32KiB", "sm.l1d.ways = 8", "sm.l1d.write=write_through",
                          "sm.perfect_instruction_cache=yes", "memory.partition_queues=1,2,3,4",
                          "clocks.core=1400.5"});
  EXPECT_EQ(gpu.sm.l1d.size_bytes, 32768u);
  EXPECT_EQ(gpu.sm.l1d.ways, 8u);
  EXPECT_EQ(gpu.sm.l1d.write, WritePolicy::write_through);
  EXPECT_TRUE(gpu.sm.perfect_instruction_cache);
  EXPECT_EQ(gpu.memory.partition_queues[2], 3u);
  EXPECT_DOUBLE_EQ(gpu.clocks.core_mhz, 1400.5);
}

TEST(Overrides, TheLastOneWins) {
  EXPECT_EQ(load_gpu("gtx480", {"sm.schedulers=4", "sm.schedulers=1"}).sm.schedulers, 1u);
}

TEST(Refusals, AHashOfAddressesThatIsNotModelledNamesTheOthers) {
  for (const std::string hash : {"3", "5"}) {
    const std::string text = refusal("gtx480", {"memory.partition_hash=" + hash});
    EXPECT_TRUE(contains(text, "--set memory.partition_hash=" + hash)) << text;
    EXPECT_TRUE(contains(text, "must be 0, 1, 2, 4 or 6")) << text;
  }
}

TEST(Refusals, AnImpossibleSizeNamesTheOverrideAndTheAllowedSizes) {
  const std::string text = refusal("gtx480", {"sm.l1d.size=33"});
  EXPECT_TRUE(contains(text, "--set sm.l1d.size=33")) << text;
  EXPECT_TRUE(contains(text, "other sizes need other ")) << text;
  const std::string sets = refusal("gtx480", {"sm.l1d.size=1000"});
  EXPECT_TRUE(contains(sets, "must be ways x line (4 x 128 = 512 bytes)")) << sets;
  EXPECT_TRUE(contains(sets, "--set sm.l1d.size=1000")) << sets;
  EXPECT_TRUE(contains(refusal("gtx480", {"sm.l1d.size=24KiB"}),
                       "(4 x 128 = 512 bytes) times a power of two, as 16384 and 32768; other "
                       "sizes need other sm.l1d.ways, too"));
}

TEST(Refusals, AnUnknownKeyIsReportedWithSimilarKeys) {
  const std::string text = refusal("gtx480", {"sm.l1d.sise=32KiB"});
  EXPECT_TRUE(contains(text, "sm.l1d.size")) << text;
}

TEST(Refusals, AKeyWithoutItsSectionIsReportedWithTheWholeKey) {
  const std::string text = refusal("gtx480", {"l1d.size=32KiB"});
  EXPECT_TRUE(contains(text, "did you mean sm.l1d.size")) << text;
}

TEST(Refusals, AWordOfAKeyOrOfAMeaningLeadsToTheKeys) {
  const std::string sms = refusal("gtx480", {"sms=128"});
  EXPECT_TRUE(contains(sms, "'sms'; see clusters, sms_per_cluster")) << sms;
  const std::string bank = refusal("gtx480", {"refresh cycles=1"});
  EXPECT_TRUE(contains(bank, "'refresh cycles' (heddle list")) << bank;
}

TEST(Refusals, OnlyTheL1DataCacheHasAHitLatency) {
  EXPECT_EQ(load_gpu("gtx480", {"sm.l1d.hit_latency=40"}).sm.l1d.hit_latency, 40u);
  const std::string text = refusal("gtx480", {"sm.constant.hit_latency=40"});
  EXPECT_TRUE(contains(text, "there is no parameter 'sm.constant.hit_latency'")) << text;
}

TEST(Refusals, AnUnknownGpuIsReportedWithTheKnownOnes) {
  const std::string text = refusal("nosuch");
  EXPECT_TRUE(contains(text, "nosuch") && contains(text, "gtx480")) << text;
}

TEST(Refusals, EveryRuleIsChecked) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"sm.schedulers=0", "1 to 8"},
      {"sm.max_threads=100", "multiple of 32"},
      {"clocks.core=0", "1 to 10000"},
      {"sm.l1d.write=sideways", "write_back"},
      {"sm.sub_cores=maybe", "true or false"},
      {"sm.int_op.latency=1,2,3", "6 whole numbers"},
      {"sm.l1d.size", "KEY=VALUE"},
      {"sm.l1d.size=-5", "not allowed"},
      {"sm.l1d.size=16QiB", "not allowed"},
      {"sm.l1d.size=99999999999999999999KiB", "not allowed"},
      {"sm.units.sfu=0", "at least one"},
      {"sm.collectors.mem.units=0", "collectors"},
      {"memory.dram.bank_groups=32", "divide"},
      {"memory.dram.burst=32", "atom"},
      {"memory.address_bits=S6 C2 B1 C4 B2 R12", "bank bits"},
      {"memory.address_bits=S5 C2 B1 C4 B3 R12", "S6"},
      {"memory.address_bits=S6 X2", "'X2'"},
      {"memory.address_bits=S6 C2 B4 R12 C4", "row bits"},
      {"sm.coalescing_arch=50", "one of 13, 20"},
      {"sm.l1d.size=64KiB", "fermi_hash"},
      {"network.injection_flits=3", "has 4 flits of 40 bytes"},
      {"memory.heap_base=268435457", "multiple of 4 KiB"},
  };
  for (const auto& [override_text, part] : cases) {
    const std::string text = refusal("gtx480", {override_text});
    EXPECT_TRUE(contains(text, part)) << override_text << " -> " << text;
  }
}

TEST(Refusals, ALatchOfASubCoreNeedsAUnit) {
  const std::string text = refusal("qv100", {"sm.units.int=2"});
  EXPECT_TRUE(contains(text, "sm.units.int = 2: at least sm.dispatch_latches.int (4)")) << text;
  EXPECT_EQ(load_gpu("qv100", {"sm.units.int=2", "sm.dispatch_latches.int=2"}).sm.units.int_, 2u);
}

TEST_F(GpuFile, StartsFromItsBase) {
  const std::string path = write(
      "mine.toml", "title = \"mine\"\nbase = \"gtx480\"\n[sm.l1d]\nsize = \"32KiB\"\nways = 8\n");
  const GpuSpec gpu = load_gpu(path);
  EXPECT_EQ(gpu.sm.l1d.size_bytes, 32768u);
  EXPECT_EQ(gpu.sms(), 15u);
  EXPECT_EQ(gpu.name, "mine");
}

TEST_F(GpuFile, AnUnknownKeyIsReportedWithItsLine) {
  const std::string path = write("typo.toml", "base = \"gtx480\"\n\n[sm]\nschedulerz = 4\n");
  const std::string text = refusal(path);
  EXPECT_TRUE(contains(text, "typo.toml:4")) << text;
  EXPECT_TRUE(contains(text, "did you mean sm.schedulers")) << text;
}

TEST_F(GpuFile, AContradictionIsReportedAtTheLastAssignment) {
  const std::string path = write("odd.toml", "base = \"gtx480\"\n[sm.l1d]\nways = 3\n");
  EXPECT_TRUE(contains(refusal(path), "odd.toml:3")) << refusal(path);
}

TEST_F(GpuFile, MalformedTomlIsReportedWithItsLine) {
  const std::string path = write("broken.toml", "base = \"gtx480\"\n[sm\n");
  EXPECT_TRUE(contains(refusal(path), "broken.toml:2")) << refusal(path);
}

TEST_F(GpuFile, AConfigurationOfGpgpuSimIsRecognised) {
  const std::string path = write("gpgpusim.config", "# comment\n-gpgpu_n_clusters 15\n");
  EXPECT_TRUE(contains(refusal(path), "a file of GPGPU-Sim")) << refusal(path);
}

TEST_F(GpuFile, WithoutABaseEveryParameterIsRequired) {
  const std::string path = write("bare.toml", "clusters = 2\n");
  EXPECT_TRUE(contains(refusal(path), "missing")) << refusal(path);
}

TEST_F(GpuFile, ACycleOfBasesIsRefused) {
  const std::string path = write("circle.toml", "base = \"circle.toml\"\n");
  EXPECT_TRUE(contains(refusal(path), "circle")) << refusal(path);
}

TEST_F(GpuFile, TheEffectiveConfigurationIsAValidFile) {
  const GpuSpec gpu = load_gpu("ipaws", {"sm.l1d.hit_latency=77", "clocks.core=1234.5"});
  const GpuSpec again = load_gpu(write("ipaws.toml", to_toml(gpu)));
  EXPECT_EQ(to_toml(again), to_toml(gpu));
  EXPECT_EQ(hash(again), hash(gpu));
}

TEST(Hash, IsSixteenHexDigitsAndChangesWithAnyParameter) {
  const GpuSpec gpu = load_gpu("gtx480");
  EXPECT_EQ(hash(gpu).size(), 16u);
  EXPECT_NE(hash(gpu), hash(load_gpu("gtx480", {"memory.dram.wl=5"})));
  EXPECT_EQ(hash(gpu), hash(load_gpu("gtx480", {"memory.dram.wl=4"})));
}

// The hashes of stored results stay those of the machines when a parameter is added (`earlier`).
TEST(Hash, OfAPresetIsThatOfThisVersion) {
  EXPECT_EQ(hash(load_gpu("gtx480")), "94dedfa3b99fbb54");
  EXPECT_EQ(hash(load_gpu("qv100")), "8bd6fdc0bef3d953");
  EXPECT_EQ(hash(load_gpu("h200")), "89ebcf4dadd04036");
  EXPECT_NE(hash(load_gpu("gtx480", {"memory.dram.scheduler=fcfs"})), "94dedfa3b99fbb54");
}

TEST_F(GpuFile, FromBeforeAParameterExistedIsComplete) {
  std::string text = to_toml(load_gpu("gtx480"));
  const std::string line = "scheduler = \"fr-fcfs\"\n";
  ASSERT_NE(text.find(line), std::string::npos);
  text.erase(text.find(line), line.size());
  EXPECT_EQ(hash(load_gpu(write("earlier.toml", text))), "94dedfa3b99fbb54");
}

TEST(Parameters, AllHaveAMeaningARangeAndASource) {
  const auto list = list_parameters(load_gpu("gtx480"));
  EXPECT_GT(list.size(), 150u);
  for (const GpuParameterInfo& p : list) {
    EXPECT_FALSE(p.meaning.empty()) << p.key;
    EXPECT_FALSE(p.range.empty()) << p.key;
    EXPECT_FALSE(p.source.empty()) << p.key;
    EXPECT_FALSE(p.value.empty()) << p.key;
  }
}

}  // namespace
}  // namespace heddle::config
