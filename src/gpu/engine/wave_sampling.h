// Ends the timing of a long launch when its waves of CTAs agree. A wave is as many CTAs as the GPU
// holds. The launch is timed as if its grid were a few whole waves and the remainder; its other
// CTAs, a number of whole waves, run functionally after it and are estimated from the waves that
// agree. TBPoint (Huang, IPDPS 2014) and PKA (Avalos Baddouh, MICRO 2021) stop inside launches on
// the IPC alone.
//
// Of programs that run at once, each with one launch, all omit CTAs for the same time, so that
// their launches meet as in a run without sampling: a wave ends when each launch has finished as
// many CTAs as it had resident, and the launch with the fewest waves left sets how many are
// omitted. After it has ended, the others may omit more. A program that has ended once and repeats
// only keeps the GPU busy: its short launches omit nothing, may end while others are watched, and a
// wave after the first lasts until it has begun one. Waves that agreed once stand for those of
// later launches that are alike, when these begin alike; after three such launches, at once.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/engine/hardware.h"
#include "gpu/engine/kernel_ledger.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/wave_agreement.h"
#include "gpu/engine/window_clock.h"
#include "isa/kernel.h"

namespace heddle::gpu {

// Do CTAs of the kernel perhaps wait for each other, or share out work? Then the order in which
// they run changes what each of them does.
bool may_communicate(const isa::Kernel& kernel);

class WaveSampling {
 public:
  WaveSampling(const Hardware& hardware, WindowClock& clock, const RunningKernels& running,
               KernelLedger& ledger)
      : hardware_(hardware), clock_(clock), running_(running), ledger_(ledger) {}
  // From now on. across_launches: waves of a launch may stand for those of later ones.
  void enable(bool across_launches) {
    enabled_ = true;
    across_launches_ = across_launches;
  }
  // The programs that have not ended; one on a device of one program.
  void set_programs(const std::vector<std::uint32_t>& present);
  // The program has ended once and repeats only for the others.
  void set_repeating(std::uint32_t program);
  // After a window.
  void look() {
    if (enabled_) look_at_waves();
  }

 private:
  // What is known of a launch since the same launches run.
  struct Watched {
    std::uint64_t launch = 0, wave_ctas = 0;
    AgreedWaves::Kind kind;
    std::uint64_t first_cta = 0;          // CTAs that had finished before
    std::vector<std::uint64_t> finished;  // at the end of each wave
    std::vector<KernelResult> ends;       // what was counted then
  };
  // A program on the device.
  struct Present {
    std::uint32_t program = 0;
    bool repeats = false;
    std::uint64_t last_launch = 0;  // of one that repeats: its newest when the wave began
  };
  void look_at_waves();
  void find_candidates();
  std::vector<AgreedWaves::Kind> kinds() const;
  bool is_candidate(const RunningKernel& k) const;
  bool same_launches() const;
  void begin();
  bool wave_ended() const;
  bool repeats(std::uint32_t program) const;
  const RunningKernel* launch_of(std::uint32_t program) const;
  void note_repeated_launches();
  bool can_watch(const RunningKernel& k) const;
  bool begins_alone() const;
  bool settled();
  void begin_waves();
  void end_wave();
  void stop_if_waves_agree();
  double ctas_per_wave(const Watched& one) const;
  AgreedWaves::OfLaunch last_waves(std::size_t which, std::size_t count) const;
  std::vector<AgreedWaves::OfLaunch> find_steady(const AgreedWaves::Kept* earlier,
                                                 double left) const;
  void keep_waves_for_later();
  void omit(std::size_t which, const AgreedWaves::OfLaunch& agreed, double ctas);

  const Hardware& hardware_;
  WindowClock& clock_;
  const RunningKernels& running_;
  KernelLedger& ledger_;
  bool enabled_ = false, across_launches_ = false;
  std::vector<Present> present_ = std::vector<Present>(1);
  std::vector<RunningKernel*> candidates_;  // launches that may omit CTAs
  enum class State : std::uint8_t { fills, watches, ignores } state_ = State::ignores;
  std::vector<Watched> launches_;         // the candidates, in their order
  std::vector<std::vector<Wave>> waves_;  // of each
  AgreedWaves agreed_;                    // since a program ended
  std::uint64_t placed_ = 0;              // CTAs of all, at the last look
};

}  // namespace heddle::gpu
