// Events: the simulated time at which each was recorded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "cuda/objects/streams.h"

namespace heddle::cuda {

struct Event {
  unsigned flags = 0;
  std::optional<double> recorded_ms;
  StreamWork::Id record = 0;  // the last operation that records it
  Capturing capturing;
};

class Events {
 public:
  cudaEvent_t create(std::uintptr_t handle, unsigned flags);
  bool destroy(cudaEvent_t event);  // false: no such event
  Event* find(cudaEvent_t event);   // null: no such event
  // Removes every event from the capture.
  void end_capture(const std::shared_ptr<Capture>& capture);
  void clear() { events_.clear(); }

  std::uint64_t elapsed_times = 0;  // successful calls of cudaEventElapsedTime

 private:
  std::map<std::uintptr_t, Event> events_;  // by handle
};

}  // namespace heddle::cuda
