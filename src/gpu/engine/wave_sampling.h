// Ends the timing of a long launch when its waves of CTAs agree. A wave is as many CTAs as the GPU
// holds. The launch is timed as if its grid were a few whole waves and the remainder; its other
// CTAs, a number of whole waves, run functionally after it and are estimated from the waves that
// agree. TBPoint (Huang, IPDPS 2014) and PKA (Avalos Baddouh, MICRO 2021) stop inside launches on
// the IPC alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/engine/hardware.h"
#include "gpu/engine/kernel_ledger.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/window_clock.h"
#include "isa/kernel.h"

namespace heddle::gpu {

// Do CTAs of the kernel perhaps wait for each other, or share out work? Then the order in which
// they run changes what each of them does.
bool may_communicate(const isa::Kernel& kernel);
// Waves in up to four parts, in their order.
std::vector<Wave> parts_of(std::span<const Wave> waves);
// Of the last waves, how many agree in their rates; 0: too few. left: waves that they would stand
// for.
std::size_t agreeing_waves(std::span<const Wave> waves, std::uint64_t left);

class WaveSampling {
 public:
  WaveSampling(const Hardware& hardware, WindowClock& clock, const RunningKernels& running,
               KernelLedger& ledger)
      : hardware_(hardware), clock_(clock), running_(running), ledger_(ledger) {}
  // From now on.
  void enable() { enabled_ = true; }
  // After a window.
  void look() {
    if (enabled_) look_at_waves();
  }

 private:
  void look_at_waves();
  void begin(const RunningKernel& k);
  void end_wave(const RunningKernel& k);
  void stop_if_waves_agree(RunningKernel& k);

  const Hardware& hardware_;
  WindowClock& clock_;
  const RunningKernels& running_;
  KernelLedger& ledger_;
  bool enabled_ = false;
  // Of the launch that runs alone.
  std::uint64_t launch_ = 0, wave_ctas_ = 0;
  bool watches_ = false;
  std::vector<Wave> waves_;
  std::vector<KernelResult> ends_;  // what was counted at the end of each wave
};

}  // namespace heddle::gpu
