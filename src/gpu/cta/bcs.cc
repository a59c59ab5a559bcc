// Block CTA scheduling (Lee et al., HPCA 2014). Consecutive CTAs, which often share lines, start on
// one SM together: an SM gets the next block of CTAs only when it has room for all of them. The
// warp order should be block-aware, so that the CTAs of a block advance together.
#include <algorithm>
#include <deque>

#include "gpu/cta/cta_entry.h"

namespace heddle::gpu {
namespace {

struct BcsStatistics {
  std::uint64_t blocks = 0, slot_wait_cycles = 0;
  static constexpr auto fields() {
    using S = BcsStatistics;
    return std::make_tuple(
        stats::counter("blocks", stats::Unit::events, "blocks of CTAs started", &S::blocks),
        stats::counter("slot_wait_cycles", stats::Unit::cycles,
                       "cycles from the end of a CTA to the start of the next one in its place, "
                       "summed over CTAs",
                       &S::slot_wait_cycles));
  }
};

class BlockCtaScheduling final : public CtaScheduler {
 public:
  struct Options {
    std::uint32_t block = 2;
    static auto parameters() {
      return std::make_tuple(
          policies::number("block", &Options::block, 1u, 64u, "CTAs",
                           "consecutive CTAs that start together; at most as many "
                           "as fit an SM",
                           "Lee et al., HPCA 2014"));
    }
  };
  using Statistics = BcsStatistics;

  BlockCtaScheduling(const Options& options, const CtaContext& context)
      : options_(options),
        first_sm_(context.layout.first_cluster * context.layout.sms_per_cluster) {}

  void begin_kernel(const KernelStart& start) override {
    next_ = 0;
    count_ = start.grid.count();
    left_ = count_;
    block_ = std::min(options_.block, static_cast<std::uint32_t>(start.ctas_per_sm));
    if (sms_.size() != static_cast<std::size_t>(start.sms))
      last_sm_ = static_cast<std::size_t>(first_sm_ + start.sms - 1);
    sms_.assign(static_cast<std::size_t>(start.sms), Sm{});
    last_sm_ %= sms_.size();
  }

  // Every cycle each SM takes at most one CTA: the next one of the block that it has begun, or the
  // first one of a new block.
  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    bool placed = true;
    for (Cycle at = from; at < to && placed && left_ > 0; ++at) {
      placed = false;
      const std::size_t first = last_sm_ + 1;
      for (std::size_t i = 0; i < sms_.size(); ++i) {
        const std::size_t sm = (first + i) % sms_.size();
        if (sms_[sm].next == sms_[sm].end && !begin_block(sm, free_slots[sm])) continue;
        place(sm, at, placements);
        --free_slots[sm];
        placed = true;
      }
    }
  }
  bool exhausted() const override { return left_ == 0; }
  void on_finished(const FinishedCta& cta) override {
    sms_[static_cast<std::size_t>(cta.sm)].freed.push_back(cta.end);
  }
  void report_statistics(sm::PolicyReport& report) const override {
    report.counters("bcs", statistics_);
  }

 private:
  struct Sm {
    std::uint64_t next = 0, end = 0;  // the CTAs of its block that have not started
    std::deque<Cycle> freed;          // when the slots became free
  };

  bool begin_block(std::size_t sm, int free) {
    const std::uint64_t size = std::min<std::uint64_t>(block_, count_ - next_);
    if (size == 0 || free < static_cast<int>(size)) return false;
    sms_[sm].next = next_;
    sms_[sm].end = next_ += size;
    last_sm_ = sm;
    ++statistics_.blocks;
    return true;
  }
  void place(std::size_t sm, Cycle at, std::vector<Placement>& placements) {
    Sm& target = sms_[sm];
    placements.push_back({static_cast<int>(sm), target.next++, at});
    --left_;
    if (target.freed.empty()) return;
    statistics_.slot_wait_cycles += at - target.freed.front();
    target.freed.pop_front();
  }

  Options options_;
  int first_sm_;
  std::uint64_t next_ = 0, count_ = 0, left_ = 0;  // left_: CTAs that have not been placed
  std::uint32_t block_ = 1;
  std::size_t last_sm_ = 0;  // got the last block
  std::vector<Sm> sms_;
  BcsStatistics statistics_;
};

}  // namespace

CtaEntry bcs() {
  return cta_scheduler<BlockCtaScheduling>(
      "bcs", "Blocks of consecutive CTAs start together on one SM", "Lee et al., HPCA 2014");
}

}  // namespace heddle::gpu
