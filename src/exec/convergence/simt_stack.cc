#include "exec/convergence/simt_stack.h"

namespace heddle::exec {

void SimtStack::run_first(int i) {
  top_->waits = 1;
  mixed_ = mixed_ || entry(i).call_depth != call_depth();
  std::rotate(bottom() + i, bottom() + i + 1, top_ + 1);
}

void SimtStack::merge_into_top(int i) {
  // The number of entries that wait for lanes of `one` and for none of `other`.
  const auto waiting = [this](std::uint32_t one, std::uint32_t other) {
    return std::count_if(bottom(), top_ + 1, [&](const Entry& e) {
      return (e.mask & one) != 0 && (e.mask & other) == 0;
    });
  };
  if (waiting(entry(i).mask, active()) > waiting(active(), entry(i).mask)) {
    std::rotate(bottom() + i, bottom() + i + 1, top_ + 1);
    i = depth() - 2;
  }
  const std::uint32_t theirs = entry(i).mask, ours = active();
  Entry* kept = bottom_;
  for (Entry* e = bottom(); e <= top_; ++e) {
    e->mask &= ~theirs;
    if ((e->mask & ours) != 0) e->mask |= theirs;
    if (e->mask != 0) *++kept = *e;
  }
  top_ = kept;
}

}  // namespace heddle::exec
