#include "gpu/cta/running_ctas.h"

#include <algorithm>

namespace heddle::gpu {

void RunningCtas::begin_kernel(const KernelStart& start, int target) {
  most_ = start.ctas_per_sm;
  control_ = start.control;
  target_.assign(static_cast<std::size_t>(start.sms), std::clamp(target, 1, most_));
  paused_.assign(static_cast<std::size_t>(start.sms), {});
  round_robin_.begin_kernel(start, most_);
}

void RunningCtas::dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                           std::vector<Placement>& placements) {
  for (std::size_t sm = 0; sm < target_.size(); ++sm)
    round_robin_.set_limit(static_cast<int>(sm), paused_[sm].empty() ? target_[sm] : 0);
  round_robin_.dispatch(from, to, free_slots, placements);
}

void RunningCtas::on_finished(const FinishedCta& cta) {
  const auto sm = static_cast<std::size_t>(cta.sm);
  round_robin_.on_finished(cta);
  auto& paused = paused_[sm];
  std::erase_if(paused, [&](const Paused& p) { return p.cta == cta.cta; });
  const int running = round_robin_.resident(cta.sm) - static_cast<int>(paused.size());
  if (paused.empty() || running >= target_[sm] || !control_) return;
  control_->resume(cta.sm, paused.front().cta);
  paused.erase(paused.begin());
  ++statistics_.resumed;
}

RunningCtas::Lists RunningCtas::lists_of(std::size_t sm, const SmEpoch& epoch) const {
  Lists lists;
  for (const SmEpoch::Cta& cta : epoch.resident) {
    if (!cta.paused) {
      lists.running.push_back(cta.cta);
      continue;
    }
    const auto known = std::find_if(paused_[sm].begin(), paused_[sm].end(),
                                    [&](const Paused& p) { return p.cta == cta.cta; });
    lists.paused.push_back({cta.cta, known == paused_[sm].end() ? 1 : known->epochs + 1});
  }
  return lists;
}

void RunningCtas::pause_youngest(int sm, Lists& lists, CtaControl& control) {
  control.pause(sm, lists.running.back());
  lists.paused.push_back({lists.running.back(), 0});
  lists.running.pop_back();
  ++statistics_.paused;
}

void RunningCtas::resume(int sm, std::size_t index, Lists& lists, CtaControl& control) {
  control.resume(sm, lists.paused[index].cta);
  lists.running.push_back(lists.paused[index].cta);
  lists.paused.erase(lists.paused.begin() + static_cast<std::ptrdiff_t>(index));
  ++statistics_.resumed;
}

void RunningCtas::change(int sm, int change, const SmEpoch& epoch, CtaControl& control) {
  const auto place = static_cast<std::size_t>(sm);
  int& target = target_[place];
  const int before = target;
  target = std::clamp(target + change, 1, most_);
  statistics_.raised += target > before;
  statistics_.lowered += target < before;
  ++statistics_.epochs;
  statistics_.target_ctas += static_cast<std::uint64_t>(target);

  Lists lists = lists_of(place, epoch);
  const auto running = [&] { return static_cast<int>(lists.running.size()); };
  while (running() > target) pause_youngest(sm, lists, control);
  while (running() < target && !lists.paused.empty()) resume(sm, 0, lists, control);
  const auto longest =
      std::max_element(lists.paused.begin(), lists.paused.end(),
                       [](const Paused& a, const Paused& b) { return a.epochs < b.epochs; });
  if (longest != lists.paused.end() && longest->epochs >= kLongestPause) {
    const auto index = static_cast<std::size_t>(longest - lists.paused.begin());
    pause_youngest(sm, lists, control);
    resume(sm, index, lists, control);
    ++statistics_.exchanged;
  }
  paused_[place].clear();
  for (const SmEpoch::Cta& cta : epoch.resident)  // by age
    for (const Paused& paused : lists.paused)
      if (paused.cta == cta.cta) paused_[place].push_back(paused);
}

}  // namespace heddle::gpu
