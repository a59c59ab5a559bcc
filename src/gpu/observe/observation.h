// All observers of a device that its RunSpec asks for: details, a timeline, rows of counters at
// intervals.
#pragma once

#include <memory>
#include <vector>

#include "config/run_spec.h"
#include "gpu/engine/engine.h"
#include "gpu/kernel_details.h"
#include "gpu/kernel_result.h"
#include "gpu/observe/line_history.h"
#include "gpu/observe/sm_details.h"
#include "gpu/observe/timeline_recorder.h"
#include "mem/observer.h"

namespace heddle::gpu {

class Observation final : public Engine::KernelWatcher {
 public:
  // Attaches itself to the SMs and the memory system when single events are needed.
  Observation(const config::WatchSpec& watch, const config::GpuSpec& spec, Engine& engine);
  ~Observation() override;

  void kernel_started(const RunningKernel& kernel) override;
  void after_window();
  void kernel_ended(RunningKernel& kernel) override;
  // The timeline so far, in the order of tracks.
  stats::Timeline timeline() const;

 private:
  class SmObservation;
  class MemoryObservation;

  WatchedStats watched() const;
  void start_row();
  void append_row();
  void name_places(const isa::Kernel& kernel, int number);
  std::shared_ptr<const KernelDetails> details_of(const isa::Kernel& kernel, int number) const;

  config::WatchSpec watch_;
  std::uint32_t line_bytes_;  // of the L1 data caches
  Engine& engine_;
  int kernels_ = 0;           // that run
  stats::Timeline timeline_;  // tracks and names; the recorders hold slices and samples
  std::vector<std::unique_ptr<SmObservation>> sms_;
  std::unique_ptr<MemoryObservation> memory_;
  std::vector<SeriesRow> series_;
  Cycle row_start_, row_end_;
  sm::SmStats sm_before_;
  mem::MemoryStats memory_before_;
  WatchedStats watched_before_;
  sm::PolicyReport policy_before_;
};

}  // namespace heddle::gpu
