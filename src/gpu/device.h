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
#include "stats/timeline.h"

namespace heddle::exec {
class Checker;
}

namespace heddle::gpu {

class Device {
 public:
  explicit Device(const config::RunSpec& spec);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  exec::GlobalMemory& memory();
  const config::GpuSpec& spec() const;

  // Runs the launch to its end, timed or functionally as the RunSpec says, and records it.
  // Functional launches take no simulated time and do not change the caches. Throws
  // exec::Interrupted on a stop request, and does not record the launch; exec::KernelFault when the
  // program does something illegal; UserError when a CTA does not fit on an SM.
  const KernelResult& run(const exec::Launch& launch);
  const std::vector<KernelResult>& results() const;
  Cycle now() const;  // core cycles since the device was built
  // Simulated time. In a functional run each warp instruction counts as a core cycle (decision
  // 080).
  double elapsed_ms() const;
  double host_seconds() const;  // wall-clock time of all launches

  // Null unless the RunSpec enables `check`.
  exec::Checker* checker();
  const exec::Checker* checker() const;
  void set_host(exec::HostSide host);
  // The diagnostic of the launch's first tolerated out-of-bounds load; empty when there was none.
  std::string take_tolerated_load();
  // The text that device code has printed since the last call.
  std::string take_printed();
  std::size_t take_lost_print();        // bytes dropped since the last call
  void limit_print(std::size_t bytes);  // capacity of the text buffer; 1 MiB by default

  // Notifies the timing model of a host-to-device copy (memory.memcpy_fills_l2).
  void copied_to_device(Address first, std::uint64_t bytes);
  // The timeline recorded so far; empty unless the RunSpec enables it.
  stats::Timeline timeline() const;
  // A stop request is checked while a launch runs; it must outlive the device.
  void set_stop(const exec::StopRequest* stop);
  // Called about ten times a second while a kernel runs.
  using Progress = std::function<void(const exec::Launch&, const KernelResult& so_far)>;
  void set_progress(Progress progress);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::gpu
