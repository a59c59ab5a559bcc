// Replays a captured program on a device, step by step. A player uses no state of the process, so
// several players can share one device. The caller advances the device and notifies each player:
//
//   while (player.proceed() == Player::State::waits) {
//     const gpu::Device::Finished finished = device.advance();
//     for (const std::uint64_t copy : finished.copies) player.copy_finished(copy);
//     for (const std::uint64_t launch : finished.launches) player.launch_finished(launch);
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/capture/captured_kernels.h"
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

class Player {
 public:
  enum class State : std::uint8_t {
    waits,  // the captured host waits for a launch or copy that the device has not finished
    ended   // everything that was captured has run
  };

  // `file` and `device` must outlive the player. UserError when the capture does not fit the
  // device, or has no image at or before `from_launch`.
  Player(const CaptureFile& file, gpu::Device& device, PlayerOptions options = {});
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // Issues what the program issued, and begins work that is ready, until the captured host waits
  // for unfinished work. Does not advance the device. UserError for a damaged capture, and for a
  // copy to the host whose data differ from the captured data.
  State proceed();
  // The device reported that a launch has finished. False when it is not a launch of this player.
  bool launch_finished(std::uint64_t device_launch);
  // The same for a copy of the device's copy engines.
  bool copy_finished(std::uint64_t device_copy);
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
