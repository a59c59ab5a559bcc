#include "gpu/cta/catalogue.h"

#include "base/diagnostics.h"
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

template <class Use>
void for_each_entry(const CtaPlugins& plugins, Use use) {
  for (const CtaEntry& entry : catalogue()) use(entry);
  for (const CtaEntry& entry : plugins.entries()) use(entry);
}

[[noreturn]] void refuse_unknown(const std::string& name, const CtaPlugins& plugins) {
  std::vector<std::string> names;
  std::string all;
  for_each_entry(plugins, [&](const CtaEntry& entry) {
    names.push_back(entry.name);
    all += (all.empty() ? "" : ", ") + entry.name;
  });
  const std::string near = nearest_names(name, names);
  const std::string hint = near.empty() ? "" : "; did you mean " + near + "?";
  throw UserError("unknown CTA scheduler \"" + name + "\"" + hint + "\n  CTA schedulers: " + all);
}

}  // namespace

std::shared_ptr<const CtaPolicy> parse_cta_policy(const std::string& text) {
  return parse_cta_policy(text, {});
}
std::vector<sched::PolicyInfo> list_cta_policies() { return list_cta_policies({}); }

std::shared_ptr<const CtaPolicy> parse_cta_policy(const std::string& text,
                                                  const CtaPlugins& plugins) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const CtaEntry* found = nullptr;
  for_each_entry(plugins, [&](const CtaEntry& entry) {
    if (entry.name == name) found = &entry;
  });
  if (!found) refuse_unknown(name, plugins);
  if (colon == std::string::npos) return found->parse("");
  if (colon + 1 == text.size())
    throw UserError("CTA scheduler " + name + ": expected parameter=value after the colon");
  return found->parse(std::string_view(text).substr(colon + 1));
}

std::vector<sched::PolicyInfo> list_cta_policies(const CtaPlugins& plugins) {
  std::vector<sched::PolicyInfo> infos;
  for_each_entry(plugins, [&](const CtaEntry& entry) { infos.push_back(entry.info()); });
  return infos;
}

}  // namespace heddle::gpu
