#include <algorithm>

#include "mem/catalogue.h"
#include "mem/tag_array.h"

namespace heddle::mem {
namespace {

// Not recently used: every line has one bit, which a use sets. A line without it is replaced. When
// all lines of a set have it, those of the other lines are cleared.
class NotRecentlyUsed final : public ReplacementPolicy {
 public:
  void resize(std::uint32_t lines, std::uint32_t ways) override {
    ways_ = ways;
    used_.assign(lines, false);
  }
  std::uint32_t victim(const TagArray& tags, const Incoming& incoming) const override {
    const std::uint32_t empty = tags.empty_line(incoming.address);
    if (empty != kNoLine) return empty;
    return tags.first_to_replace(incoming.address, [this](std::uint32_t a, std::uint32_t b) {
      return !used_[a] && used_[b];
    });
  }
  void insert(std::uint32_t line, const Incoming&) override { mark(line); }
  void use(std::uint32_t line, const Use&) override { mark(line); }

 private:
  void mark(std::uint32_t line) {
    used_[line] = true;
    const auto first = used_.begin() + line / ways_ * ways_;
    if (std::find(first, first + ways_, false) != first + ways_) return;
    std::fill(first, first + ways_, false);
    used_[line] = true;
  }

  std::uint32_t ways_ = 1;
  std::vector<bool> used_;  // by line
};

}  // namespace

ReplacementEntry nru() {
  return replacement_policy<NotRecentlyUsed>("nru", "a line that was not used recently",
                                             "docs/write-a-memory-policy.md");
}

}  // namespace heddle::mem
