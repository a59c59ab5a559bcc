// Spatial multitasking (Adriaens et al., HPCA 2012; pCKE of iPAWS, Lee et al., HPCA 2016, section
// 4.3): the SMs are divided between the programs, and between the kernels of a program that run.
// Each SM runs CTAs of one kernel.
#include <algorithm>

#include "gpu/share/program_parts.h"
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
          policies::number("first", &Options::first, 0, 255, "SMs",
                           "SMs of the first program, or of the first kernel of one program, where "
                           "two share the GPU; 0: half of them",
                           "0: Lee et al., HPCA 2016, section 4.3"),
          policies::choice(
              "keep", &Options::keep, {"no", "yes"},
              "yes: a kernel keeps its SMs to its end; no: the SMs are divided anew when "
              "a kernel starts or ends, so that a kernel that runs alone gets all SMs",
              "no: an interpretation; Adriaens et al. divide anew"));
    }
  };

  Spatial(const Options& options, const ShareContext& context)
      : options_(options), owner_(static_cast<std::size_t>(context.sms), kNobody) {}

  void programs_changed(std::span<const std::uint32_t> present, Cycle) override {
    present_.assign(present.begin(), present.end());
  }

  // The first program gets the first SMs; of its kernels, the one with the smallest number.
  void kernels_changed(std::span<const SharedKernel> kernels, Cycle) override {
    std::fill(owner_.begin(), owner_.end(), kNobody);
    shared_ = false;
    for (const auto& [number, part] : parts_of(kernels, present_)) {
      const std::size_t parts =
          options_.keep ? std::max<std::size_t>(2, part.kernels) : part.kernels;
      const std::size_t kernel =
          options_.keep ? static_cast<std::size_t>(number) % parts : part.kernel;
      const bool whole = part.programs == 1;
      const std::size_t begin =
          whole ? 0 : begin_of(part.program, part.programs, owner_.size(), true);
      const std::size_t end =
          whole ? owner_.size() : begin_of(part.program + 1, part.programs, owner_.size(), true);
      const std::size_t first = begin + begin_of(kernel, parts, end - begin, whole),
                        last = begin + begin_of(kernel + 1, parts, end - begin, whole);
      std::fill(owner_.begin() + static_cast<std::ptrdiff_t>(first),
                owner_.begin() + static_cast<std::ptrdiff_t>(last), number);
      shared_ |= first == last;  // more kernels than SMs: every SM is for all
    }
  }
  int most_ctas(int kernel, int sm) const override {
    return shared_ || owner_[static_cast<std::size_t>(sm)] == kernel ? kNoLimit : 0;
  }

 private:
  static constexpr int kNobody = -1;
  // The first SM of a part. halves: options_.first holds for two parts.
  std::size_t begin_of(std::size_t part, std::size_t parts, std::size_t sms, bool halves) const {
    if (halves && parts == 2 && part == 1 && options_.first > 0)
      return std::min<std::size_t>(options_.first, sms - 1);
    return sms * part / parts;
  }

  Options options_;
  std::vector<std::uint32_t> present_;
  std::vector<int> owner_;  // by SM
  bool shared_ = false;
};

}  // namespace

ShareEntry spatial() {
  return share_policy<Spatial>("spatial", "SMs divided between kernels (pCKE)",
                               "Adriaens et al., HPCA 2012; Lee et al., HPCA 2016");
}

}  // namespace heddle::gpu
