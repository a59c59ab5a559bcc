// State that several policy objects share. A policy object serves one hardware scheduler; a policy
// that keeps state per SM or per GPU requests it with shared_in_sm() or shared_in_gpu() (policy.h).
#pragma once

#include <map>
#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/types.h"

namespace heddle::sched {

// Base of state of the whole GPU. SMs run in parallel within a window. So that results do not
// depend on the order of threads, each SM writes only to its own part of the state, and reads only
// what the last end_window() computed from all parts. end_window() runs on one thread, after each
// window.
class GpuWide {
 public:
  virtual ~GpuWide() = default;
  virtual void end_window() = 0;
};

class SharedState {
 public:
  // The T of this part of the policy. The first call constructs it from `args`.
  template <class T, class... Args>
  std::shared_ptr<T> get(int part, Args&&... args) {
    std::shared_ptr<void>& state = states_[{std::type_index(typeid(T)), part}];
    if (!state) {
      auto created = std::make_shared<T>(std::forward<Args>(args)...);
      if constexpr (std::is_base_of_v<GpuWide, T>) gpu_wide_.push_back(created);
      state = created;
    }
    return std::static_pointer_cast<T>(state);
  }
  void end_window() {
    for (const auto& state : gpu_wide_) state->end_window();
  }

 private:
  std::map<std::pair<std::type_index, int>, std::shared_ptr<void>> states_;
  std::vector<std::shared_ptr<GpuWide>> gpu_wide_;
};

}  // namespace heddle::sched
