// Records a program while it runs: it observes the work of streams, and is notified of what else
// the program does, in its order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/capture/memory_recorder.h"
#include "cuda/capture/record_sink.h"
#include "cuda/objects/stream_observer.h"
#include "cuda/objects/textures.h"

namespace heddle::cuda {

// PTX texts that are linked with each other, as the program loads them.
struct LoadedModule {
  std::vector<std::pair<std::string, const std::string*>> texts;  // by name in messages
  std::vector<std::pair<std::string, Address>> addresses;         // of variables
  std::vector<std::string> kernels;
};

class Recorder final : public StreamObserver {
 public:
  // Memory and textures must outlive the recorder. UserError when the file cannot be written, here
  // and in every other function, and for what cannot be captured.
  Recorder(const std::string& path, CaptureInfo info, exec::GlobalMemory& memory,
           const exec::TextureTable& textures);

  // Is notified of copies and fills.
  MemoryRecorder& memory() { return memory_; }
  void loads(const void* group, const LoadedModule& module);
  void lowers(const void* group, const std::string& name, const isa::Kernel* kernel);
  void reads_output() { sink_.read_output(); }
  // A graph that device code may launch is on the device, or is no more.
  void uploads(const gpu::DeviceGraph& graph);
  void forgets_graph(std::uint64_t handle);
  void notifies_allocation(Address address, std::uint64_t bytes);
  // Completes the file. What is recorded later is part of the next call.
  void finish(std::uint64_t launches, std::uint64_t elapsed_times);

  void issued(const Issued& issued) override;
  void wait_begins(const HostWait& wait, const StreamWork& work, const gpu::DeviceLimits& limits,
                   bool overlaps) override;
  void wait_ended() override { memory_.host_writes().kernels_ended(); }
  void operation_begins(Id id) override { sink_.operation_begins(id); }
  void operation_ended(const std::optional<gpu::CopyRequest>& copy) override {
    sink_.operation_ended(copy);
  }
  void branch_begins(Id id, Address condition, std::uint32_t value) override;
  void branch_issued() override;
  void host_function_begins() override;
  void host_function_ended() override;
  void device_begins() override { memory_.set_in_device(true); }
  void device_ended() override { memory_.set_in_device(false); }

 private:
  void record_textures();
  void record_limits(const gpu::DeviceLimits& limits);
  CapturedLaunch captured(const gpu::LaunchRequest& launch) const;

  RecordSink sink_;
  MemoryRecorder memory_;
  const exec::TextureTable& textures_;
  CaptureInfo info_;
  std::map<const void*, std::uint32_t> modules_;
  std::map<const isa::Kernel*, std::pair<std::uint32_t, std::string>> kernels_;
  std::vector<Bytes> known_textures_;
  std::map<std::uint64_t, Bytes> known_graphs_;  // by handle
  std::optional<gpu::DeviceLimits> known_limits_;
  std::set<Id> launches_;  // that may be unfinished
  std::optional<TakeBranch> branch_;
};

}  // namespace heddle::cuda
