// The streams of a program that runs: issues work to them, and waits for it. All functions are
// called under the session's lock; while a host function of the program runs, it is released.
#pragma once

#include <optional>
#include <vector>

#include "cuda/objects/events.h"
#include "cuda/objects/stream_executor.h"
#include "cuda/objects/streams.h"

namespace heddle::cuda {

// The host's side of a program that runs.
class ProgramHost : public StreamHost {
 public:
  // Simulates until a kernel or copy ends, and finishes the operations of those that have ended.
  virtual void advance_device() = 0;
  // What a fault of the device returns; cudaSuccess before one.
  virtual cudaError_t fault() const = 0;
  // Until a host function that another thread runs has ended. False when this thread is in one,
  // which ends the program.
  virtual bool wait_for_host_function() = 0;
};

class StreamService {
 public:
  using Id = StreamWork::Id;

  // The host must outlive the service.
  explicit StreamService(ProgramHost& host) : host_(host), executor_(host) {}

  Streams all;
  Events events;

  StreamExecutor& executor() { return executor_; }
  bool idle() const { return executor_.work().empty(); }
  bool finished(Id id) const { return executor_.work().finished(id); }
  // While work of different streams cannot overlap, every operation runs in the call that issues
  // it.
  bool run_at_once() const { return !all.may_overlap(); }
  StreamWork::Place place_of(cudaStream_t stream);

  // Adds an operation at the end of a stream; it also waits for `after`.
  Id issue(cudaStream_t stream, const Operation& operation, const std::vector<Id>& after = {});
  // What is issued to the stream from now on waits for the operation.
  void wait_in_stream(cudaStream_t stream, Id id);
  // Adds the nodes of a graph, in an order in which dependencies come first. Returns an operation
  // that finishes after all of them. Nodes wait for what `place` waits for, and for `after`.
  Id add_nodes(const StreamWork::Place& place, const std::vector<GraphNode*>& order,
               const std::vector<Id>& after = {}, const GraphLaunch& graph = {});

  // Runs what is ready, oldest first, until the operation has finished. The first error of an
  // operation that ran meanwhile; the fault's error after a device fault; cudaErrorNotPermitted
  // when the program ends in a host function and the work waits for it.
  cudaError_t wait_for(Id id);
  // Until everything that was issued to the stream so far has finished.
  cudaError_t wait_for_stream(cudaStream_t stream);
  cudaError_t wait_for_all();
  // wait_for(id) in the call that issued it, when operations run at once. The program receives a
  // fault of the device from its next call, as when the device runs later.
  cudaError_t finish_if_at_once(Id id);

  // What the operation that runs has copied between host and device.
  std::optional<gpu::CopyRequest> copied;

 private:
  cudaError_t run_until(Id id);
  template <class Run>
  cudaError_t wait_observed(const HostWait& wait, Run&& run);
  Id add_node(const StreamWork::Place& place, const Operation& operation, std::vector<Id> needs,
              const GraphLaunch& graph);

  ProgramHost& host_;
  StreamExecutor executor_;
};

}  // namespace heddle::cuda
