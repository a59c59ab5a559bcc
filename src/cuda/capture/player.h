// Replays a captured program on a device, step by step. A player uses no state of the process, so
// several players can share one device.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/capture/captured_kernels.h"
#include "cuda/objects/replayed_program.h"
#include "gpu/device.h"

namespace heddle::cuda {

struct PlayerOptions {
  std::uint32_t program = 0;  // number of the address space on the device
  // Starts before this launch (from 1 on), from the latest memory image of the capture that is not
  // after it. None: at the start.
  std::optional<std::uint64_t> from_launch;
  std::shared_ptr<CapturedKernels> kernels;  // null: the player's own
  // Called before the device receives a kernel.
  std::function<void(const gpu::LaunchRequest&)> launch_begins;
  // Called before and after the device receives a kernel or the end of a graph. A functional launch
  // runs meanwhile.
  std::function<void(bool)> device_runs;
  // Called where the captured host read what device code had printed.
  std::function<void()> host_reads_output;
};

class Player final : public ReplayedProgram {
 public:
  // `file` and `device` must outlive the player. UserError when the capture does not fit the
  // device, or has no image at or before `from_launch`.
  Player(const CaptureFile& file, gpu::Device& device, PlayerOptions options = {});
  ~Player() override;
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // UserError also for a copy to the host whose data differ from the captured data.
  State proceed() override;
  bool launch_finished(std::uint64_t device_launch) override;
  bool copy_finished(std::uint64_t device_copy) override;
  // Launches of this player that the device runs.
  std::size_t running() const;

  // For cutting a capture: the records that were read, and the recorded numbers of operations that
  // were issued and have not finished.
  std::size_t records_read() const;
  std::vector<std::uint64_t> unfinished() const;
  // Of the conditional nodes that run: how many of their branches were taken.
  std::map<std::uint64_t, std::size_t> branches_taken() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::cuda
