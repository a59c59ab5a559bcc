#include "gpu/share/catalogue.h"

namespace heddle::gpu {

// Each share policy is one file that defines one of these functions.
ShareEntry even();
ShareEntry exclusive();
ShareEntry leftover();
ShareEntry smk();
ShareEntry spatial();
ShareEntry warped_slicer();

const std::vector<ShareEntry>& ShareEntry::catalogue() {
  static const std::vector<ShareEntry> entries = {leftover(), exclusive(), spatial(),
                                                  even(),     smk(),       warped_slicer()};
  return entries;
}

}  // namespace heddle::gpu
