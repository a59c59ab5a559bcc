#include "sm/lsu/l1_front_end.h"

#include "sm/lsu/direct_l1.h"
#include "sm/lsu/queued_l1.h"
#include "sm/lsu/reexecuting_l1.h"

namespace heddle::sm {

std::unique_ptr<L1FrontEnd> make_l1_front_end(const config::SmSpec& spec, L1Lookup& l1,
                                              LsuContext& context,
                                              std::uint32_t reexecution_entries) {
  const bool direct = spec.l1d_access == config::L1AccessPath::direct;
  if (reexecution_entries == 0) {
    if (direct) return std::make_unique<DirectL1>(l1, context);
    return std::make_unique<QueuedL1>(spec, l1, context);
  }
  if (direct) return std::make_unique<ReexecutingDirectL1>(l1, context, reexecution_entries);
  return std::make_unique<ReexecutingQueuedL1>(spec, l1, context, reexecution_entries);
}

}  // namespace heddle::sm
