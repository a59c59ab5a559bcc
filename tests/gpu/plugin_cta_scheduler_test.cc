#include <gtest/gtest.h>

#include <stdexcept>

#include "gpu/cta/catalogue.h"

namespace heddle::gpu {
namespace {

class Confused final : public CtaScheduler {
 public:
  void begin_kernel(const KernelStart&) override {}
  void dispatch(Cycle, Cycle, std::vector<int>&, std::vector<Placement>&) override {
    throw std::runtime_error("it is confused");
  }
  bool exhausted() const override { return true; }
};

TEST(PluginCtaScheduler, IsNamedInWhatItThrows) {
  CtaEntry entry = cta_scheduler<Confused>("confused", "", "");
  guard(entry, "mine.so");
  const auto scheduler = entry.parse("")->build({});
  EXPECT_TRUE(scheduler->exhausted());
  std::vector<int> slots;
  std::vector<Placement> placements;
  try {
    scheduler->dispatch(Cycle{}, Cycle{}, slots, placements);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "CTA scheduler confused of plug-in mine.so: dispatch(): it is confused");
  }
}

}  // namespace
}  // namespace heddle::gpu
