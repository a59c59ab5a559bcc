// A simulated GPU: SMs, memory system and the engine that advances them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "config/run_spec.h"
#include "exec/services/device_services.h"
#include "exec/state/launch.h"
#include "gpu/copy_engines.h"
#include "gpu/device_state.h"
#include "gpu/kernel_result.h"
#include "gpu/launch_builder.h"
#include "gpu/nested/device_code.h"
#include "stats/timeline.h"

namespace heddle::exec {
class Checker;
}

namespace heddle::gpu {

class AnalysedLaunches;

// Memory that the device sets aside for code that runs on it.
struct DeviceLimits {
  std::uint32_t stack_bytes = 1024;                   // per thread, of kernels that use a stack
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;  // of malloc, when its heap is created
  std::size_t print_bytes = std::size_t{1} << 20;     // text of printf that the host has not read
  std::uint64_t pending_launches = 2048;              // by kernels, that are not complete
  std::uint32_t sync_depth = 2;  // kernels at a smaller depth may wait for their launches
  friend bool operator==(const DeviceLimits&, const DeviceLimits&) = default;
};

// A program on a device that it shares with others.
struct DeviceProgram {
  std::string name;                // in diagnostics
  std::uint64_t memory_bytes = 0;  // 0: as much as the GPU has
};

class Device {
 public:
  // programs: at most kMaxPrograms (base/address_layout.h). Each has memory, textures, a heap,
  // printed text and limits of its own; its number is its place in the list. Empty: one program,
  // which needs no name.
  explicit Device(const config::RunSpec& spec, std::vector<DeviceProgram> programs = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  exec::GlobalMemory& memory(std::uint32_t program = 0);
  // The program begins anew, with empty memory and without lines in caches; nothing of it is queued
  // or runs. Pointers to its memory are invalid. Its kernels still exist.
  void restart_program(std::uint32_t program);
  // The program launches nothing more: share policies give its part to the others.
  void end_program(std::uint32_t program);
  const config::GpuSpec& spec() const;

  // Registers, occupancy and limits of launches on this device.
  const LaunchBuilder& launch_builder() const;
  // Runs the launch to its end, timed or functionally as the RunSpec says, and records it.
  // Functional launches take no time and do not change the caches. Throws exec::Interrupted when a
  // stop is requested (the launch is not recorded), exec::KernelFault when the program does
  // something illegal, UserError when no CTA fits an SM or memory cannot hold what the launch
  // needs.
  const KernelResult& run(const LaunchRequest& request);

  // The same for launches that may overlap. begin() queues the launch for the hardware and returns
  // its number. priority: as in CUDA, the smallest starts first. A
  // functional launch runs at once. Throws UserError like run(). A launch has finished when all
  // launches by its kernel have.
  std::uint64_t begin(const LaunchRequest& request, int priority = 0);
  // The host has launched all nodes of a graph, and they are complete
  // (LaunchRequest::graph_launch). Returns the number with which advance() reports the end of the
  // graphs that they have launched.
  std::uint64_t end_graph(std::uint64_t graph_launch, std::uint32_t program = 0);
  struct Finished {
    // By the host: numbers, in the order of their ends; and those of end_graph().
    std::vector<std::uint64_t> launches;
    std::vector<std::uint64_t> copies;  // numbers of begin_copy()
  };
  // Whether copies take time: gpu.copy_engines is not 0, and launches are timed.
  bool times_copies() const;
  // A copy engine begins the copy now, or when it is free. Returns the copy's number. Only while
  // times_copies().
  std::uint64_t begin_copy(const CopyRequest& request);
  // Simulates until at least one launch or copy has finished, or until the cycle `until` has come.
  // Returns those that have finished since the last call; launches have been recorded. Throws
  // exec::Interrupted and exec::KernelFault like run(). After a fault nothing can be launched.
  Finished advance(Cycle until = Cycle::never());
  bool busy() const;  // a launch or copy has begun and has not been returned by advance()
  // How many launches run at once at most (gpu.concurrent_kernels); 1 in a functional run.
  std::uint32_t concurrent_kernels() const;
  std::uint64_t launches() const;  // begun so far, those by kernels too
  // The launches of a program that are not run, because its memory after them is known. Before the
  // first launch.
  void skip_launches(std::uint64_t count);
  // Beside memory, while nothing runs. restore(): before the first launch, when memory has what the
  // device had allocated; false when the state is impossible.
  DeviceState state(std::uint32_t program = 0) const;
  bool restore(const DeviceState& state, std::uint32_t program = 0);
  // Valid for the launches that follow.
  void set_limits(const DeviceLimits& limits, std::uint32_t program = 0);
  // The table that texture handles refer to; it must outlive the device.
  void set_textures(const exec::TextureTable* textures, std::uint32_t program = 0);
  // Without it a kernel that calls CUDA's device runtime is a UserError.
  void set_device_code(DeviceCode of, std::uint32_t program = 0);
  const std::vector<KernelResult>& results() const;
  // The results since the last call; results() is empty afterwards.
  std::vector<KernelResult> take_results();
  const CopyEngines& copy_engines() const;
  Cycle now() const;          // core cycles since the device was built
  double elapsed_ms() const;  // simulated time; in a functional run each warp instruction counts as
                              // a core cycle (decision 080)
  // Wall-clock time of all launches, and of that in which cycles were simulated.
  struct HostSeconds {
    double launches = 0, timed = 0;
  };
  HostSeconds host_seconds() const;

  // Null unless the RunSpec enables `check`.
  exec::Checker* checker(std::uint32_t program = 0);
  const exec::Checker* checker(std::uint32_t program = 0) const;
  // Null unless the RunSpec enables the analysis.
  const AnalysedLaunches* analysed() const;
  void set_host(exec::HostSide host, std::uint32_t program = 0);
  // The warnings of kernels since the last call. One may be repeated.
  std::vector<exec::LaunchWarning> take_warnings(std::uint32_t program = 0);
  // The text that device code has printed since the last call.
  std::string take_printed(std::uint32_t program = 0);
  std::size_t take_lost_print(
      std::uint32_t program = 0);  // bytes that did not fit since the last call

  // Notifies the timing model of a host-to-device copy (memory.memcpy_fills_l2).
  void copied_to_device(Address first, std::uint64_t bytes, std::uint32_t program = 0);
  // Of a device-to-host copy (memory.memcpy_from_device_fills_l2).
  void copied_from_device(Address first, std::uint64_t bytes, std::uint32_t program = 0);
  // The events recorded so far; empty unless the RunSpec enables a timeline.
  stats::Timeline timeline() const;
  // Read while a launch runs; it must outlive the device.
  void set_stop(const exec::StopRequest* stop);
  // Called about ten times a second while a kernel runs.
  using Progress = std::function<void(const exec::Launch&, const KernelResult& so_far)>;
  void set_progress(Progress progress);

 private:
  struct Program;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::gpu
