// Runs the work of streams on a device, for a program that runs and for a captured one. A
// StreamHost says what operations do; StreamWork decides which is next; the device advances only
// when nothing else is ready, so the order does not depend on the host's clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cuda/objects/running_copies.h"
#include "cuda/objects/stream_kernels.h"
#include "cuda/objects/stream_observer.h"
#include "cuda/objects/stream_work.h"
#include "gpu/device.h"

namespace heddle::cuda {

// A conditional node of a graph that runs, and the body that it has selected.
struct RunningConditional {
  StreamWork::Id id = 0;
  Operation operation;
  StreamWork::Place place;
  std::size_t bodies = 0;           // issued so far
  StreamWork::Id body_end = 0;      // the operation that ends the body; 0: there is none
  cudaError_t error = cudaSuccess;  // the first one of the bodies
};

// The host's side of the work.
class StreamHost {
 public:
  using Id = StreamWork::Id;
  struct Ran {
    cudaError_t error = cudaSuccess;
    std::optional<gpu::CopyRequest> copy;  // between host and device, if the operation is one
  };

  virtual ~StreamHost() = default;
  virtual gpu::Device& device() = 0;
  virtual std::uint32_t program() const { return 0; }  // number of its address space
  virtual gpu::DeviceLimits limits() const = 0;
  // Calls begin(), in which the device receives a kernel or, without a launch, the end of a graph.
  // A functional launch runs meanwhile.
  virtual void begin_on_device(Id id, const gpu::LaunchRequest* launch,
                               const std::function<void()>& begin) = 0;
  // Runs an operation that the device does not.
  virtual Ran run(Id id, const Operation& operation) = 0;
  virtual bool is_conditional(Id id, const Operation& operation) = 0;
  // Issues the body that the node selects now and returns its end; 0: the node is over.
  virtual Id issue_body(const RunningConditional& node) = 0;
};

class StreamExecutor {
 public:
  using Id = StreamWork::Id;
  enum class Step : std::uint8_t {
    started,  // an operation
    device,   // nothing is ready: the device must advance
    stuck,    // nothing is ready, and the device is idle
    done      // what is waited for has finished
  };
  // A wait of the host for an operation. A conditional node that starts meanwhile ends, too: like
  // the host, the wait goes on with nothing else before.
  struct Wait {
    Id id = 0;
    cudaError_t error = cudaSuccess;               // the first one of an operation that ran
    cudaError_t last = cudaSuccess;                // of the last step
    std::vector<RunningConditional> conditionals;  // each within the one before
  };

  // The host must outlive the executor.
  explicit StreamExecutor(StreamHost& host) : host_(host) {}

  StreamWork& work() { return work_; }
  const StreamWork& work() const { return work_; }
  StreamObserver& observer() { return *observer_; }
  // The observer must outlive the executor.
  void set_observer(StreamObserver& observer) { observer_ = &observer; }

  // StreamWork::add and add_beside.
  Id issue(const StreamWork::Place& place, const Operation& operation,
           const std::vector<Id>& after = {});
  Id issue_beside(const StreamWork::Place& place, const Operation& operation,
                  const std::vector<Id>& after);
  // What is issued to the place from now on waits for the operation, if it has not finished.
  void wait_in_stream(const StreamWork::Place& place, Id id);

  // Starts the next operation that is ready, unless what is waited for has finished.
  Step step(Wait& wait);
  // The wait ends here: its conditional nodes are over.
  void abandon(Wait& wait);
  // Advances the device until a kernel or copy ends. Returns the launches that have ended.
  std::vector<std::uint64_t> advance_device();
  // The device reported that a launch or copy has finished. False when it is not one of these.
  bool launch_finished(std::uint64_t launch) { return kernels_.end(launch, work_); }
  bool copy_finished(std::uint64_t copy) { return copies_.end(copy, work_); }
  std::size_t kernels_running() const { return kernels_.size(); }
  // After a fault of the device nothing runs on it any more.
  void drop_running();

 private:
  void start(Id id, Wait& wait);
  void end_conditional(Wait& wait);
  void finish(Id id);
  void begin_on_device(Id id, const gpu::LaunchRequest* launch, const std::function<void()>& begin);

  StreamHost& host_;
  StreamObserver none_;
  StreamObserver* observer_ = &none_;
  StreamWork work_;
  StreamKernels kernels_;
  RunningCopies copies_;
};

}  // namespace heddle::cuda
