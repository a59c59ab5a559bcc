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

// The entries of the catalogue, then those of plug-ins.
std::vector<ShareEntry> all_entries(const SharePlugins& plugins) {
  std::vector<ShareEntry> all = catalogue();
  all.insert(all.end(), plugins.entries().begin(), plugins.entries().end());
  return all;
}

}  // namespace

std::shared_ptr<const SharePolicy> parse_share_policy(const std::string& text) {
  return parse_share_policy(text, {});
}
std::vector<sched::PolicyInfo> list_share_policies() { return list_share_policies({}); }

std::shared_ptr<const SharePolicy> parse_share_policy(const std::string& text,
                                                      const SharePlugins& plugins) {
  return parse_policy(kSharePolicyKind, "share policies", all_entries(plugins), text);
}
std::vector<sched::PolicyInfo> list_share_policies(const SharePlugins& plugins) {
  return list_policies(all_entries(plugins));
}

}  // namespace heddle::gpu
