// A parsed text of --share, and the context in which it builds its scheduler.
#pragma once

#include <memory>
#include <string>

#include "config/gpu_spec.h"
#include "gpu/share/share_scheduler.h"

namespace heddle::gpu {

inline constexpr const char* kDefaultSharePolicy = "leftover";

struct ShareContext {
  int sms = 1;
  config::SmSpec sm;  // the resources of one SM
};

// Immutable. build() makes one object per GPU.
class SharePolicy {
 public:
  virtual ~SharePolicy() = default;
  // Canonical: only the parameters that differ from their defaults, in declared order.
  virtual const std::string& text() const = 0;
  virtual std::unique_ptr<ShareScheduler> build(const ShareContext& context) const = 0;
};

}  // namespace heddle::gpu
