// A share policy outside Heddle's tree: while kernels share the GPU, each has few CTAs per SM.
#include "gpu/share/plugin.h"

namespace {

using namespace heddle::gpu;

class FewCtas final : public ShareScheduler {
 public:
  struct Options {
    std::uint32_t ctas = 2;
    static auto parameters() {
      return std::make_tuple(heddle::policies::number(
          "ctas", &Options::ctas, 1, 32, "CTAs", "most CTAs of a kernel on an SM", "this example"));
    }
  };
  explicit FewCtas(const Options& options) : options_(options) {}

  void kernels_changed(std::span<const SharedKernel>, heddle::Cycle) override {}
  int most_ctas(int, int) const override { return static_cast<int>(options_.ctas); }

 private:
  Options options_;
};

ShareEntry few_ctas() {
  return share_policy<FewCtas>("few-ctas", "At most `ctas` CTAs of each kernel on an SM",
                               "examples/my-policy");
}

}  // namespace

HEDDLE_SHARE_PLUGIN(few_ctas)
