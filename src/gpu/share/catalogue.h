// The catalogue of share policies. A text is "name" or "name:key=value,key=value".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/share/share_entry.h"
#include "policies/catalogue.h"

namespace heddle::gpu {

// Of a plug-in: names the policy in what goes wrong in it (policies/plugin_call.h).
void guard(ShareEntry& entry, const std::string& file);
using SharePlugins = policies::Plugins<ShareEntry>;

// UserError for an unknown name (with the nearest names), an unknown parameter, or a value out of
// range.
inline std::shared_ptr<const SharePolicy> parse_share_policy(const std::string& text,
                                                             const SharePlugins& plugins = {}) {
  return policies::parse(text, plugins);
}
inline std::vector<policies::PolicyInfo> list_share_policies(const SharePlugins& plugins = {}) {
  return policies::list_policies(plugins);
}

}  // namespace heddle::gpu
