// The catalogue of share policies. A text is "name" or "name:key=value,key=value".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/share/plugins.h"
#include "gpu/share/share_policy.h"
#include "sched/framework/policy_info.h"

namespace heddle::gpu {

// UserError for an unknown name (with the nearest names), an unknown parameter, or a value out of
// range.
std::shared_ptr<const SharePolicy> parse_share_policy(const std::string& text);
std::vector<sched::PolicyInfo> list_share_policies();
// The same with the policies of plug-ins.
std::shared_ptr<const SharePolicy> parse_share_policy(const std::string& text,
                                                      const SharePlugins& plugins);
std::vector<sched::PolicyInfo> list_share_policies(const SharePlugins& plugins);

}  // namespace heddle::gpu
