// All warp schedulers by name, with their typed parameters. A policy text is "name" or
// "name:key=value,key=value"; limiters compose with an order: "swl:warps=4+lrr".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sched/framework/shared_state.h"
#include "sm/warp_scheduler.h"
#include "stats/listing.h"

namespace heddle::sched {

struct ParameterInfo {
  std::string name, unit, range, value, meaning, source;
};
struct PolicyInfo {
  std::string name, title, paper;
  std::vector<ParameterInfo> parameters;
  std::vector<stats::FieldInfo> statistics;  // keys as in run.json, under "policy."
};

// What a policy may know when it is built, and where it finds the objects of its SM's other
// schedulers and of other SMs. Without stores a policy is alone.
struct PolicyContext {
  int sm = 0, scheduler = 0, schedulers = 1, warp_slots = 48;
  std::uint64_t seed = 1;
  std::shared_ptr<SharedState> in_sm{}, in_gpu{};
  int part = 0;                  // of a composed policy, counted from 0: parts do not share
  std::uint32_t l1_lines = 128;  // lines of the L1 data cache
  std::uint32_t l1_line_bytes = 128;
};

// The one T of this SM, or of this GPU, for this part of the policy.
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

// A parsed and checked policy text that can build one scheduler per hardware scheduler. Immutable,
// shared by all SMs.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual const std::string& text()
      const = 0;  // canonical, every parameter spelled out that differs from its default
  virtual std::unique_ptr<sm::WarpScheduler> build(const PolicyContext&) const = 0;
  // What it cannot run without, in a sentence: a file of an earlier run. Empty when nothing is
  // missing.
  virtual std::string missing_input() const { return {}; }
};

// UserError on an unknown name (nearest names), unknown parameter (the policy's own), value out of
// range.
std::shared_ptr<const Policy> parse_policy(const std::string& text);
std::vector<PolicyInfo> list_policies();

}  // namespace heddle::sched
