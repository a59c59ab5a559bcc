// The catalogue of warp schedulers. A policy text is "name" or "name:key=value,key=value"; limiters
// stand before an order: "swl:warps=4+lrr". Kernels that run at once may have policies of their
// own: "K0=gto,K1=lrr".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sched/framework/policy.h"
#include "sched/framework/policy_info.h"

namespace heddle::sched {

class Plugins;  // framework/plugins.h

// UserError for an unknown name (with the nearest names), an unknown parameter (with the policy's
// parameters), a value out of range, or limiters and orders in the wrong order.
std::shared_ptr<const Policy> parse_policy(const std::string& text);
std::vector<PolicyInfo> list_policies();

// The same over the catalogue and the policies of plug-ins.
std::shared_ptr<const Policy> parse_policy(const std::string& text, const Plugins& plugins);
std::vector<PolicyInfo> list_policies(const Plugins& plugins);

}  // namespace heddle::sched
