#include "gpu/cta/catalogue.h"

#include "gpu/cta/cta_entry.h"
#include "gpu/cta/plugins.h"

namespace heddle::gpu {

// Each CTA scheduler is one file that defines one of these functions.
CtaEntry bcs();
CtaEntry clustered();
CtaEntry dyncta();
CtaEntry equalizer();
CtaEntry lcs();
CtaEntry mapped();
CtaEntry paver();
CtaEntry rr();

namespace {

const std::vector<CtaEntry>& catalogue() {
  static const std::vector<CtaEntry> entries = {
      rr(), mapped(), lcs(), bcs(), dyncta(), equalizer(), clustered(), paver(),
  };
  return entries;
}

// The entries of the catalogue, then those of plug-ins.
std::vector<CtaEntry> all_entries(const CtaPlugins& plugins) {
  std::vector<CtaEntry> all = catalogue();
  all.insert(all.end(), plugins.entries().begin(), plugins.entries().end());
  return all;
}

}  // namespace

std::shared_ptr<const CtaPolicy> parse_cta_policy(const std::string& text) {
  return parse_cta_policy(text, {});
}
std::vector<sched::PolicyInfo> list_cta_policies() { return list_cta_policies({}); }

std::shared_ptr<const CtaPolicy> parse_cta_policy(const std::string& text,
                                                  const CtaPlugins& plugins) {
  return parse_policy(kCtaSchedulerKind, "CTA schedulers", all_entries(plugins), text);
}
std::vector<sched::PolicyInfo> list_cta_policies(const CtaPlugins& plugins) {
  return list_policies(all_entries(plugins));
}

}  // namespace heddle::gpu
