#include "gpu/observe/timeline_recorder.h"

#include <algorithm>

namespace heddle::gpu {
namespace {

using stats::Timeline;
constexpr std::uint64_t kUnits = Timeline::kUnitsPerCycle;
std::size_t slot_index(WarpSlot w) { return static_cast<std::size_t>(w.index); }

}  // namespace

SmTimeline::SmTimeline(int sm, const config::GpuSpec& spec, TimeWindow window, Timeline& timeline,
                       std::uint32_t first_state_name, std::uint32_t first_unit_name,
                       std::uint32_t cta_name)
    : sm_(static_cast<std::uint32_t>(sm)),
      window_(window),
      states_(first_state_name),
      units_(first_unit_name),
      cta_name_(cta_name) {
  const std::uint32_t parent = timeline.add_track("SM " + std::to_string(sm));
  resident_.track = timeline.add_track("resident warps", parent, true);
  mshrs_.track = timeline.add_track("outstanding L1 misses", parent, true);
  miss_queue_.track = timeline.add_track("L1 miss queue", parent, true);
  for (std::uint32_t w = 0; w < spec.sm.max_warps(); ++w)
    cta_tracks_[w] = timeline.add_track("CTA at warp " + std::to_string(w), parent);
  for (std::uint32_t w = 0; w < spec.sm.max_warps(); ++w)
    warp_tracks_[w] = timeline.add_track("warp " + std::to_string(w), parent);
}

std::uint64_t SmTimeline::clipped(Cycle c) const {
  return std::clamp(c, window_.from, window_.to).value * kUnits;
}

void SmTimeline::cta_started(std::uint64_t cta, WarpMask warps, int kernel) {
  ctas_.push_back({cta, warps, kernel});
}

void SmTimeline::cta_finished(Cycle started, Cycle now, std::uint64_t cta, int kernel) {
  const auto ended = std::find_if(ctas_.begin(), ctas_.end(), [&](const Cta& c) {
    return c.number == cta && c.kernel == kernel;
  });
  if (ended == ctas_.end()) return;
  const std::uint64_t from = clipped(started), to = clipped(now);
  if (from < to) {
    record_.slice({.track = cta_tracks_[slot_index(ended->warps.lowest())],
                   .name = cta_name_,
                   .detail = static_cast<std::uint32_t>(cta) | kCtaBit,
                   .from = from,
                   .to = to});
    std::vector<std::uint32_t> slots;
    ended->warps.for_each(
        [&](WarpSlot w) { slots.push_back(static_cast<std::uint32_t>(w.index)); });
    record_.cta({sm_, places_[static_cast<std::size_t>(kernel)] - 1, cta, from, to, slots});
  }
  ended->warps.for_each([&](WarpSlot w) { enter(w, std::min(now, window_.to), {}); });
  ctas_.erase(ended);
}

void SmTimeline::issued(const sm::SmObserver::Issued& what) {
  if (what.now >= window_.to) return;
  // A warp may wait in the window for what it issued before.
  writers_.note(what.warp, what.pc, *what.instruction);
  if (!window_.holds(what.now)) return;
  if (issued_at_ != what.now) issued_now_ = {};
  issued_at_ = what.now;
  issued_now_.set(what.warp);
  issued_pc_[slot_index(what.warp)] = what.pc;
}

void SmTimeline::passed(const sm::SmObserver::Passed& p) {
  if (p.first + p.cycles <= window_.from || p.first >= window_.to) return;
  const Cycle now = std::max(p.first, window_.from);
  for (std::size_t w = 0; w < open_.size(); ++w) {
    const WarpSlot warp(static_cast<int>(w));
    const bool issues = issued_at_ == p.first && issued_now_.test(warp);
    const sm::KernelContext* const kernel = p.warps[warp].kernel;
    const std::uint32_t places = places_[kernel ? static_cast<std::size_t>(kernel->index) : 0];
    const Pc pc = issues ? issued_pc_[w] : p.warps[warp].next_pc;
    const WarpState state = issues ? WarpState::issue : state_of(warp, p);
    enter(warp, now,
          {.state = state,
           .detail = pc == kNoPc ? Timeline::kNone : places + pc,
           .cause = cause_of(warp, state, p.warps, places)});
  }
  mshrs_.note(record_, now.value * kUnits, p.l1d_mshrs);
  miss_queue_.note(record_, now.value * kUnits, p.l1d_miss_queue);
  resident_.note(record_, now.value * kUnits, static_cast<std::uint64_t>(p.warps.resident.count()));
}

namespace {

WarpState state_of_waiting(const sm::Warp& warp) {
  if (warp.at_barrier) return WarpState::barrier;
  if (warp.waits_for_copies) return WarpState::copies;
  return warp.at_device_call ? WarpState::device_call : WarpState::memory_barrier;
}

}  // namespace

WarpState SmTimeline::state_of(WarpSlot w, const sm::SmObserver::Passed& p) const {
  const sm::WarpTable& warps = p.warps;
  if (!warps.resident.test(w)) return WarpState::absent;
  if (!warps.live.test(w)) return WarpState::finishing;
  if (warps.waiting.test(w)) return state_of_waiting(warps[w]);
  if (!warps.valid.test(w)) return WarpState::instruction_buffer_empty;
  if (!warps.ready.test(w)) return WarpState::scoreboard;
  const auto unit = static_cast<std::size_t>(sm::index(warps.timing_of(w).unit));
  if (!p.latches[unit].has_room(w.index % p.schedulers)) return WarpState::pipeline;
  if (warps.paused.test(w)) return WarpState::cta_paused;
  return p.vetoed.test(w) ? WarpState::vetoed : WarpState::not_chosen;
}

std::uint32_t SmTimeline::cause_of(WarpSlot w, WarpState state, const sm::WarpTable& warps,
                                   std::uint32_t places) const {
  if (state == WarpState::pipeline)
    return units_ + static_cast<std::uint32_t>(sm::index(warps.timing_of(w).unit));
  if (state != WarpState::scoreboard) return Timeline::kNone;
  const Pc pc = writers_.pending(w, warps);
  return pc == kNoPc ? Timeline::kNone : places + pc;
}

void SmTimeline::enter(WarpSlot w, Cycle now, const Activity& entered) {
  Open& open = open_[slot_index(w)];
  const auto& [state, detail, cause] = open.what;
  const bool both_absent = state == WarpState::absent && entered.state == WarpState::absent;
  if (both_absent || (entered == open.what && state != WarpState::issue)) return;
  if (state != WarpState::absent && open.since < now)
    record_.slice({.track = warp_tracks_[slot_index(w)],
                   .name = states_ + static_cast<std::uint32_t>(state),
                   .detail = detail,
                   .cause = cause,
                   .from = open.since.value * kUnits,
                   .to = now.value * kUnits});
  open = {entered, now};
}

void SmTimeline::finish(Cycle now) {
  const Cycle end = std::min(now, window_.to);
  for (std::size_t w = 0; w < open_.size(); ++w) enter(WarpSlot(static_cast<int>(w)), end, {});
}

SliceTimeline::SliceTimeline(std::uint32_t slice, TimeWindow window, Timeline& timeline,
                             std::uint32_t parent)
    : window_(window) {
  waiting_.track = timeline.add_track("slice " + std::to_string(slice) + " waiting", parent, true);
  mshrs_.track =
      timeline.add_track("slice " + std::to_string(slice) + " outstanding misses", parent, true);
}

void SliceTimeline::queues(Cycle now, std::size_t waiting, std::uint32_t mshrs) {
  if (!window_.holds(now)) return;
  waiting_.note(record_, now.value * kUnits, waiting);
  mshrs_.note(record_, now.value * kUnits, mshrs);
}

NetworkTimeline::NetworkTimeline(const std::string& name, const std::string& input,
                                 std::uint32_t inputs, TimeWindow window, Timeline& timeline,
                                 std::uint32_t parent)
    : window_(window), waiting_(inputs) {
  const std::uint32_t own = timeline.add_track(name, parent);
  for (std::uint32_t i = 0; i < inputs; ++i)
    waiting_[i].track = timeline.add_track(input + " " + std::to_string(i) + " packets", own, true);
}

void NetworkTimeline::queue(std::uint32_t input, Cycle now, std::size_t packets) {
  if (window_.holds(now)) waiting_[input].note(record_, now.value * kUnits, packets);
}

ChannelTimeline::ChannelTimeline(std::uint32_t channel, const config::GpuSpec& spec,
                                 TimeWindow window, Timeline& timeline, std::uint32_t parent,
                                 std::uint32_t first_command_name)
    : window_(window),
      core_per_dram_(spec.clocks.core_mhz / spec.clocks.dram_mhz),
      commands_(first_command_name),
      last_(spec.memory.dram.banks, ~std::size_t{0}) {
  const std::uint32_t own = timeline.add_track("channel " + std::to_string(channel), parent);
  waiting_.track = timeline.add_track("queue", own, true);
  for (std::uint32_t b = 0; b < spec.memory.dram.banks; ++b)
    bank_tracks_.push_back(timeline.add_track("bank " + std::to_string(b), own));
}

std::uint64_t ChannelTimeline::units(std::uint64_t dram_cycle) const {
  return static_cast<std::uint64_t>(static_cast<double>(dram_cycle) * core_per_dram_ *
                                    static_cast<double>(kUnits));
}

void ChannelTimeline::command(std::uint32_t bank, mem::DramCommand command, std::uint32_t row,
                              std::uint64_t cycle, std::uint64_t ends) {
  const std::uint64_t from = units(cycle);
  if (!window_.holds(Cycle{from / kUnits})) return;
  if (std::size_t& last = last_[bank]; last < record_.slices.size())
    record_.slices[last].to = std::min(record_.slices[last].to, from);
  last_[bank] = record_.slices.size();
  record_.slice({.track = bank_tracks_[bank],
                 .name = commands_ + static_cast<std::uint32_t>(command),
                 .detail = row,
                 .from = from,
                 .to = std::max(units(ends), from + 1)});
}

void ChannelTimeline::queue(std::uint64_t cycle, std::uint32_t waiting) {
  const std::uint64_t at = units(cycle);
  if (window_.holds(Cycle{at / kUnits})) waiting_.note(record_, at, waiting);
}

}  // namespace heddle::gpu
