// The catalogue of CTA schedulers. A text is "name" or "name:key=value,key=value".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/cta/cta_entry.h"
#include "policies/catalogue.h"

namespace heddle::gpu {

// Of a plug-in: names the policy in what goes wrong in it (policies/plugin_call.h).
void guard(CtaEntry& entry, const std::string& file);
using CtaPlugins = policies::Plugins<CtaEntry>;

// UserError for an unknown name (with the nearest names), an unknown parameter, or a value out of
// range.
inline std::shared_ptr<const CtaPolicy> parse_cta_policy(const std::string& text,
                                                         const CtaPlugins& plugins = {}) {
  return policies::parse(text, plugins);
}
inline std::vector<policies::PolicyInfo> list_cta_policies(const CtaPlugins& plugins = {}) {
  return policies::list_policies(plugins);
}

}  // namespace heddle::gpu
