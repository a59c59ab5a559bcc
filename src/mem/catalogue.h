// The catalogues of memory policies: replacement policies of caches, and DRAM schedulers. The
// parameters of a GPU name them: sm.l1d.replacement = "srrip:bits=3".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/gpu_spec.h"
#include "mem/dram/dram_scheduler.h"
#include "mem/replacement/replacement_policy.h"
#include "policies/catalogue.h"
#include "policies/entry.h"

namespace heddle::mem {

struct ReplacementEntry : policies::Entry<ReplacementPolicy, config::CacheSpec> {
  static constexpr policies::Kind kind{"replacement policy", "replacement policies", nullptr,
                                       nullptr};
  static const std::vector<ReplacementEntry>& catalogue();
};
struct DramSchedulerEntry : policies::Entry<DramScheduler, config::DramSpec> {
  static constexpr policies::Kind kind{"DRAM scheduler", "DRAM schedulers", nullptr, nullptr};
  static const std::vector<DramSchedulerEntry>& catalogue();
};

template <class P>
ReplacementEntry replacement_policy(std::string name, std::string title, std::string paper) {
  return policies::describe<P, ReplacementEntry, ReplacementPolicy, config::CacheSpec>(
      std::move(name), std::move(title), std::move(paper));
}
template <class P>
DramSchedulerEntry dram_scheduler(std::string name, std::string title, std::string paper) {
  return policies::describe<P, DramSchedulerEntry, DramScheduler, config::DramSpec>(
      std::move(name), std::move(title), std::move(paper));
}

// Replaces the text of every memory policy of the GPU by its canonical text. UserError with the
// parameter's name when one is not valid.
void resolve_policies(config::GpuSpec& gpu);

}  // namespace heddle::mem
