// The figures of a launch, and of all launches of a run, that its tables of statistics do not hold:
// counts of the launch itself and what is computed from statistics. One declaration each, from
// which run.json, `heddle list stats` and results stores follow.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "config/gpu_spec.h"
#include "gpu/kernel_result.h"

namespace heddle::gpu {

// What figures are computed from.
struct DerivedSource {
  const KernelResult& result;
  const config::GpuSpec& gpu;
};

struct Derived {
  using Value = std::variant<std::uint64_t, double>;

  std::string_view group;  // "rates"; empty: the figure has none
  std::string_view name, unit, meaning;
  Value (*formula)(const DerivedSource& of);
};

// Of launches that were not timed, too.
inline constexpr const char *kHeadline = "", *kCtas = "ctas";
// Of timed launches.
inline constexpr const char *kRates = "rates", *kReadTime = "read_time", *kLanes = "lanes";

std::span<const Derived> derived_figures(std::string_view group);

}  // namespace heddle::gpu
