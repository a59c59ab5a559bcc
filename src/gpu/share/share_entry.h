// The catalogue's entry of a share policy (gpu/gpu_policy.h).
#pragma once

#include <string>
#include <utility>

#include "gpu/share/share_policy.h"

namespace heddle::gpu {

// What messages call it.
inline constexpr const char* kSharePolicyKind = "share policy";

using ShareEntry = GpuPolicyEntry<ShareScheduler, ShareContext>;

template <class P>
ShareEntry share_policy(std::string name, std::string title, std::string paper) {
  return describe_policy<P, ShareScheduler, ShareContext>(kSharePolicyKind, std::move(name),
                                                          std::move(title), std::move(paper));
}

}  // namespace heddle::gpu
