// What several schedulers keep together. A policy object serves one hardware scheduler; state that
// its paper keeps per SM or per GPU is made by whichever object asks first and handed to the
// others.
#pragma once

#include <map>
#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/types.h"

namespace heddle::sched {

// State of the whole GPU. SMs may run at once, so between two calls of end_window() each SM writes
// to a place of its own and reads only what the last call settled; results then do not depend on
// who runs first.
class GpuWide {
 public:
  virtual ~GpuWide() = default;
  virtual void end_window() = 0;
};

class SharedState {
 public:
  // The one T of this part of the policy; made with `args` at the first call.
  template <class T, class... Args>
  std::shared_ptr<T> get(int part, Args&&... args) {
    std::shared_ptr<void>& place = states_[{std::type_index(typeid(T)), part}];
    if (!place) {
      auto made = std::make_shared<T>(std::forward<Args>(args)...);
      if constexpr (std::is_base_of_v<GpuWide, T>) gpu_wide_.push_back(made);
      place = made;
    }
    return std::static_pointer_cast<T>(place);
  }
  void end_window() {
    for (const auto& state : gpu_wide_) state->end_window();
  }

 private:
  std::map<std::pair<std::type_index, int>, std::shared_ptr<void>> states_;
  std::vector<std::shared_ptr<GpuWide>> gpu_wide_;
};

}  // namespace heddle::sched
