// A parsed text of --share, and the context in which it builds its scheduler.
#pragma once

#include "config/gpu_spec.h"
#include "gpu/share/share_scheduler.h"
#include "policies/entry.h"

namespace heddle::gpu {

inline constexpr const char* kDefaultSharePolicy = "leftover";

struct ShareContext {
  int sms = 1;
  config::SmSpec sm;  // the resources of one SM
};

using SharePolicy = policies::Policy<ShareScheduler, ShareContext>;

}  // namespace heddle::gpu
