#include <algorithm>
#include <cstdio>

#include "sm/sm_impl.h"

namespace heddle::sm {

void Sm::Impl::begin_kernel(const exec::Launch& launch, exec::InstructionSource& from,
                            int ctas_per_sm, Cycle now,
                            std::span<const InstructionTiming> known_timing) {
  check_invariant(drained(), "an SM is empty when a kernel begins");
  source = &from;
  kernel = launch.kernel;
  if (known_timing.empty()) own_timing = timing_of(*kernel, spec.sm);
  timing = known_timing.empty() ? own_timing : known_timing;
  warps.kernel = kernel;
  warps.timing = timing.data();
  warps.scoreboard.resize(kernel->architectural_registers);
  warps_per_cta = static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  check_invariant(ctas_per_sm > 0 && ctas_per_sm * warps_per_cta <= kMaxWarpsPerSm,
                  "the CTAs of an SM fit its warp slots");
  ctas.assign(static_cast<std::size_t>(ctas_per_sm), Cta{});
  const auto threads = static_cast<std::uint32_t>(warps_per_cta * kWarpSize);
  const std::uint64_t device_threads =
      std::uint64_t{threads} * static_cast<std::uint32_t>(ctas_per_sm) * spec.sms();
  memory.set_layout({device_threads, static_cast<std::uint32_t>(id), spec.sms(), threads});
  divide_unified_memory((std::uint64_t{kernel->shared_bytes} + launch.dynamic_shared_bytes) *
                        static_cast<std::uint64_t>(ctas_per_sm));
  front.begin_kernel(*kernel);
  schedulers.notify_all(Event::kernel, [&](WarpScheduler& s) {
    s.on_kernel({KernelEvent::What::start, kernel, now, launch.grid});
  });
  schedulers.ask_again();
}

// Shared memory takes the smallest size that holds the CTAs, the L1 data cache the rest.
void Sm::Impl::divide_unified_memory(std::uint64_t shared_bytes) {
  if (spec.sm.unified_bytes == 0 || !lsu.l1d()) return;
  const auto& sizes = spec.sm.shared_sizes;
  const auto fit = std::lower_bound(sizes.begin(), sizes.end(), shared_bytes);
  check_invariant(fit != sizes.end(),
                  "the shared memory of an SM's CTAs is one of the sizes that it can have");
  const std::uint64_t way_bytes = std::uint64_t{spec.sm.l1d.sets()} * spec.sm.l1d.line_bytes;
  lsu.set_l1d_ways(static_cast<std::uint32_t>((spec.sm.unified_bytes - *fit) / way_bytes));
}

void Sm::Impl::start_cta(std::uint64_t linear, Cycle now) {
  const auto place =
      std::find_if(ctas.begin(), ctas.end(), [](const Cta& c) { return !c.resident; });
  check_invariant(place != ctas.end(), "a CTA starts where it has room");
  const int slot = static_cast<int>(place - ctas.begin());
  *place = {linear, now, warps_per_cta, true};
  ++resident_ctas;
  ++stats.ctas_started;
  std::array<WarpSlot, kMaxWarpsPerSm> members;
  WarpMask mask;
  for (int i = 0; i < warps_per_cta; ++i) {
    members[static_cast<std::size_t>(i)] = WarpSlot(slot * warps_per_cta + i);
    mask.set(members[static_cast<std::size_t>(i)]);
  }
  source->start_cta(slot, linear,
                    std::span(members.data(), static_cast<std::size_t>(warps_per_cta)));
  barriers.start_cta(slot, mask);
  if (observer) observer->cta_started(now, linear, mask);
  schedulers.notify_all(Event::cta,
                        [&](WarpScheduler& s) { s.on_cta({linear, warps_per_cta, true}); });
  mask.for_each([&](WarpSlot w) { start_warp(w, slot); });
}

void Sm::Impl::start_warp(WarpSlot w, int cta) {
  Warp& warp = warps[w];
  warp = Warp{};
  warp.cta = cta;
  warp.next_pc = 0;
  warps.age[static_cast<std::size_t>(w.index)] = next_age++;
  loops.start(w);
  warps.resident.set(w);
  warps.live.set(w);
  warps.fetchable.set(w);
  warps.waiting.reset(w);
  warps.at_barrier.reset(w);
  warps.refresh(w);
  ++stats.warps_started;
  const WarpEvent event{w, warps.age[static_cast<std::size_t>(w.index)],
                        ctas[static_cast<std::size_t>(cta)].linear, true, clock};
  schedulers.notify(w, Event::warp, [&](WarpScheduler& s) { s.on_warp(event); });
}

void Sm::Impl::warp_done(WarpSlot w, Cycle now) {
  const int slot = warps[w].cta;
  Cta& cta = ctas[static_cast<std::size_t>(slot)];
  warps.resident.reset(w);
  ++stats.warps_finished;
  if (--cta.warps_left > 0) return;
  cta.resident = false;
  --resident_ctas;
  ++stats.ctas_finished;
  source->end_cta(slot);
  finished.push_back({cta.linear, cta.start, now});
  if (observer) observer->cta_finished(cta.start, now, cta.linear);
  schedulers.notify_all(Event::cta,
                        [&](WarpScheduler& s) { s.on_cta({cta.linear, warps_per_cta, false}); });
}

std::vector<exec::StartedCta> Sm::Impl::started_ctas() const {
  std::vector<exec::StartedCta> list;
  for (std::size_t slot = 0; slot < ctas.size(); ++slot) {
    if (!ctas[slot].resident) continue;
    exec::StartedCta& cta = list.emplace_back();
    cta.warps = source->warps();
    cta.slot = static_cast<int>(slot);
    for (int i = 0; i < warps_per_cta; ++i) {
      const WarpSlot w(cta.slot * warps_per_cta + i);
      cta.warp_slots.push_back(w);
      cta.at_barrier.assign(w, warps.live.test(w) && warps[w].at_barrier);
    }
    for (std::uint32_t number = 0; number < BarrierUnit::kBarriers; ++number) {
      const BarrierUnit::Arrivals arrivals = barriers.arrivals(cta.slot, number);
      cta.barriers[number] = {arrivals.warps, arrivals.threads};
    }
  }
  return list;
}

std::vector<std::string> Sm::Impl::describe_warps(WarpMask turning) const {
  std::vector<std::string> lines;
  warps.resident.for_each([&](WarpSlot w) {
    const Warp& warp = warps[w];
    std::string line = "warp " + std::to_string(w.index) + " of CTA " +
                       std::to_string(ctas[static_cast<std::size_t>(warp.cta)].linear);
    if (!warps.live.test(w)) {
      line += ": ended, " + std::to_string(warp.in_flight) + " instructions and " +
              std::to_string(warp.stores) + " store sectors under way";
    } else {
      const ptx::Instruction& i = kernel->code[warp.next_pc];
      line += ": pc " + std::to_string(warp.next_pc) + ", PTX line " + std::to_string(i.ptx_line);
      if (i.source < kernel->source_lines.size() && kernel->source_lines[i.source].line > 0)
        line += ", " + kernel->source_lines[i.source].file + ":" +
                std::to_string(kernel->source_lines[i.source].line);
      char active[16];
      std::snprintf(active, sizeof active, "0x%x", source->active_lanes(w).bits);
      line += std::string(", active lanes ") + active + ", ";
      line += turning.test(w)                               ? "repeats the same state"
              : warp.at_barrier                             ? "waits at a barrier"
              : warp.at_memory_barrier                      ? "waits at a memory barrier"
              : warp.waits_for_copies                       ? "waits for asynchronous copies"
              : warp.atomics                                ? "waits for an atomic"
              : warps.valid.test(w) && !warps.ready.test(w) ? "waits for a register"
              : warps.valid.test(w)                         ? "waits for an issue slot"
                                                            : "waits for instructions";
    }
    lines.push_back(std::move(line));
  });
  return lines;
}

}  // namespace heddle::sm
