// The results of a process, for `heddle run`: launches as they end, and the rest at its end.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>

#include "base/run_control.h"
#include "base/shared_log.h"
#include "config/run_spec.h"
#include "gpu/device.h"
#include "gpu/launch_totals.h"

namespace heddle::cuda {

class RunResults {
 public:
  RunResults();  // the time of the host begins

  // The device exists from now on; results are written only where the specification says.
  void begin(const config::RunSpec& spec);
  // Something is simulated that has not been written.
  void set_unwritten(bool unwritten) { unwritten_ = unwritten; }
  bool unwritten() const { return unwritten_; }
  bool wanted() const { return spec_ && !spec_->result_path.empty(); }

  // Writes the launches that have ended, each in a line, as soon as it has: they survive whatever
  // ends the process.
  void record_launches(gpu::Device& device);
  std::uint64_t launches() const { return totals_.launches(); }
  // Writes all but the launches. A process that only asks for the properties of the device keeps
  // the results of another one.
  void write(gpu::Device& device, RunControl* control, const std::string& status,
             const std::string& diagnostic, std::uint64_t elapsed_times);
  void write_timeline(const gpu::Device& device) const;

 private:
  std::string text(gpu::Device& device, const std::string& status, const std::string& diagnostic,
                   std::uint64_t elapsed_times) const;

  const config::RunSpec* spec_ = nullptr;  // null before the device exists
  std::timespec started_{};
  std::optional<SharedLog> log_;  // of launches; none without results
  gpu::LaunchTotals totals_;      // of these launches
  bool unwritten_ = false;
};

}  // namespace heddle::cuda
