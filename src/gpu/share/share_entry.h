// The catalogue's entry of a share policy (policies/entry.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpu/share/share_policy.h"
#include "policies/plugin_file.h"

namespace heddle::gpu {

struct ShareEntry : policies::Entry<ShareScheduler, ShareContext> {
  static constexpr policies::Kind kind{"share policy", "share policies", policies::kSharePluginAbi,
                                       "heddle_plugin_share_policies"};
  static const std::vector<ShareEntry>& catalogue();
};

template <class P>
ShareEntry share_policy(std::string name, std::string title, std::string paper) {
  return policies::describe<P, ShareEntry, ShareScheduler, ShareContext>(
      std::move(name), std::move(title), std::move(paper));
}

}  // namespace heddle::gpu
