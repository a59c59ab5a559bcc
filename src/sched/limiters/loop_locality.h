// How DAWS finds out by itself which loops reuse what they load, and which loads diverge: one
// sampling warp per loop.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sched/limiters/footprints.h"
#include "sched/limiters/victim_tags.h"

namespace heddle::sched {

// What tells of a loop's locality: each load once, local if any of its accesses finds a line that
// the warp had, or each access for itself.
enum class Evidence { loads, accesses };

struct LearningOptions {
  std::uint32_t sampling_lanes = 3;  // active lanes that a warp needs to sample a loop
  std::uint32_t vta_entries = 16;    // lines per warp that are known to be lost
  Evidence evidence = Evidence::loads;
  bool keeps = true;  // what was learnt of a kernel, for its next launch
};

class LoopLocality final : public LoopPredictor {
 public:
  explicit LoopLocality(std::uint32_t line_bytes, const LearningOptions& options = {});

  void begin_kernel(const ptx::Kernel* kernel);
  void begin_loop(WarpSlot warp, Pc loop, int lanes);
  void leave_loop(WarpSlot warp, Pc loop);
  void end_warp(WarpSlot warp);
  void coalesced(const sm::Coalesced& event);
  void accessed(const sm::L1Access& event);
  void evicted(const sm::L1Evict& event) {
    if (event.owner) victims_.insert(event.owner, event.line);
  }

  std::uint32_t predict(Pc loop, int lanes) const override;
  Pc loop_behind(Pc pc) const override { return table_.loop_behind(pc); }
  LoadTable& table() { return table_; }
  const LoadTable& table() const { return table_; }
  std::int32_t locality(Pc loop) const;

 private:
  // Sampling warp of a loop, none while nobody samples, and whether the loop reuses.
  struct Sample {
    Pc loop;
    WarpSlot warp;
    std::int32_t locality = 0;
  };
  // A load of a sampling warp on its way through the L1.
  struct Load {
    Pc pc, loop;
    int accesses, lanes, left, own = 0;
    std::vector<LineAddress> lines;
  };
  struct Repetition {
    LineAddress line;
    Pc pc = kNoPc;
    WarpSlot warp;
    std::uint64_t used = 0;
  };
  static constexpr std::size_t kLoads = 32, kLoops = 32, kRepetitionSets = 8, kRepetitionWays = 8;

  Sample* sample_of(Pc loop);
  const Sample* sample_of(Pc loop) const {
    return const_cast<LoopLocality*>(this)->sample_of(loop);
  }
  void learn(WarpSlot warp, const Load& load);
  void repeat(WarpSlot warp, Pc pc, LineAddress line);

  std::uint32_t line_bytes_;
  LearningOptions options_;
  const ptx::Kernel* kernel_ = nullptr;
  std::string name_;  // of the kernel, and how long it is
  LoadTable table_{kLoads};
  VictimTags victims_;
  std::vector<Sample> samples_;
  struct Learnt {
    LoadTable table;
    std::vector<Sample> samples;
  };
  std::map<std::string, Learnt> learnt_;  // by kernel, of those that ran before
  std::array<std::vector<Load>, kMaxWarpsPerSm> under_way_;
  std::array<Repetition, kRepetitionSets * kRepetitionWays> repetitions_{};
  std::uint64_t time_ = 0;
  std::uint32_t next_group_ = 0;
};

}  // namespace heddle::sched
