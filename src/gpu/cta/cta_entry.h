// The catalogue's entry of a CTA scheduler (policies/entry.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpu/cta/cta_policy.h"
#include "policies/plugin_file.h"

namespace heddle::gpu {

struct CtaEntry : policies::Entry<CtaScheduler, CtaContext> {
  static constexpr policies::Kind kind{"CTA scheduler", "CTA schedulers", policies::kCtaPluginAbi,
                                       "heddle_plugin_cta_schedulers"};
  static const std::vector<CtaEntry>& catalogue();
};

template <class P>
CtaEntry cta_scheduler(std::string name, std::string title, std::string paper,
                       policies::Presentation presentation = {}) {
  auto entry = policies::describe<P, CtaEntry, CtaScheduler, CtaContext>(
      std::move(name), std::move(title), std::move(paper));
  entry.presentation = std::move(presentation);
  return entry;
}

}  // namespace heddle::gpu
