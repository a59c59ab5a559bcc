// Launches that wait for the hardware: in the order in which they start, and nested launches whose
// time has not come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/types.h"
#include "gpu/engine/running_kernel.h"

namespace heddle::gpu {

class LaunchQueue {
 public:
  // Launches start in the order of their priorities and of these calls. A nested launch waits until
  // release().
  void add(QueuedKernel kernel);

  bool empty() const { return waiting_.empty(); }                   // no launch may start now
  bool idle() const { return waiting_.empty() && later_.empty(); }  // no launch is left
  const std::vector<QueuedKernel>& waiting() const { return waiting_; }
  const QueuedKernel& front() const { return waiting_.front(); }
  QueuedKernel take_front();

  // When the next nested launch may start; never() when none waits for its time.
  Cycle next_release() const;
  // The time of nested launches before `end` has come.
  void release(Cycle end);
  // Removes all nested launches; their numbers, by program.
  std::vector<std::vector<std::uint64_t>> take_nested(std::size_t programs);

 private:
  void insert(QueuedKernel kernel);

  std::vector<QueuedKernel> waiting_;
  std::multimap<Cycle, QueuedKernel> later_;
};

}  // namespace heddle::gpu
