// The copies of streams that the copy engines of a device run (gpu/copy_engines.h).
#pragma once

#include <cstdint>
#include <map>

#include "cuda/objects/stream_work.h"
#include "gpu/device.h"

namespace heddle::cuda {

class RunningCopies {
 public:
  // Gives a copy to the device. `id` is its operation. False when copies take no time.
  bool begin(gpu::Device& device, StreamWork::Id id, const gpu::CopyRequest& request) {
    if (!device.times_copies()) return false;
    running_[device.begin_copy(request)] = id;
    return true;
  }
  // The copy has ended: finishes its operation. False when it is not one of these copies.
  bool end(std::uint64_t copy, StreamWork& work) {
    const auto ended = running_.find(copy);
    if (ended == running_.end()) return false;
    work.finish(ended->second);
    running_.erase(ended);
    return true;
  }
  bool empty() const { return running_.empty(); }
  void clear() { running_.clear(); }

 private:
  std::map<std::uint64_t, StreamWork::Id> running_;  // operations by number of the copy
};

}  // namespace heddle::cuda
