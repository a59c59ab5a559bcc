// Replays the traces of a program, as Accel-Sim's tracer makes them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cuda/objects/replayed_program.h"
#include "gpu/device.h"

namespace heddle::cuda {

class TracePlayer final : public ReplayedProgram {
 public:
  struct Callbacks {
    // Before the device receives a kernel.
    std::function<void(const gpu::LaunchRequest&)> launch_begins;
    std::function<void(const std::string&)> warn;
  };

  // list: kernelslist.g. UserError when it cannot be read.
  TracePlayer(const std::string& list, gpu::Device& device, Callbacks callbacks);
  ~TracePlayer() override;
  TracePlayer(const TracePlayer&) = delete;
  TracePlayer& operator=(const TracePlayer&) = delete;

  State proceed() override;
  bool launch_finished(std::uint64_t device_launch) override;
  bool copy_finished(std::uint64_t device_copy) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::cuda
