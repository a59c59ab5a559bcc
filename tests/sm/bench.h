// A test bench for one SM: scripted instructions instead of functional execution, and a memory with
// a fixed latency instead of a network.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "exec/instruction_source.h"
#include "sm/lsu/load_store_unit.h"
#include "sm/sm.h"

namespace heddle::sm::test {

// The SM of the shipped GTX 480.
inline config::GpuSpec gtx480() {
  config::GpuSpec g;
  auto cache = [](std::uint64_t bytes, std::uint32_t line, std::uint32_t ways) {
    config::CacheSpec c;
    c.size_bytes = bytes;
    c.line_bytes = line;
    c.ways = ways;
    return c;
  };
  g.sm.l1d = cache(16384, 128, 4);
  g.sm.l1d.write = config::WritePolicy::local_back_global_through;
  g.sm.l1d.allocation = config::LineAllocation::on_miss;
  g.sm.l1d.set_index = config::SetIndex::fermi_hash;
  g.sm.l1d.mshr_entries = 64;
  g.sm.l1d.mshr_merges = 8;
  g.sm.l1d.miss_queue = 8;
  g.sm.l1d.hit_latency = 35;
  g.sm.l1i = cache(2048, 128, 4);
  g.sm.l1i.mshr_entries = 2;
  g.sm.l1i.mshr_merges = 48;
  g.sm.texture = cache(12288, 128, 24);
  g.sm.constant = cache(8192, 64, 2);
  g.sm.constant.mshr_entries = 2;
  g.sm.constant.mshr_merges = 64;
  return g;
}

// Loose round robin without vetoes.
class RoundRobin : public WarpScheduler {
 public:
  WarpSlot pick(const IssueView& view) override { return view.issuable.next_cyclic(last_ + 1); }
  void on_issue(const Issue& issue) override { last_ = issue.warp.index; }

 private:
  int last_ = -1;
};

inline isa::Instruction make(isa::OpClass c, std::vector<std::uint16_t> reads = {},
                             std::vector<std::uint16_t> writes = {}) {
  isa::Instruction i;
  i.op_class = c;
  for (auto r : reads) i.reads[i.read_count++] = r;
  for (auto w : writes) i.writes[i.write_count++] = w;
  return i;
}
inline isa::Instruction memory(isa::OpClass c, isa::Space space, std::vector<std::uint16_t> reads,
                               std::vector<std::uint16_t> writes) {
  isa::Instruction i = make(c, std::move(reads), std::move(writes));
  i.space = space;
  i.access_bytes = 4;
  return i;
}
inline isa::Instruction exit() { return make(isa::OpClass::exit_); }

// Executes the code sequentially; `behave` may change each step (branches, addresses).
class Script final : public exec::InstructionSource {
 public:
  using Behave = std::function<void(WarpSlot, exec::Step&)>;
  explicit Script(std::vector<isa::Instruction> code, Behave behave = {})
      : behave_(std::move(behave)) {
    kernel_.instructions = std::move(code);
    std::uint32_t registers = 64;
    for (const isa::Instruction& i : kernel_.instructions)
      for (int k = 0; k < i.write_count; ++k)
        registers = std::max(registers, i.writes[static_cast<std::size_t>(k)] + 1u);
    kernel_.architectural_registers = registers;
  }
  isa::Kernel& kernel_ref() { return kernel_; }
  const isa::Kernel& kernel() const { return kernel_; }
  void start_cta(int, std::uint64_t linear, std::span<const WarpSlot> warps) override {
    for (WarpSlot w : warps) {
      pc_[static_cast<std::size_t>(w.index)] = 0;
      cta_[static_cast<std::size_t>(w.index)] = linear;
    }
  }
  void end_cta(int) override { ++ended; }
  LaneMask live_lanes(WarpSlot) const override { return LaneMask::all(); }
  void step(WarpSlot w, Cycle now, exec::Step& out) override {
    Pc& pc = pc_[static_cast<std::size_t>(w.index)];
    out = exec::Step{};
    const isa::Instruction& i = kernel_.instructions[pc];
    out.pc = pc;
    out.active = out.executed = LaneMask::all();
    out.space = i.space;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
      out.addresses[lane] = 0xC0000000 + 4 * lane;
    if (out.space == isa::Space::shared || out.space == isa::Space::local ||
        out.space == isa::Space::param)
      for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        out.addresses[lane] = out.space == isa::Space::shared ? 4 * lane : 0;
    out.next_pc = i.op_class == isa::OpClass::exit_ ? kNoPc : pc + 1;
    if (behave_) behave_(w, out);
    pc = out.next_pc;
    issues.push_back({w.index, out.pc, now.value});
  }
  void complete_barrier(int, std::uint32_t) override { ++barriers_completed; }
  void perform_atomic(std::uint32_t, LaneMask) override {}
  void synchronise() override {}

  struct Issued {
    int warp;
    Pc pc;
    std::uint64_t at;
  };
  std::vector<Issued> issues;
  int ended = 0, barriers_completed = 0;
  // When warp `w` issued `pc` for the first time.
  std::uint64_t at(int w, Pc pc) const {
    for (const Issued& i : issues)
      if (i.warp == w && i.pc == pc) return i.at;
    return ~std::uint64_t{0};
  }
  std::uint64_t gap(Pc from, Pc to, int w = 0) const { return at(w, to) - at(w, from); }

 private:
  isa::Kernel kernel_;
  Behave behave_;
  std::array<Pc, kMaxWarpsPerSm> pc_{};
  std::array<std::uint64_t, kMaxWarpsPerSm> cta_{};
};

inline std::uint64_t slots(const SmStats& s, SlotUse use) {
  return s.slots[static_cast<std::size_t>(use)];
}

class Bench {
 public:
  explicit Bench(
      std::vector<isa::Instruction> code, Script::Behave behave = {},
      config::GpuSpec gpu = gtx480(), std::uint64_t latency = 100,
      const Sm::SchedulerFactory& make_scheduler =
          [](int) { return std::make_unique<RoundRobin>(); })
      : spec(gpu),
        source(std::move(code), std::move(behave)),
        port(4096, 4096),
        sm(0, spec, port, make_scheduler),
        latency_(latency) {}

  // Runs `ctas` CTAs of `warps` warps to their end in windows of `window` cycles. Returns the cycle
  // in which the last CTA ended.
  std::uint64_t run(int warps = 1, int ctas = 1, std::uint64_t window = 1, int ctas_per_sm = 0) {
    exec::Launch launch;
    launch.kernel = &source.kernel();
    launch.block = {static_cast<std::uint32_t>(warps * kWarpSize), 1, 1};
    const int room = ctas_per_sm ? ctas_per_sm : ctas;
    KernelPlace place;
    place.timing = timing;
    sm.begin_kernel(launch, source, room, {}, place);
    int next = 0;
    for (; next < std::min(room, ctas); ++next)
      sm.queue_cta(static_cast<std::uint64_t>(next), Cycle{static_cast<std::uint64_t>(next)});
    std::uint64_t now = 0;
    int done = 0;
    while (done < ctas || !sm.drained()) {
      if (before_window) before_window(now);
      port.begin_window();
      sm.run(Cycle{now}, Cycle{now + window});
      serve(now + window);
      now += window;
      for (const auto& f : sm.take_finished_ctas()) {
        ++done;
        last_end = std::max(last_end, f.end.value);
        finished.push_back(f);
      }
      for (; next < ctas && sm.free_cta_slots() > 0; ++next)
        sm.queue_cta(static_cast<std::uint64_t>(next), Cycle{now});
      check_invariant(now < 1000000, "the test did not end within 1000000 cycles");
    }
    sm.end_kernel(Cycle{now});
    return last_end;
  }
  SmStats stats() const { return sm.stats(); }

  // Answers every request `latency` cycles after its stamp, in order.
  void serve(std::uint64_t now) {
    while (port.has_request(Cycle{now})) {
      const mem::StampedPacket s = port.request();
      port.pop_request();
      seen.push_back(s.packet);
      if (!s.packet.wants_reply) continue;
      waiting_.push_back({s.at + latency_, s.packet});
      waiting_.back().packet.reply = true;
    }
    while (!waiting_.empty() && port.can_reply()) {
      port.send_reply(waiting_.front().at, waiting_.front().packet);
      waiting_.pop_front();
    }
  }

  config::GpuSpec spec;
  Script source;
  mem::SmPort port;
  Sm sm;
  std::vector<mem::Packet> seen;
  std::uint64_t last_end = 0;
  std::vector<FinishedCta> finished;
  std::function<void(std::uint64_t now)> before_window;
  std::vector<InstructionTiming> timing;  // empty: that of the code

 private:
  std::uint64_t latency_;
  std::deque<mem::StampedPacket> waiting_;
};

}  // namespace heddle::sm::test
