// Several programs on one simulated device, in this process. The device advances until a program
// that waits can proceed; which one it is does not depend on the host's clock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/run_spec.h"
#include "exec/state/launch.h"
#include "gpu/device.h"
#include "gpu/kernel_result.h"

namespace heddle::cuda {

// The host's side of one run of a program. A captured program is one; tests have others.
class ProgramPlayer {
 public:
  virtual ~ProgramPlayer() = default;
  // Issues work until the host waits for the device. False: the program has ended.
  virtual bool proceed() = 0;
  // False when the launch is not one of this program.
  virtual bool launch_finished(std::uint64_t device_launch) = 0;
  // The same for a copy.
  virtual bool copy_finished(std::uint64_t) { return false; }
};

struct SharedProgram {
  std::string name;                // in diagnostics
  std::uint64_t memory_bytes = 0;  // of its device memory; 0: that of the GPU
  // Begins a run of the program in the address space with this number.
  std::function<std::unique_ptr<ProgramPlayer>(gpu::Device&, std::uint32_t program)> begin;
};

// What a program did in its complete repetitions.
struct ProgramRuns {
  std::uint64_t repetitions = 0;
  std::uint64_t cycles = 0;  // from the first launch's start to the last one's end, added up
  gpu::KernelResult total;   // of all launches; cycles: those in which at least one was active
  std::vector<gpu::KernelResult> kernels;   // the launches of the first repetition
  std::vector<gpu::KernelResult> repeated;  // those of the others, when waves are sampled
};

struct SharedRun {
  std::vector<ProgramRuns> programs;
  std::uint64_t cycles = 0;
  double host_seconds = 0;  // of the simulation
};

enum class Repeat : std::uint8_t {
  until_all_ended,  // a program that ends begins anew until each has ended once
  never
};

// Throws exec::Interrupted when a stop is requested, exec::KernelFault when a program does
// something illegal, UserError when a program waits for nothing that runs.
SharedRun run_together(const config::RunSpec& spec, const std::vector<SharedProgram>& programs,
                       Repeat repeat, const exec::StopRequest* stop = nullptr);

}  // namespace heddle::cuda
