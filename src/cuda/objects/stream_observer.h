// Is notified of the work of streams in its order. Every function does nothing unless overridden.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/objects/stream_work.h"
#include "gpu/device.h"

namespace heddle::cuda {

// What the host waits for.
struct HostWait {
  enum class For : std::uint8_t { operation, stream, all } what = For::all;
  StreamWork::Id id = 0;    // the operation
  StreamWork::Place place;  // the stream
};

class StreamObserver {
 public:
  using Id = StreamWork::Id;
  struct Issued {
    Id id = 0;
    const StreamWork::Place& place;
    const Operation& operation;
    const std::vector<Id>& after;
    bool beside = false;         // StreamWork::add_beside
    bool if_unfinished = false;  // only when the first of `after` has not finished
  };

  virtual ~StreamObserver() = default;

  virtual void issued(const Issued&) {}
  // overlaps: other work may be unfinished when the wait ends.
  virtual void wait_begins(const HostWait&, const StreamWork&, const gpu::DeviceLimits&,
                           bool /*overlaps*/) {}
  virtual void wait_ended() {}
  // Of an operation that the device does not run. copy: the work of a copy engine, if it is one.
  virtual void operation_begins(Id) {}
  virtual void operation_ended(const std::optional<gpu::CopyRequest>& /*copy*/) {}
  // The condition of a conditional node was read; the nodes of the body that it selects are issued
  // until branch_issued().
  virtual void branch_begins(Id, Address /*condition*/, std::uint32_t /*value*/) {}
  virtual void branch_issued() {}
  virtual void host_function_begins() {}
  virtual void host_function_ended() {}
  // While the device receives work or advances, allocations are its own.
  virtual void device_begins() {}
  virtual void device_ended() {}
};

}  // namespace heddle::cuda
