// DAWS's detector: finds the loops whose warps reuse the lines that they load, and the loads that
// diverge, from one sampling warp per loop.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sched/limiters/footprints.h"
#include "sched/limiters/victim_tags.h"

namespace heddle::sched {

// What is counted as evidence of a loop's locality. loads: each load once; it is local if one of
// its accesses finds a line that the warp brought in. accesses: each access.
enum class LocalityEvidence { loads, accesses };

// A load diverges if it touches more than two lines, or makes more than two accesses. They differ
// on GPUs that coalesce half-warps: two halves may access one line.
enum class DivergenceOf { lines, accesses };
// Which warps may become the sampling warp of a loop: those that enter it, or all inside it.
enum class SamplingFrom { entry, any_trip };

struct LearningOptions {
  std::uint32_t sampling_lanes = 3;       // active lanes that a loop's first sampling warp needs
  std::uint32_t next_sampling_lanes = 2;  // and the following ones
  std::uint32_t vta_entries = 16;         // victim tags per warp
  std::uint32_t load_entries = 0;         // of the load table; 0: unbounded
  LocalityEvidence evidence = LocalityEvidence::loads;
  DivergenceOf divergence = DivergenceOf::lines;
  SamplingFrom sampling = SamplingFrom::entry;
  bool keeps = true;  // keep what was learnt about a kernel for its next launch
};

// The sampling warp of a loop, or none, and the loop's locality counter: positive if it reuses.
struct LoopSample {
  Pc loop;
  WarpSlot warp;
  std::int32_t locality = 0;
  bool sampled = false;  // a warp has been the sampling warp
  WarpMask inside{};     // the warps in the loop
};

// What was learnt about kernels that ran before, by name and number of instructions.
struct LearntLoops {
  struct Kernel {
    LoadTable table;
    std::vector<LoopSample> samples;
  };
  std::map<std::string, Kernel> kernels;
};

// The loops of one kernel at a time.
class LoopLocality final : public LoopPredictor {
 public:
  // learnt: where tables of ended kernels are kept.
  explicit LoopLocality(std::uint32_t line_bytes, const LearningOptions& options = {},
                        std::shared_ptr<LearntLoops> learnt = std::make_shared<LearntLoops>());

  void begin_kernel(const isa::Kernel* kernel);
  void begin_loop(WarpSlot warp, Pc loop, int lanes);
  void end_loop(WarpSlot warp, Pc loop);
  void end_warp(WarpSlot warp);
  void coalesced(const sm::Coalesced& event);
  void accessed(const sm::L1Access& event);
  void evicted(const sm::L1Evict& event) {
    if (event.owner) victims_.insert(event.owner, event.line);
  }

  std::uint32_t predict(Pc loop, int lanes) const override;
  Pc loop_after(Pc pc) const override { return table_.loop_after(pc); }
  LoadTable& table() { return table_; }
  const LoadTable& table() const { return table_; }
  std::int32_t locality(Pc loop) const;

 private:
  // A load of a sampling warp whose accesses go through the L1. left: accesses not yet answered;
  // own: accesses that found a line of the warp.
  struct Load {
    Pc pc, loop;
    int accesses, lanes, left, own = 0;
    std::vector<LineAddress> lines;
  };
  // A line that a sampling warp touched in this iteration, and the load that did.
  struct Repetition {
    LineAddress line;
    Pc pc = kNoPc;
    WarpSlot warp;
    std::uint64_t used = 0;
  };
  static constexpr std::size_t kRepetitionSets = 8, kRepetitionWays = 8;

  using Sample = LoopSample;
  Sample* sample_of(Pc loop);
  const Sample* sample_of(Pc loop) const {
    return const_cast<LoopLocality*>(this)->sample_of(loop);
  }
  void learn(WarpSlot warp, Load& load);
  void group_with_earlier_load(WarpSlot warp, Pc pc, LineAddress line);

  std::uint32_t line_bytes_;
  LearningOptions options_;
  const isa::Kernel* kernel_ = nullptr;
  std::string name_;  // of the kernel, with its number of instructions
  LoadTable table_;
  VictimTags victims_;
  std::vector<Sample> samples_;
  std::shared_ptr<LearntLoops> learnt_;
  std::array<std::vector<Load>, kMaxWarpsPerSm> outstanding_;
  std::array<Repetition, kRepetitionSets * kRepetitionWays> repetitions_{};
  std::uint64_t time_ = 0;
  std::uint32_t next_group_ = 0;
};

}  // namespace heddle::sched
