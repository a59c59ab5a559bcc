// The kernels of streams that a device runs. StreamWork decides which operation is next; this class
// knows which launch of the device belongs to it.
#pragma once

#include <cstdint>
#include <map>

#include "cuda/objects/stream_work.h"
#include "gpu/device.h"

namespace heddle::cuda {

class StreamKernels {
 public:
  // Whether the device has room for another kernel of these streams.
  bool has_room(const gpu::Device& device) const {
    return running_.size() < device.concurrent_kernels();
  }
  // Gives a kernel to the device. `id` is its operation.
  void begin(gpu::Device& device, const gpu::DeviceLimits& limits, StreamWork::Id id,
             const gpu::LaunchRequest& request, int priority) {
    running_[device.launches() + 1] = id;
    device.set_limits(limits, request.program);
    device.begin(request, priority);
  }
  // gpu::Device::end_graph(): the operation finishes when what the graph has launched is complete.
  void end_graph(gpu::Device& device, StreamWork::Id id, std::uint64_t graph_launch,
                 std::uint32_t program = 0) {
    running_[device.end_graph(graph_launch, program)] = id;
  }
  // The launch has ended: finishes its operation. False when it is not one of these kernels.
  bool end(std::uint64_t launch, StreamWork& work) {
    const auto ended = running_.find(launch);
    if (ended == running_.end()) return false;
    const StreamWork::Id id = ended->second;
    running_.erase(ended);
    work.finish(id);
    return true;
  }
  bool empty() const { return running_.empty(); }
  std::size_t size() const { return running_.size(); }
  void clear() { running_.clear(); }

 private:
  std::map<std::uint64_t, StreamWork::Id> running_;  // operations by number of the launch
};

}  // namespace heddle::cuda
