// The host's side of streams in a program that runs. A captured program has a Player.
#pragma once

#include <condition_variable>
#include <functional>

#include "cuda/process/stream_service.h"

namespace heddle::cuda {

class Session;

class LiveHost final : public ProgramHost {
 public:
  explicit LiveHost(Session& session) : session_(session) {}

  gpu::Device& device() override;
  gpu::DeviceLimits limits() const override;
  void begin_on_device(Id id, const gpu::LaunchRequest* launch,
                       const std::function<void()>& begin) override;
  Ran run(Id id, const Operation& operation) override;
  bool is_conditional(Id id, const Operation& operation) override;
  Id issue_body(const RunningConditional& node) override;

  void advance_device() override;
  cudaError_t fault() const override;
  bool wait_for_host_function() override;

 private:
  void call_host_function(const std::function<void()>& function);

  Session& session_;
  std::condition_variable host_function_ended_;
};

}  // namespace heddle::cuda
