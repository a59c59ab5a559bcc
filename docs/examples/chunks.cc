#include "gpu/cta/cta_entry.h"

namespace heddle::gpu {
namespace {

// Consecutive CTAs go to one SM in chunks. An SM that has used up its chunk gets the next one.
class Chunks final : public CtaScheduler {
 public:
  struct Options {
    std::uint32_t size = 4;
    static auto parameters() {
      return std::make_tuple(policies::number("size", &Options::size, 1, 1024, "CTAs",
                                              "CTAs of a chunk", "chosen for the guide"));
    }
  };
  explicit Chunks(const Options& options) : options_(options) {}

  void begin_kernel(const KernelStart& start) override {
    count_ = start.grid.count();
    dealt_ = started_ = 0;
    chunks_.assign(static_cast<std::size_t>(start.sms), Chunk{});
  }

  void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                std::vector<Placement>& placements) override {
    for (Cycle at = from; at < to; ++at) {
      for (std::size_t sm = 0; sm < chunks_.size(); ++sm) {
        if (free_slots[sm] == 0) continue;
        Chunk& chunk = chunks_[sm];
        if (chunk.next == chunk.end) chunk = next_chunk();
        if (chunk.next == chunk.end) continue;  // all CTAs are dealt
        placements.push_back({static_cast<int>(sm), chunk.next++, at});
        --free_slots[sm];
        ++started_;
      }
    }
  }

  bool exhausted() const override { return started_ == count_; }

 private:
  struct Chunk {
    std::uint64_t next = 0, end = 0;
  };
  Chunk next_chunk() {
    const std::uint64_t first = dealt_;
    dealt_ = std::min(dealt_ + options_.size, count_);
    return {first, dealt_};
  }

  Options options_;
  std::uint64_t count_ = 0, dealt_ = 0, started_ = 0;
  std::vector<Chunk> chunks_;  // by SM
};

}  // namespace

CtaEntry chunks() {
  return cta_scheduler<Chunks>("chunks", "Consecutive CTAs in chunks of `size`",
                               "docs/write-a-cta-scheduler.md");
}

}  // namespace heddle::gpu
