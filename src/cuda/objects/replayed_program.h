// A recorded program in the place of a program: a capture (capture/player.h), or the traces of
// another tool (replay/trace_player.h). The caller advances the device and notifies the program:
//
//   while (program.proceed() == ReplayedProgram::State::waits) {
//     const gpu::Device::Finished finished = device.advance();
//     for (const std::uint64_t copy : finished.copies) program.copy_finished(copy);
//     for (const std::uint64_t launch : finished.launches) program.launch_finished(launch);
//   }
#pragma once

#include <cstdint>

namespace heddle::cuda {

class ReplayedProgram {
 public:
  enum class State : std::uint8_t {
    waits,  // the recorded host waits for a launch or copy that the device has not finished
    ended   // everything that was recorded has run
  };

  virtual ~ReplayedProgram() = default;
  // Issues what the program issued, and begins work that is ready, until the recorded host waits
  // for unfinished work. Does not advance the device. UserError for a damaged record.
  virtual State proceed() = 0;
  // The device reported that a launch has finished. False when it is not a launch of this program.
  virtual bool launch_finished(std::uint64_t device_launch) = 0;
  // The same for a copy of the device's copy engines.
  virtual bool copy_finished(std::uint64_t device_copy) = 0;
};

}  // namespace heddle::cuda
