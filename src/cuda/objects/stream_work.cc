#include "cuda/objects/stream_work.h"

#include <algorithm>

namespace heddle::cuda {

// What an operation issued at `place` waits for.
std::vector<StreamWork::Id> StreamWork::before(const Place& place) const {
  std::vector<Id> found;
  const std::uintptr_t own = normalized(place.stream);
  for (const auto& [stream, tail] : tails_) {
    const bool across_default = (own == 0 && tail.blocking) || (stream == 0 && place.blocking);
    if (stream == own || across_default) found.push_back(tail.last);
  }
  return found;
}

StreamWork::Id StreamWork::insert(const Place& place, Operation operation, std::vector<Id> after) {
  const Id id = ++last_id_;
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  Item item{std::move(operation), place, 0, {}};
  for (const Id other : after) {
    const auto found = items_.find(other);
    if (found == items_.end()) continue;
    found->second.dependents.push_back(id);
    ++item.waits_for;
  }
  if (item.operation.launch && place.queue != kNoQueue) unstarted_kernels_[place.queue].insert(id);
  if (item.waits_for == 0) ready_.insert({place.priority, id});
  items_.emplace(id, std::move(item));
  return id;
}

StreamWork::Id StreamWork::add(const Place& place, Operation operation,
                               const std::vector<Id>& after) {
  std::vector<Id> all = before(place);
  all.insert(all.end(), after.begin(), after.end());
  const Id id = insert(place, std::move(operation), std::move(all));
  tails_[normalized(place.stream)] = {id, place.blocking};
  return id;
}

StreamWork::Id StreamWork::add_beside(const Place& place, Operation operation,
                                      const std::vector<Id>& after) {
  std::vector<Id> all = before(place);
  all.insert(all.end(), after.begin(), after.end());
  return insert(place, std::move(operation), std::move(all));
}

// A kernel whose hardware queue holds an earlier kernel that has not started.
bool StreamWork::starts_out_of_turn(const Item& item, Id id) const {
  return item.place.queue != kNoQueue && *unstarted_kernels_.at(item.place.queue).begin() != id;
}

StreamWork::Id StreamWork::start_next(bool kernel_may_start) {
  for (auto next = ready_.begin(); next != ready_.end(); ++next) {
    const Id id = next->second;
    const Item& item = items_.at(id);
    if (item.operation.launch) {
      if (!kernel_may_start || starts_out_of_turn(item, id)) continue;
      if (item.place.queue != kNoQueue) unstarted_kernels_[item.place.queue].erase(id);
    }
    ready_.erase(next);
    return id;
  }
  return 0;
}

void StreamWork::finish(Id id) {
  const auto done = items_.find(id);
  const std::vector<Id> dependents = std::move(done->second.dependents);
  items_.erase(done);
  for (const Id dependent : dependents) {
    Item& waiting = items_.at(dependent);
    if (--waiting.waits_for == 0) ready_.insert({waiting.place.priority, dependent});
  }
  if (items_.empty()) tails_.clear();
}

StreamWork::Id StreamWork::last_of(std::uintptr_t stream) const {
  const auto tail = tails_.find(normalized(stream));
  return tail == tails_.end() || finished(tail->second.last) ? 0 : tail->second.last;
}

StreamWork::Id StreamWork::wait_target(const Place& place) {
  if (empty()) return 0;
  return normalized(place.stream) == 0 ? add(place, {}) : last_of(place.stream);
}

void StreamWork::drop_all() {
  items_.clear();
  ready_.clear();
  unstarted_kernels_.clear();
  tails_.clear();
}

}  // namespace heddle::cuda
