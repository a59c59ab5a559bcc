#include <algorithm>
#include <array>

#include "sched/framework/policy_entry.h"

namespace heddle::sched {
namespace {

struct BlockAwareStatistics {
  std::uint64_t block_switches = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("block_switches", stats::Unit::events,
                                          "issues of another block than the one that issued last",
                                          &BlockAwareStatistics::block_switches));
  }
};

// The warp order for block CTA scheduling: consecutive CTAs form a block; the oldest block issues
// first, and the warps of a block issue in loose round robin. So the CTAs of a block advance
// together and find each other's lines in the L1.
class BlockAware final : public sm::WarpScheduler {
 public:
  using Statistics = BlockAwareStatistics;
  struct Options {
    std::uint32_t block = 2;
    static auto parameters() {
      return std::make_tuple(number("block", &Options::block, 1u, 64u, "CTAs",
                                    "consecutive CTAs of a block", "Lee et al., HPCA 2014"));
    }
  };
  explicit BlockAware(const Options& options) : options_(options) { block_of_.fill(kNone); }

  WarpSlot pick(const sm::IssueView& view) override {
    for (std::size_t i = 0; i < count_; ++i) {
      const Block& block = blocks_[by_age_[i]];
      const WarpMask issuable = view.issuable & block.warps;
      if (issuable.any()) return issuable.next_cyclic(block.last.index + 1);
    }
    return view.issuable.lowest();  // every live warp is in a block
  }
  WarpMask visited_before(const sm::IssueView&, WarpMask among, WarpSlot chosen) const override {
    WarpMask visited;
    for (std::size_t i = 0; i < count_; ++i) {
      const Block& block = blocks_[by_age_[i]];
      if (block.warps.test(chosen))
        return visited | sm::IssueView::between(among & block.warps, block.last, chosen);
      visited |= among & block.warps;
    }
    return visited;
  }

  sm::EventSet subscribed_events() const override {
    return sm::Event::issue | sm::Event::warp | sm::Event::cta;
  }
  // The age of a block is that of its oldest resident CTA.
  void on_cta(const sm::CtaEvent& event) override {
    const std::uint64_t number = event.cta / options_.block;
    const std::size_t place = find(number, event.kernel);
    if (!event.launch) {
      if (place < kBlocks && --blocks_[place].ctas == 0) forget(place);
    } else if (place < kBlocks) {
      ++blocks_[place].ctas;
    } else {
      const std::size_t free = find_free();
      blocks_[free] = {number, event.kernel, 1, {}, WarpSlot::none};
      by_age_[count_++] = free;
    }
  }
  void on_warp(const sm::WarpEvent& event) override {
    std::size_t& block = block_of_[static_cast<std::size_t>(event.warp.index)];
    if (event.launch) {
      block = find(event.cta / options_.block, event.kernel);
      blocks_[block].warps.set(event.warp);
    } else {
      blocks_[block].warps.reset(event.warp);
      block = kNone;
    }
  }
  void on_issue(const sm::Issue& issue) override {
    const std::size_t block = block_of_[static_cast<std::size_t>(issue.warp.index)];
    if (block == kNone) return;
    blocks_[block].last = issue.warp;
    statistics_.of(issue.kernel).block_switches += block != last_block_;
    last_block_ = block;
  }

  void report_statistics(sm::PolicyReport& report, Cycle) const override {
    report.counters("block-aware", statistics_);
  }

 private:
  static constexpr std::size_t kBlocks = kMaxWarpsPerSm, kNone = kBlocks;
  struct Block {
    std::uint64_t number = 0;
    int kernel = 0;
    int ctas = 0;  // resident
    WarpMask warps;
    WarpSlot last = WarpSlot::none;  // issued last
  };
  std::size_t find(std::uint64_t number, int kernel) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (const Block& b = blocks_[by_age_[i]]; b.number == number && b.kernel == kernel)
        return by_age_[i];
    return kNone;
  }
  std::size_t find_free() const {
    std::size_t free = 0;
    while (blocks_[free].ctas > 0) ++free;
    return free;
  }
  void forget(std::size_t place) {
    const auto end = by_age_.begin() + static_cast<std::ptrdiff_t>(count_);
    count_ = static_cast<std::size_t>(std::remove(by_age_.begin(), end, place) - by_age_.begin());
  }

  Options options_;
  sm::KernelCounters<Statistics> statistics_;
  std::array<Block, kBlocks> blocks_{};
  std::array<std::size_t, kBlocks> by_age_{};  // of them the first count_, oldest first
  std::size_t count_ = 0, last_block_ = kNone;
  std::array<std::size_t, kMaxWarpsPerSm> block_of_{};
};

}  // namespace

PolicyEntry block_aware() {
  return policy<BlockAware>("block-aware",
                            "The oldest block of consecutive CTAs first, round robin inside it",
                            "Lee et al., HPCA 2014", {.look = 24});
}

}  // namespace heddle::sched
