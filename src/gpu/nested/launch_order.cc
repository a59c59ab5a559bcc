#include "gpu/nested/launch_order.h"

#include <utility>

#include "base/diagnostics.h"

namespace heddle::gpu {

namespace {
constexpr int kGroup = -1;  // depth of groups: their work has that of launches by the host
}  // namespace

void LaunchOrder::begin_root(Grid grid) { grids_[grid].by_host = true; }

void LaunchOrder::begin_root_group(Grid group) {
  grids_[group].by_host = true;
  grids_[group].depth = kGroup;
}

void LaunchOrder::begin_root_in(Grid group, Grid grid) {
  begin(add({group, 0, {Stream::Kind::alone, 0}, Effect::begun, 0}), grid);
  grids_.at(grid).by_host = true;
}

void LaunchOrder::begin_group_in(Grid outer, Grid group) {
  begin_group(add({outer, 0, {Stream::Kind::alone, 0}, Effect::begun, 0}), group);
}

void LaunchOrder::begin_group(Work launch, Grid group) {
  begin(launch, group);
  grids_.at(group).depth = kGroup;
}

std::optional<LaunchOrder::Grid> LaunchOrder::group_of(Grid grid) const {
  const Work work = grids_.at(grid).launched_by;
  if (work == 0) return std::nullopt;
  const Grid parent = items_.at(work).parent;
  return grids_.at(parent).depth == kGroup ? std::optional(parent) : std::nullopt;
}

LaunchOrder::Grid LaunchOrder::outer_group(Grid group) const {
  const Item* item = &items_.at(grids_.at(group).launched_by);
  while (item->stream.kind == Stream::Kind::tail)
    item = &items_.at(grids_.at(item->parent).launched_by);
  return item->parent;
}

LaunchOrder::Work LaunchOrder::add(const Item& item) {
  const Work work = ++last_;
  State& grid = grids_.at(item.parent);
  Item& added = items_.emplace(work, item).first->second;
  if (added.stream.kind == Stream::Kind::tail) {
    grid.tail.push_back(work);
    return work;
  }
  if (added.stream.kind == Stream::Kind::alone) added.stream.number = work;
  ++grid.open;
  ++grid.open_by_cta[added.cta];
  auto& stream = grid.streams[added.stream];
  stream.push_back(work);
  if (stream.size() == 1) reach_head(grid, added.stream);
  finish_all();
  return work;
}

LaunchOrder::Work LaunchOrder::add(Grid parent, std::uint64_t cta, Stream stream) {
  return add({parent, cta, stream, Effect::run, 0});
}
LaunchOrder::Work LaunchOrder::add_record(Grid parent, std::uint64_t cta, Stream stream) {
  return add({parent, cta, stream, Effect::record, 0});
}
void LaunchOrder::add_wait(Grid parent, std::uint64_t cta, Stream stream, Work for_work) {
  add({parent, cta, stream, Effect::wait, for_work});
}

void LaunchOrder::reach_head(State& grid, Stream stream) {
  const Work head = grid.streams.at(stream).front();
  const Item& item = items_.at(head);
  if (item.effect == Effect::run)
    ready_.push_back(head);
  else if (item.effect == Effect::wait && items_.contains(item.awaited))
    waiting_[item.awaited].push_back(head);
  else if (item.effect != Effect::begun)
    finishing_.push_back(head);
}

std::vector<LaunchOrder::Work> LaunchOrder::take_ready() { return std::exchange(ready_, {}); }
std::vector<LaunchOrder::Grid> LaunchOrder::take_complete() { return std::exchange(complete_, {}); }
std::vector<LaunchOrder::Grid> LaunchOrder::take_ended_groups() {
  return std::exchange(ended_groups_, {});
}

void LaunchOrder::begin(Work launch, Grid grid) {
  State& state = grids_.emplace(grid, State{}).first->second;
  state.launched_by = launch;
  state.depth = grids_.at(items_.at(launch).parent).depth + 1;
}

void LaunchOrder::finish(Work copy) {
  finishing_.push_back(copy);
  finish_all();
}

void LaunchOrder::ctas_ended(Grid grid) {
  grids_.at(grid).ctas_ended = true;
  end_if_complete(grid);
  finish_all();
}

// Not recursive: streams may be long.
void LaunchOrder::finish_all() {
  if (std::exchange(finishes_, true)) return;
  for (; !finishing_.empty(); finishing_.pop_front()) finish_one(finishing_.front());
  finishes_ = false;
}

void LaunchOrder::finish_one(Work work) {
  const Item item = items_.at(work);
  items_.erase(work);
  State& grid = grids_.at(item.parent);
  if (item.stream.kind == Stream::Kind::tail) {
    check_invariant(grid.tail.front() == work, "a tail launch overtook another one");
    grid.tail.pop_front();
    grid.tail_runs = false;
  } else {
    auto& stream = grid.streams.at(item.stream);
    check_invariant(stream.front() == work, "work of a stream overtook earlier work");
    stream.pop_front();
    --grid.open;
    if (--grid.open_by_cta.at(item.cta) == 0) grid.open_by_cta.erase(item.cta);
    if (stream.empty())
      grid.streams.erase(item.stream);
    else
      reach_head(grid, item.stream);
  }
  if (const auto waiters = waiting_.find(work); waiters != waiting_.end()) {
    finishing_.insert(finishing_.end(), waiters->second.begin(), waiters->second.end());
    waiting_.erase(waiters);
  }
  end_if_complete(item.parent);
}

void LaunchOrder::end_if_complete(Grid number) {
  State& grid = grids_.at(number);
  if (!grid.ctas_ended || grid.open > 0 || grid.tail_runs) return;
  if (!std::exchange(grid.settled, true) && grid.depth == kGroup) ended_groups_.push_back(number);
  if (!grid.tail.empty()) {
    grid.tail_runs = true;
    ready_.push_back(grid.tail.front());
    return;
  }
  if (grid.launched_by) finishing_.push_back(grid.launched_by);
  if (grid.by_host) complete_.push_back(number);
  grids_.erase(number);
}

bool LaunchOrder::is_idle(Grid grid, std::uint64_t cta) const {
  return !grids_.at(grid).open_by_cta.contains(cta);
}

bool LaunchOrder::descends(Work work, Grid grid, std::uint64_t cta) const {
  while (work) {
    const Item& item = items_.at(work);
    if (item.parent == grid) return item.cta == cta && item.stream.kind != Stream::Kind::tail;
    work = grids_.at(item.parent).launched_by;
  }
  return false;
}

}  // namespace heddle::gpu
