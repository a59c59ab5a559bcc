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
#include "gpu/kernel_result.h"
#include "gpu/launch_builder.h"
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
};

class Device {
 public:
  explicit Device(const config::RunSpec& spec);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  exec::GlobalMemory& memory();
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
  // its number: launches() after the call. priority: as in CUDA, the smallest starts first. A
  // functional launch runs at once. Throws UserError like run().
  std::uint64_t begin(const LaunchRequest& request, int priority = 0);
  struct Finished {
    std::vector<std::uint64_t> launches;  // numbers, in the order of their ends
  };
  // Simulates until at least one launch has finished, or until the cycle `until` has come. Returns
  // the launches that have finished since the last call; they have been recorded. Throws
  // exec::Interrupted and exec::KernelFault like run(). After a fault nothing can be launched.
  Finished advance(Cycle until = Cycle::never());
  bool busy() const;  // a launch has begun and has not been returned by advance()
  // How many launches run at once at most (gpu.concurrent_kernels); 1 in a functional run.
  std::uint32_t concurrent_kernels() const;
  std::uint64_t launches() const;  // begun so far
  // Valid for the launches that follow.
  void set_limits(const DeviceLimits& limits);
  // The table that texture handles refer to; it must outlive the device.
  void set_textures(const exec::TextureTable* textures);
  const std::vector<KernelResult>& results() const;
  Cycle now() const;          // core cycles since the device was built
  double elapsed_ms() const;  // simulated time; in a functional run each warp instruction counts as
                              // a core cycle (docs/decisions/080)
  double host_seconds() const;  // wall-clock time of all launches

  // Null unless the RunSpec enables `check`.
  exec::Checker* checker();
  const exec::Checker* checker() const;
  // Null unless the RunSpec enables the analysis.
  const AnalysedLaunches* analysed() const;
  void set_host(exec::HostSide host);
  // The diagnostic of the launch's first tolerated out-of-bounds load; empty when there was none.
  std::string take_tolerated_load();
  // The text that device code has printed since the last call.
  std::string take_printed();
  std::size_t take_lost_print();  // bytes that did not fit since the last call

  // Notifies the timing model of a host-to-device copy (memory.memcpy_fills_l2).
  void copied_to_device(Address first, std::uint64_t bytes);
  // Of a device-to-host copy (memory.memcpy_from_device_fills_l2).
  void copied_from_device(Address first, std::uint64_t bytes);
  // The events recorded so far; empty unless the RunSpec enables a timeline.
  stats::Timeline timeline() const;
  // Read while a launch runs; it must outlive the device.
  void set_stop(const exec::StopRequest* stop);
  // Called about ten times a second while a kernel runs.
  using Progress = std::function<void(const exec::Launch&, const KernelResult& so_far)>;
  void set_progress(Progress progress);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::gpu
