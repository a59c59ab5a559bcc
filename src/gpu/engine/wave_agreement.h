// Whether waves of CTAs agree, so that they stand for later ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
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

// Waves that agreed in launches that ran at once, in the order of the launches.
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
    void add(const OfLaunch& later);
  };
  // Null: none agreed.
  const std::vector<OfLaunch>* find(const std::vector<Kind>& kinds) const;
  void keep(std::vector<Kind> kinds, std::vector<OfLaunch> waves);
  void forget_all() { kept_.clear(); }

 private:
  std::vector<std::pair<std::vector<Kind>, std::vector<OfLaunch>>> kept_;
};
// Are the rates of each launch, of which `waves` has all waves so far, those of the waves that
// agreed earlier, and do these stand for `left` further ones?
bool like_earlier(std::span<const AgreedWaves::OfLaunch> earlier,
                  std::span<const std::vector<Wave>> launches, double left);

}  // namespace heddle::gpu
