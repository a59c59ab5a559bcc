// The catalogue of warp schedulers. A policy text is "name" or "name:key=value,key=value"; limiters
// stand before an order: "swl:warps=4+lrr". Kernels that run at once may have policies of their
// own: "K0=gto,K1=lrr".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "policies/catalogue.h"
#include "sched/framework/policy_entry.h"

namespace heddle::sched {

// Of a plug-in: names the policy in what goes wrong in it (policies/plugin_call.h).
void guard(PolicyEntry& entry, const std::string& file);

using policies::PolicyInfo;
using Plugins = policies::Plugins<PolicyEntry>;

// UserError for an unknown name (with the nearest names), an unknown parameter (with the policy's
// parameters), a value out of range, or limiters and orders in the wrong order.
std::shared_ptr<const Policy> parse_policy(const std::string& text, const Plugins& plugins = {});
inline std::vector<PolicyInfo> list_policies(const Plugins& plugins = {}) {
  return policies::list_policies(plugins);
}

}  // namespace heddle::sched
