#include "gpu/share/catalogue.h"

#include "gpu/share/share_entry.h"

namespace heddle::gpu {

// Each share policy is one file that defines one of these functions.
ShareEntry even();
ShareEntry leftover();
ShareEntry smk();
ShareEntry spatial();
ShareEntry warped_slicer();

namespace {

const std::vector<ShareEntry>& catalogue() {
  static const std::vector<ShareEntry> entries = {leftover(), spatial(), even(), smk(),
                                                  warped_slicer()};
  return entries;
}

}  // namespace

std::shared_ptr<const SharePolicy> parse_share_policy(const std::string& text) {
  return parse_policy(kSharePolicyKind, "share policies", catalogue(), text);
}
std::vector<sched::PolicyInfo> list_share_policies() { return list_policies(catalogue()); }

}  // namespace heddle::gpu
