// A parsed policy text, and the context in which it builds its objects.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "policies/entry.h"
#include "sched/framework/shared_state.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

// Where a policy object runs. Without stores (in_sm, in_gpu) the object shares no state: unit
// tests.
struct PolicyContext {
  int sm = 0;           // number of the SM
  int scheduler = 0;    // number of the scheduler in its SM
  int schedulers = 1;   // schedulers of the SM
  int warp_slots = 48;  // of the SM
  // The value of --seed. A policy that draws random numbers seeds a generator of its own with
  // random_seed(), and uses no other source.
  std::uint64_t seed = 1;
  std::shared_ptr<SharedState> in_sm{}, in_gpu{};
  // Position in a composed policy ("swl+ccws+gto": 0, 1, 2). Equal policies at different positions
  // share no state.
  int part = 0;
  std::uint32_t l1_lines = 128;  // lines of the L1 data cache
  std::uint32_t l1_line_bytes = 128;
  // In which the schedulers run before a kernel's first CTA.
  std::uint32_t cycles_before_ctas = 0;
};

// Policy objects of different kernels differ in `part` by multiples of this: more than a policy has
// parts. Policies that a text gives to different kernels differ by multiples of kPartsOfText.
inline constexpr int kPartsOfPolicy = 16, kPartsOfText = 256 * kPartsOfPolicy;

// A seed that differs for every scheduler of every SM and for every part of a policy, and is the
// same in every run with the same --seed.
constexpr std::uint64_t random_seed(const PolicyContext& context) {
  std::uint64_t mixed = context.seed;
  for (const int part : {context.sm, context.scheduler, context.part}) {
    mixed = (mixed ^ static_cast<std::uint64_t>(part)) + 0x9E3779B97F4A7C15ull;  // splitmix64
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
    mixed ^= mixed >> 31;
  }
  return mixed;
}

// The state of type T that the schedulers of this SM, or of the GPU, share. The first call
// constructs it from `args`; later calls return the same object.
template <class T, class... Args>
std::shared_ptr<T> shared_in_sm(const PolicyContext& context, Args&&... args) {
  if (!context.in_sm) return std::make_shared<T>(std::forward<Args>(args)...);
  return context.in_sm->get<T>(context.part, std::forward<Args>(args)...);
}
template <class T, class... Args>
std::shared_ptr<T> shared_in_gpu(const PolicyContext& context, Args&&... args) {
  if (!context.in_gpu) return std::make_shared<T>(std::forward<Args>(args)...);
  return context.in_gpu->get<T>(context.part, std::forward<Args>(args)...);
}

// A parsed and checked policy text. It builds one object per hardware scheduler; all SMs share it.
using Policy = policies::Policy<sm::WarpScheduler, PolicyContext>;

}  // namespace heddle::sched
