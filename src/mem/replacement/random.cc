// A random line. The draw is a hash of the number of insertions before it, so that asking again
// gives the same line.
#include "mem/catalogue.h"
#include "mem/tag_array.h"

namespace heddle::mem {
namespace {

class Random final : public ReplacementPolicy {
 public:
  struct Options {
    std::uint64_t seed = 1;
    static auto parameters() {
      return std::make_tuple(policies::number("seed", &Options::seed, 0, ~std::uint64_t{0}, "",
                                              "decides the draws; equal for all caches", "Heddle"));
    }
  };
  explicit Random(const Options& options) : seed_(options.seed) {}

  void resize(std::uint32_t, std::uint32_t) override {}
  std::uint32_t victim(const TagArray& tags, const Incoming& incoming) const override {
    if (const std::uint32_t empty = tags.empty_line(incoming.address); empty != kNoLine)
      return empty;
    return tags.first_to_replace(incoming.address, [this](std::uint32_t a, std::uint32_t b) {
      return ticket(a) < ticket(b);
    });
  }
  void insert(std::uint32_t, const Incoming&) override { ++insertions_; }
  void use(std::uint32_t, const Use&) override {}

 private:
  // The line with the lowest ticket is drawn (splitmix64).
  std::uint64_t ticket(std::uint32_t line) const {
    std::uint64_t mixed = seed_ + (insertions_ << 20 | line) * 0x9E3779B97F4A7C15ull;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
    return mixed ^ (mixed >> 31);
  }

  std::uint64_t seed_, insertions_ = 0;
};

}  // namespace

ReplacementEntry random_line() {
  return replacement_policy<Random>("random", "a random line", "-");
}

}  // namespace heddle::mem
