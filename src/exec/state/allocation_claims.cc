#include "exec/state/allocation_claims.h"

#include <utility>

namespace heddle::exec {

bool AllocationClaims::read_ahead(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  read_.insert(allocation.base.value);
  if (written_.contains(allocation.base.value)) conflict_ = true;
  return !conflict_;
}

bool AllocationClaims::write(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  written_.insert(allocation.base.value);
  if (read_.contains(allocation.base.value)) conflict_ = true;
  return !conflict_;
}

void ThreadClaims::claim(const Allocation& allocation, bool writes) {
  const std::uint64_t base = allocation.base.value;
  if (std::exchange(last_[writes], base) == base) return;
  if (!stores_) {
    if (writes) claims_.write(allocation);
    return;
  }
  // Other allocations may show the same memory.
  if (allocation.mapped || allocation.adopted) throw CannotRunAhead{};
  if (!(writes ? claims_.write(allocation) : claims_.read_ahead(allocation)))
    throw CannotRunAhead{};
}

}  // namespace heddle::exec
