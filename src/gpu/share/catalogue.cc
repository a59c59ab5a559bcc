#include "gpu/share/catalogue.h"

#include "base/diagnostics.h"
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

[[noreturn]] void refuse_unknown(const std::string& name) {
  std::vector<std::string> names;
  std::string all;
  for (const ShareEntry& entry : catalogue()) {
    names.push_back(entry.name);
    all += (all.empty() ? "" : ", ") + entry.name;
  }
  const std::string near = nearest_names(name, names);
  const std::string hint = near.empty() ? "" : "; did you mean " + near + "?";
  throw UserError("unknown share policy \"" + name + "\"" + hint + "\n  share policies: " + all);
}

}  // namespace

std::shared_ptr<const SharePolicy> parse_share_policy(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  for (const ShareEntry& entry : catalogue()) {
    if (entry.name != name) continue;
    if (colon == std::string::npos) return entry.parse("");
    if (colon + 1 == text.size())
      throw UserError("share policy " + name + ": expected parameter=value after the colon");
    return entry.parse(std::string_view(text).substr(colon + 1));
  }
  refuse_unknown(name);
}

std::vector<sched::PolicyInfo> list_share_policies() {
  std::vector<sched::PolicyInfo> infos;
  for (const ShareEntry& entry : catalogue()) infos.push_back(entry.info());
  return infos;
}

}  // namespace heddle::gpu
