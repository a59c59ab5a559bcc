// All warp schedulers by name, with their typed parameters. A policy text is "name" or "name:key=value,key=value".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sm/warp_scheduler.h"

namespace heddle::sched {

struct ParameterInfo { std::string name, unit, range, value, meaning, source; };
struct PolicyInfo { std::string name, title, paper; std::vector<ParameterInfo> parameters; };

// What a policy may know when it is built.
struct PolicyContext { int sm = 0, scheduler = 0, schedulers = 1, warp_slots = 48; std::uint64_t seed = 1; };

// A parsed and checked policy text that can build one scheduler per hardware scheduler. Immutable, shared by all SMs.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual const std::string& text() const = 0;  // canonical, every parameter spelled out that differs from its default
  virtual std::unique_ptr<sm::WarpScheduler> build(const PolicyContext&) const = 0;
};

// UserError on an unknown name (nearest names), unknown parameter (the policy's own), value out of range.
std::shared_ptr<const Policy> parse_policy(const std::string& text);
std::vector<PolicyInfo> list_policies();

}  // namespace heddle::sched
