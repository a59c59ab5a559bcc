#include "config/fitting_preset.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace heddle::config {
namespace {

TEST(FittingPreset, HasTheLowestComputeCapabilityOfThoseThatFit) {
  const auto of_at_least = [](std::uint32_t major) {
    return fitting_preset([=](const GpuSpec& gpu) { return gpu.compute_major >= major; });
  };
  for (const std::uint32_t major : {7U, 8U, 9U}) {
    const std::string found = of_at_least(major);
    ASSERT_FALSE(found.empty());
    const GpuSpec gpu = load_gpu(found);
    EXPECT_GE(gpu.compute_major, major);
    for (const std::string& name : preset_names()) {
      const GpuSpec other = load_gpu(name);
      const auto capability = [](const GpuSpec& g) {
        return std::pair(g.compute_major, g.compute_minor);
      };
      if (other.compute_major >= major) {
        EXPECT_LE(capability(gpu), capability(other)) << name;
      }
    }
  }
}

TEST(FittingPreset, IsEmptyWhereNoneFits) {
  EXPECT_EQ(fitting_preset([](const GpuSpec&) { return false; }), "");
}

}  // namespace
}  // namespace heddle::config
