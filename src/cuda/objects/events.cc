#include "cuda/objects/events.h"

#include "cuda/objects/handles.h"

namespace heddle::cuda {

cudaEvent_t Events::create(std::uintptr_t handle, unsigned flags) {
  events_[handle] = {flags, {}, 0, {}};
  return reinterpret_cast<cudaEvent_t>(handle);
}

bool Events::destroy(cudaEvent_t event) { return events_.erase(handle_of(event)) != 0; }

Event* Events::find(cudaEvent_t event) {
  const auto found = events_.find(handle_of(event));
  return found == events_.end() ? nullptr : &found->second;
}

void Events::end_capture(const std::shared_ptr<Capture>& capture) {
  for (auto& [handle, event] : events_)
    if (event.capturing.capture == capture) event.capturing = {};
}

}  // namespace heddle::cuda
