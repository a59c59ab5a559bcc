// Spatial multitasking (Adriaens et al., HPCA 2012; pCKE of iPAWS, Lee et al., HPCA 2016, section
// 4.3): the SMs are divided between the kernels that run. Each SM runs CTAs of one kernel.
#include <algorithm>

#include "gpu/share/share_entry.h"

namespace heddle::gpu {
namespace {

class Spatial final : public ShareScheduler {
 public:
  struct Options {
    std::uint32_t first = 0;
    bool keep = false;
    static auto parameters() {
      return std::make_tuple(
          sched::number("first", &Options::first, 0, 255, "SMs",
                        "SMs of the first kernel while two kernels run; 0: half of them",
                        "0: Lee et al., HPCA 2016, section 4.3"),
          sched::choice("keep", &Options::keep, {"no", "yes"},
                        "yes: a kernel keeps its SMs to its end; no: the SMs are divided anew when "
                        "a kernel starts or ends, so that a kernel that runs alone gets all SMs",
                        "no: an interpretation; Adriaens et al. divide anew"));
    }
  };

  Spatial(const Options& options, const ShareContext& context)
      : options_(options), owner_(static_cast<std::size_t>(context.sms), kNobody) {}

  // The kernel with the smallest number gets the first SMs.
  void kernels_changed(std::span<const SharedKernel> kernels, Cycle) override {
    std::vector<int> numbers;
    for (const SharedKernel& k : kernels) numbers.push_back(k.number);
    std::sort(numbers.begin(), numbers.end());
    const std::size_t parts =
        options_.keep ? std::max<std::size_t>(2, numbers.size()) : numbers.size();
    const std::size_t sms = owner_.size();
    std::fill(owner_.begin(), owner_.end(), kNobody);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::size_t part = options_.keep ? static_cast<std::size_t>(numbers[i]) % parts : i;
      for (std::size_t sm = begin_of(part, parts, sms); sm < begin_of(part + 1, parts, sms); ++sm)
        owner_[sm] = numbers[i];
    }
    shared_ = parts > sms;  // more kernels than SMs: every SM is for all
  }
  int most_ctas(int kernel, int sm) const override {
    return shared_ || owner_[static_cast<std::size_t>(sm)] == kernel ? kNoLimit : 0;
  }

 private:
  static constexpr int kNobody = -1;
  std::size_t begin_of(std::size_t part, std::size_t parts, std::size_t sms) const {
    if (parts == 2 && part == 1 && options_.first > 0)
      return std::min<std::size_t>(options_.first, sms - 1);
    return sms * part / parts;
  }

  Options options_;
  std::vector<int> owner_;  // by SM
  bool shared_ = false;
};

}  // namespace

ShareEntry spatial() {
  return share_policy<Spatial>("spatial", "SMs divided between kernels (pCKE)",
                               "Adriaens et al., HPCA 2012; Lee et al., HPCA 2016");
}

}  // namespace heddle::gpu
