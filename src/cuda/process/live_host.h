// The host's side of streams in a program that runs. A captured program has a Player.
#pragma once

#include <condition_variable>
#include <functional>
#include <optional>

#include "cuda/objects/stream_executor.h"

namespace heddle::cuda {

class Session;

class LiveHost final : public StreamHost {
 public:
  explicit LiveHost(Session& session) : session_(session) {}

  gpu::Device& device() override;
  gpu::DeviceLimits limits() const override;
  void begin_on_device(Id id, const gpu::LaunchRequest* launch,
                       const std::function<void()>& begin) override;
  Ran run(Id id, const Operation& operation) override;
  bool is_conditional(Id id, const Operation& operation) override;
  Id issue_body(const RunningConditional& node) override;

  // The operation that runs has copied this between host and device.
  void copied(const std::optional<gpu::CopyRequest>& copy) { copy_ = copy; }
  // Until a host function that another thread runs has ended.
  void wait_for_host_function();

 private:
  void call_host_function(const std::function<void()>& function);

  Session& session_;
  std::optional<gpu::CopyRequest> copy_;
  std::condition_variable host_function_ended_;
};

}  // namespace heddle::cuda
