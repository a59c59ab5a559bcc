// One kernel launch, and the sources that execute it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/types.h"
#include "exec/instruction_source.h"
#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "ptx/instruction.h"
#include "ptx/kernel.h"

namespace heddle::exec {

struct Launch {
  const ptx::Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  // kernel->parameter_bytes long
  std::uint64_t grid_id = 0;
  const TextureTable* textures = nullptr;  // what handles in parameters and addresses of .texref
                                           // and .surfref variables stand for
  DeviceServices* services =
      nullptr;  // printf and malloc; without them nothing is printed and every allocation fails
  std::uint32_t stack_bytes = 1024;  // per thread, for kernels that use a stack
  std::uint64_t heap_bytes = std::uint64_t{8}
                             << 20;  // of the device's malloc, when it does not exist yet
  std::uint64_t grid_workspace =
      0;  // %envreg1 and %envreg2, high and low half: where a cooperative grid synchronizes; else 0
};

// The simulated program did something illegal (out of bounds, misaligned, trap, assertion ...).
// what() is the whole diagnostic: kernel, CUDA source line and PTX line, thread and CTA, address,
// nearest allocation.
class KernelFault : public std::runtime_error {
 public:
  enum class Kind {
    illegal_address,
    misaligned_address,
    illegal_call,
    stack_overflow,
    trap,
    assertion,
    deadlock
  };
  // printed: by device code, and not shown yet. said: what CUDA itself would say on the standard
  // error.
  KernelFault(Kind kind, const std::string& message, std::string printed = {},
              std::string said = {})
      : std::runtime_error(message),
        kind_(kind),
        printed_(std::move(printed)),
        said_(std::move(said)) {}
  Kind kind() const { return kind_; }
  const std::string& printed() const { return printed_; }
  const std::string& said() const { return said_; }

 private:
  Kind kind_;
  std::string printed_, said_;
};

// Can the program write to what the launch's warps wait for?
bool host_may_write(const Launch& launch, const GlobalMemory& memory);
// A line that says so, where a program might rely on it; begins with a newline.
std::string why_not_the_host(const GlobalMemory& memory);
// Tells who wants to know (HostSide::suspect) that the launch may hang. where: lines that each
// begin with a newline.
void warn_probable_livelock(const Launch& launch, const std::string& for_how_long,
                            const std::string& where);

// Facts about the machine that instructions can read.
struct MachineView {
  std::uint32_t sm = 0, sms = 1, warp_slots = 48;
  double core_mhz = 700;
};

// A kernel's instructions in the form in which they run.
struct DecodedKernel;
std::shared_ptr<const DecodedKernel> decode_kernel(const ptx::Kernel& kernel);

// Live execution of a launch on one SM. What is decoded once serves all SMs, which saves more of
// the host's caches than of its time.
std::unique_ptr<InstructionSource> make_live_source(
    const Launch& launch, GlobalMemory& memory, const MachineView& machine, int cta_slots,
    std::shared_ptr<const DecodedKernel> decoded = nullptr);

// Set from outside, by a signal for instance, when a run shall end before its time: the signal's
// number, 0 to go on.
using StopRequest = std::atomic<int>;
struct Interrupted {
  int signal;
  std::string standing = {};
};  // what is thrown then; where warps stood, a line each

struct FunctionalCounts {
  std::uint64_t warp_instructions = 0, thread_instructions = 0, ctas = 0;
};
// Runs the whole launch without timing: CTA after CTA, warps of a CTA in turn between barriers.
// KernelFault as above; deadlock when no warp of a CTA can go on. A checker is told of every access
// and barrier; lanes whose access it finds illegal go on without.
class Checker;
FunctionalCounts run_functionally(const Launch& launch, GlobalMemory& memory,
                                  const MachineView& machine, const StopRequest* stop = nullptr,
                                  Checker* checker = nullptr);

class Warps;
// A CTA on its way in the timing model, for what follows.
struct StartedCta {
  struct Barrier {
    std::uint32_t arrived_warps = 0, threads = 0;
  };  // threads: expected; 0: all
  Warps* warps = nullptr;
  int slot = 0;
  std::vector<WarpSlot> warp_slots;
  WarpMask at_barrier;
  std::array<Barrier, ptx::kClusterBarrier + 1> barriers{};
};
// Carries a launch to its end from where the timing model has brought it: the CTAs that have
// started, and those that have not. All that they have stored, and their atomics, have reached the
// memory.
FunctionalCounts finish_functionally(const Launch& launch, GlobalMemory& memory,
                                     const MachineView& machine,
                                     const std::vector<StartedCta>& started,
                                     const std::vector<std::uint64_t>& waiting,
                                     const StopRequest* stop = nullptr);

}  // namespace heddle::exec
