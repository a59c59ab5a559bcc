#include <gtest/gtest.h>

#include <stdexcept>

#include "gpu/share/catalogue.h"
#include "tests/error_message.h"

namespace heddle::gpu {
namespace {

class ConfusedShare final : public ShareScheduler {
 public:
  void kernels_changed(std::span<const SharedKernel>, Cycle) override {}
  int most_ctas(int, int) const override { throw std::runtime_error("it is confused"); }
};

TEST(PluginSharePolicy, IsNamedInWhatItThrows) {
  ShareEntry entry = share_policy<ConfusedShare>("confused", "", "");
  guard(entry, "mine.so");
  const auto scheduler = entry.parse("")->build({});
  EXPECT_EQ(scheduler->quota(0, 0), ShareScheduler::kNoQuota);
  EXPECT_EQ(message_of([&] { (void)scheduler->most_ctas(0, 0); }),
            "share policy confused of plug-in mine.so: most_ctas(): it is confused");
}

}  // namespace
}  // namespace heddle::gpu
