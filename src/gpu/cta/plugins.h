// CTA schedulers from shared objects (--plugin), in addition to those of the catalogue.
#pragma once

#include <string>
#include <vector>

#include "gpu/cta/cta_entry.h"

namespace heddle::gpu {

class CtaPlugins {
 public:
  CtaPlugins() = default;
  // Loads the files as sched::Plugins does. A plug-in without CTA schedulers adds none.
  explicit CtaPlugins(const std::vector<std::string>& files);
  const std::vector<CtaEntry>& entries() const { return entries_; }

 private:
  std::vector<CtaEntry> entries_;
};

}  // namespace heddle::gpu
