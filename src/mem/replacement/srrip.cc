// Static re-reference interval prediction with hit priority (SRRIP-HP; Jaleel et al., ISCA 2010): a
// line is inserted with a long interval, and a hit makes its interval the shortest. Lines that are
// used once are replaced before lines that are used again.
#include "mem/catalogue.h"
#include "mem/replacement/intervals.h"
#include "mem/tag_array.h"

namespace heddle::mem {
namespace {

class Srrip final : public ReplacementPolicy {
 public:
  struct Options {
    std::uint32_t bits = 2;
    static auto parameters() {
      return std::make_tuple(policies::number("bits", &Options::bits, 1, 8, "bits",
                                              "of a line's predicted interval",
                                              "Jaleel et al., ISCA 2010, section 4.1"));
    }
  };
  explicit Srrip(const Options& options) : intervals_(options.bits) {}

  void resize(std::uint32_t lines, std::uint32_t ways) override {
    ways_ = ways;
    intervals_.resize(lines);
  }
  std::uint32_t victim(const TagArray& tags, const Incoming& incoming) const override {
    if (const std::uint32_t empty = tags.empty_line(incoming.address); empty != kNoLine)
      return empty;
    return tags.first_to_replace(incoming.address, [this](std::uint32_t a, std::uint32_t b) {
      return intervals_.longer(a, b);
    });
  }
  void evict(std::uint32_t line) override {
    const std::uint32_t first = line - line % ways_;
    intervals_.evict(line, first, first + ways_);
  }
  void insert(std::uint32_t line, const Incoming&) override { intervals_.insert(line, false); }
  void use(std::uint32_t line, const Use& use) override {
    if (use.hit) intervals_.use(line);
  }

 private:
  std::uint32_t ways_ = 1;
  Intervals intervals_;
};

}  // namespace

ReplacementEntry srrip() {
  return replacement_policy<Srrip>("srrip", "the line with the longest predicted time to its reuse",
                                   "Jaleel et al., ISCA 2010");
}

}  // namespace heddle::mem
