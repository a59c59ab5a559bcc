// Which launches of a program are analysed apart.
#include "gpu/analysed_launches.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ptx/module.h"

namespace heddle::gpu {
namespace {

class LaunchesBench {
 public:
  void add(std::uint32_t ctas, std::uint64_t buffer, std::uint32_t count,
           std::uint32_t threads = 32) {
    exec::Launch launch;
    launch.kernel = &kernel_;
    launch.grid = {ctas, 1, 1};
    launch.block = {threads, 1, 1};
    launch.parameters.resize(12);
    std::memcpy(launch.parameters.data(), &buffer, 8);
    std::memcpy(launch.parameters.data() + 8, &count, 4);
    launches_.add(launch);
  }
  // Of each launch that is analysed: how often it was launched.
  std::vector<int> counts() const {
    const nlohmann::ordered_json json = launches_.json();
    std::vector<int> counts;
    for (const auto& kernel : json.at("kernels")) counts.push_back(kernel.at("launches"));
    return counts;
  }

 private:
  ptx::Kernel kernel_ = ptx::Module::parse(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 buffer, .param .u32 count) { ret; }
)",
                                           "k.ptx")
                            .lower("k", {});
  AnalysedLaunches launches_{config::RunSpec{}};
};

constexpr std::uint64_t kBuffer = 0x10000000;

TEST(AnalysedLaunches, LaunchesThatDifferInTheAddressesOfBuffersAreOne) {
  LaunchesBench launches;
  launches.add(4, kBuffer, 7);
  launches.add(4, kBuffer, 7);
  launches.add(4, 2 * kBuffer, 7);
  EXPECT_EQ(launches.counts(), std::vector<int>{3});
}

TEST(AnalysedLaunches, AnotherShapeOrValueIsAnotherLaunch) {
  LaunchesBench launches;
  launches.add(4, kBuffer, 7);
  launches.add(5, kBuffer, 7);
  launches.add(4, kBuffer, 7, 64);
  launches.add(4, kBuffer, 8);
  launches.add(4, 16, 7);  // not the address of a buffer
  EXPECT_EQ(launches.counts(), (std::vector<int>{1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace heddle::gpu
