#include <algorithm>
#include <map>

#include "gpu/share/share_entry.h"

namespace heddle::gpu {
namespace {

// Every SM is divided: the first kernel gets `first` percent of the CTAs that an SM could hold of
// it, the other kernels divide the rest equally.
class Weighted final : public ShareScheduler {
 public:
  struct Options {
    std::uint32_t first = 75;
    static auto parameters() {
      return std::make_tuple(policies::number("first", &Options::first, 1, 99, "percent",
                                              "share of the first kernel", "chosen for the guide"));
    }
  };
  explicit Weighted(const Options& options) : options_(options) {}

  void kernels_changed(std::span<const SharedKernel> kernels, Cycle) override {
    limits_.clear();
    if (kernels.size() < 2) return;  // a kernel that runs alone gets everything
    const int first = static_cast<int>(options_.first),
              other = (100 - first) / static_cast<int>(kernels.size() - 1);
    for (const SharedKernel& k : kernels) {
      const int percent = k.number == kernels.front().number ? first : other;
      limits_[k.number] = std::max(1, k.most_ctas * percent / 100);  // every kernel makes progress
    }
  }
  int most_ctas(int kernel, int) const override {
    const auto found = limits_.find(kernel);
    return found == limits_.end() ? kNoLimit : found->second;
  }

 private:
  Options options_;
  std::map<int, int> limits_;  // by kernel: CTAs on each SM
};

}  // namespace

ShareEntry weighted() {
  return share_policy<Weighted>("weighted", "SMs divided by percentages",
                                "docs/write-a-share-policy.md");
}

}  // namespace heddle::gpu
