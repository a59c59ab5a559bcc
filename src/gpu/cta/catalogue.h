// The catalogue of CTA schedulers. A text is "name" or "name:key=value,key=value".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/cta/cta_policy.h"
#include "sched/framework/policy_info.h"

namespace heddle::gpu {

class CtaPlugins;  // plugins.h

// UserError for an unknown name (with the nearest names), an unknown parameter, or a value out of
// range.
std::shared_ptr<const CtaPolicy> parse_cta_policy(const std::string& text);
std::vector<sched::PolicyInfo> list_cta_policies();

// The same over the catalogue and the CTA schedulers of plug-ins.
std::shared_ptr<const CtaPolicy> parse_cta_policy(const std::string& text,
                                                  const CtaPlugins& plugins);
std::vector<sched::PolicyInfo> list_cta_policies(const CtaPlugins& plugins);

}  // namespace heddle::gpu
