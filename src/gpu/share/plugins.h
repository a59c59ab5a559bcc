// Share policies from shared objects (--plugin), in addition to those of the catalogue.
#pragma once

#include <string>
#include <vector>

#include "gpu/share/share_entry.h"

namespace heddle::gpu {

class SharePlugins {
 public:
  SharePlugins() = default;
  // Loads the files as sched::Plugins does. A plug-in without share policies adds none.
  explicit SharePlugins(const std::vector<std::string>& files);
  const std::vector<ShareEntry>& entries() const { return entries_; }

 private:
  std::vector<ShareEntry> entries_;
};

}  // namespace heddle::gpu
