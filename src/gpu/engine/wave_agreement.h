// Whether waves of CTAs agree, so that they stand for later ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/kernel_result.h"

namespace heddle::gpu {

// The first wave of a launch finds empty caches.
inline constexpr std::size_t kWarmUpWaves = 1;

// Waves in up to four parts, in their order.
std::vector<Wave> parts_of(std::span<const Wave> waves);
// Of the last waves of launches that run at once, how many agree in the rates of each launch; 0:
// too few. left: waves that they would stand for.
std::size_t agreeing_waves(std::span<const std::vector<Wave>> launches, double left);

// Waves of launches that ran at once, in the order of the launches, and whether they agreed.
class AgreedWaves {
 public:
  // What launches that are alike have in common.
  struct Kind {
    std::uint32_t program = 0;
    std::string kernel, module;
    Dim3 grid, block;
    bool operator==(const Kind&) const = default;
  };
  struct OfLaunch {
    KernelResult part;  // what was counted in them
    std::vector<Wave> waves;
    double ctas_per_wave = 0;  // of the last ones
    void add(const OfLaunch& later);
  };
  struct Kept {
    std::vector<Kind> kinds;
    std::vector<OfLaunch> waves;
    bool agreed = false;
    int times = 0;    // that waves of such launches were kept
    int at_once = 0;  // since then: times that these stood for all other waves of such launches
    // After three times they stand at once for the waves of the next three.
    bool stands_at_once() const { return agreed && times >= 3 && at_once < 3; }
  };
  // Null: none were kept.
  const Kept* find(const std::vector<Kind>& kinds) const;
  void keep(const std::vector<Kind>& kinds, std::vector<OfLaunch> waves, bool agreed);
  // Waves of a launch that omitted nothing stand for those of later ones if all agree.
  void keep_for_later(const std::vector<Kind>& kinds, std::vector<OfLaunch> waves);
  void count_at_once(const std::vector<Kind>& kinds);
  void forget_all() { kept_.clear(); }

 private:
  Kept& of(const std::vector<Kind>& kinds);

  std::vector<Kept> kept_;
};
// Are the waves enough to stand for `left` others?
bool enough_waves(std::span<const AgreedWaves::OfLaunch> earlier, double left);
// Do the waves of each launch after its first agree with those that were kept earlier, all of them
// together, and do these stand for `left` further ones?
bool agree_with_kept(std::span<const AgreedWaves::OfLaunch> earlier,
                     std::span<const std::vector<Wave>> launches, double left);
// Are the rates of each launch, of which `launches` has all waves so far, those of the waves that
// agreed earlier, and do these stand for `left` further ones?
bool like_earlier(std::span<const AgreedWaves::OfLaunch> earlier,
                  std::span<const std::vector<Wave>> launches, double left);

}  // namespace heddle::gpu
