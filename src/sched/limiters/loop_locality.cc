#include "sched/limiters/loop_locality.h"

#include <algorithm>
#include <utility>

namespace heddle::sched {

LoopLocality::LoopLocality(std::uint32_t line_bytes, const LearningOptions& options,
                           std::shared_ptr<LearntLoops> learnt)
    : line_bytes_(line_bytes),
      options_(options),
      table_(options.load_entries),
      victims_(options.vta_entries, 8, line_bytes),
      learnt_(std::move(learnt)) {}

void LoopLocality::begin_kernel(const isa::Kernel* kernel) {
  if (kernel_ && options_.keeps)
    learnt_->kernels.insert_or_assign(name_, LearntLoops::Kernel{table_, samples_});
  ++version_;
  kernel_ = kernel;
  name_ = kernel->name + '/' + std::to_string(kernel->instructions.size());
  table_.clear();
  samples_.clear();
  if (const auto known = learnt_->kernels.find(name_); known != learnt_->kernels.end()) {
    table_ = known->second.table;
    samples_ = known->second.samples;
    for (Sample& s : samples_) {
      s.warp = WarpSlot::none;
      s.inside = WarpMask{};
    }
  }
  for (auto& loads : outstanding_) loads.clear();
  repetitions_.fill({});
}

LoopLocality::Sample* LoopLocality::sample_of(Pc loop) {
  const auto at = std::find_if(samples_.begin(), samples_.end(),
                               [loop](const Sample& s) { return s.loop == loop; });
  return at == samples_.end() ? nullptr : &*at;
}

std::int32_t LoopLocality::locality(Pc loop) const {
  const Sample* s = sample_of(loop);
  return s ? s->locality : 0;
}

std::uint32_t LoopLocality::predict(Pc loop, int lanes) const {
  return locality(loop) > 0 ? table_.predict(loop, lanes) : 0;
}

void LoopLocality::begin_loop(WarpSlot warp, Pc loop, int lanes) {
  Sample* s = sample_of(loop);
  if (!s) {
    samples_.push_back({loop, WarpSlot::none});
    s = &samples_.back();
  }
  const bool enters = !s->inside.test(warp);
  s->inside.set(warp);
  if (!s->warp && (enters || options_.sampling == SamplingFrom::any_trip)) {
    const std::uint32_t needed =
        s->sampled ? options_.next_sampling_lanes : options_.sampling_lanes;
    if (lanes >= static_cast<int>(needed)) {
      s->warp = warp;
      s->sampled = true;
    }
  }
  if (s->warp != warp) return;
  for (Repetition& r : repetitions_)
    if (r.warp == warp) r = {};
}

void LoopLocality::end_loop(WarpSlot warp, Pc loop) {
  Sample* s = sample_of(loop);
  if (!s) return;
  s->inside.reset(warp);
  if (s->warp == warp) s->warp = WarpSlot::none;
}

void LoopLocality::end_warp(WarpSlot warp) {
  for (Sample& s : samples_) {
    s.inside.reset(warp);
    if (s.warp == warp) s.warp = WarpSlot::none;
  }
  outstanding_[static_cast<std::size_t>(warp.index)].clear();
  victims_.clear(warp);
}

void LoopLocality::coalesced(const sm::Coalesced& event) {
  if (!event.load || !event.cached || !kernel_) return;
  const std::uint16_t loop = kernel_->instructions[event.pc].loop;
  if (loop == isa::Loop::kNone) return;
  const Pc header = kernel_->loops[loop].header;
  if (const Sample* s = sample_of(header); s && s->warp == event.warp)
    outstanding_[static_cast<std::size_t>(event.warp.index)].push_back(
        {event.pc, header, event.accesses, event.lanes, event.accesses, 0, {}});
}

void LoopLocality::accessed(const sm::L1Access& event) {
  if (event.outcome == sm::L1Outcome::reservation_fail) return;
  if (!event.load) {
    if (!event.local) victims_.invalidate(event.line);
    return;
  }
  auto& loads = outstanding_[static_cast<std::size_t>(event.warp.index)];
  const auto at = std::find_if(loads.begin(), loads.end(), [&](const Load& l) {
    return l.pc == event.pc;
  });  // accesses of different banks may overtake each other
  if (at == loads.end()) return;
  Load& load = *at;
  load.own += (event.outcome == sm::L1Outcome::hit && event.owner == event.warp) ||
              (event.outcome == sm::L1Outcome::miss && victims_.contains(event.warp, event.line));
  load.lines.push_back(event.line);
  if (--load.left > 0) return;
  learn(event.warp, load);
  loads.erase(at);
}

void LoopLocality::learn(WarpSlot warp, Load& load) {
  ++version_;
  Sample* s = sample_of(load.loop);
  s->locality += options_.evidence == LocalityEvidence::accesses ? 2 * load.own - load.accesses
                 : load.own > 0                                  ? 1
                                                                 : -1;
  if (s->locality <= 0) return;
  LoadClass* known = table_.find(load.pc);
  if (!known) known = table_.insert({load.pc, load.loop, false, next_group_++, 0});
  if (!known) return;
  std::sort(load.lines.begin(), load.lines.end());
  load.lines.erase(std::unique(load.lines.begin(), load.lines.end()), load.lines.end());
  const std::size_t requests = options_.divergence == DivergenceOf::lines
                                   ? load.lines.size()
                                   : static_cast<std::size_t>(load.accesses);
  if (load.lanes > 2) known->divergence += requests > 2 ? 1 : -1;
  table_.set_diverged(*known, known->divergence > 1);
  for (const LineAddress line : load.lines) group_with_earlier_load(warp, load.pc, line);
}

// Two loads of a loop that touch the same line in one iteration are put into one group.
void LoopLocality::group_with_earlier_load(WarpSlot warp, Pc pc, LineAddress line) {
  Repetition* const set =
      repetitions_.data() + line.value / line_bytes_ % kRepetitionSets * kRepetitionWays;
  Repetition* const end = set + kRepetitionWays;
  Repetition* const at =
      std::find_if(set, end, [&](const Repetition& r) { return r.warp == warp && r.line == line; });
  if (at == end) {
    *std::min_element(set, end, [](const Repetition& a, const Repetition& b) {
      return a.used < b.used;
    }) = {line, pc, warp, ++time_};
    return;
  }
  at->used = ++time_;
  if (at->pc == pc) return;
  const LoadClass* const a = table_.find(pc);
  const LoadClass* const b = table_.find(at->pc);
  if (a && b) table_.merge_groups(a->group, b->group);
}

}  // namespace heddle::sched
