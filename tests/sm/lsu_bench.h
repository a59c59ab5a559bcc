// The parts of a load/store unit without the unit: a test sends instructions and sets the clock.
#pragma once

#include <vector>

#include "sm/lsu/l1_front_end.h"
#include "sm/lsu/l1_lookup.h"
#include "sm/lsu/lsu_caches.h"
#include "sm/lsu/lsu_context.h"
#include "tests/sm/bench.h"

namespace heddle::sm::test {

struct LsuLog final : LsuListener {
  void complete(OpId op) override { completed.push_back(op); }
  void answered(OpId op) override { answers.push_back(op); }
  void stores_changed(WarpSlot, std::int32_t sectors) override { stores += sectors; }
  void reexecution_changed() override { ++reexecution_changes; }
  void l1_accessed(WarpSlot, Pc, Address address, bool, const mem::Access& access) override {
    accesses.emplace_back(address, access.outcome);
  }
  std::vector<OpId> completed, answers;
  std::int32_t stores = 0;
  int reexecution_changes = 0;
  std::vector<std::pair<Address, mem::Outcome>> accesses;
};

class LsuBench {
 public:
  explicit LsuBench(const config::GpuSpec& gpu = gtx480())
      : spec(gpu.sm),
        context{3, std::max(1u, spec.shared.warp_parts), ops, ActingKernel(warps, kernel)},
        caches(spec),
        l1(spec, caches, context) {
    context.listener = &log;
    for (int w = 0; w < 4; ++w) {
      warps[WarpSlot(w)].kernel = &kernel;
      warps.resident.set(WarpSlot(w));
    }
  }
  // An instruction of the warp in the unit, with an access of 128 bytes to each line.
  OpId start(const isa::Instruction& instruction, std::vector<std::uint64_t> lines = {},
             int warp = 0) {
    const OpId id = ops.take();
    Op& op = ops[id];
    op.instruction = &instruction;
    op.space = instruction.space;
    op.warp = WarpSlot(warp);
    op.pc = 7;
    op.executed = LaneMask::all();
    op.dispatched = true;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      MemoryAccess access{Address{*line * mem::kLineBytes}, mem::kLineBytes, LaneMask::all(), {}};
      access.mask.set(0, mem::kLineBytes);
      op.accesses.push_back(access);
    }
    op.pending = static_cast<std::uint32_t>(lines.size());
    return id;
  }
  void at(std::uint64_t cycle) {
    context.now = Cycle{cycle};
    context.step = cycle * context.steps_per_cycle;
  }
  // The packets that the unit has sent.
  std::vector<mem::Packet> sent() {
    std::vector<mem::Packet> packets;
    for (; port.next_request() != Cycle::never(); port.pop_request())
      packets.push_back(port.request().packet);
    port.begin_window();
    return packets;
  }
  // Brings the line into the L1.
  void load_line(std::uint64_t line) {
    mem::Request request;
    request.address = Address{line * mem::kLineBytes};
    request.bytes = mem::kLineBytes;
    caches.l1d()->access(request, 0, stats().l1d);
    answer_fetches();
    kernel.stats = {};
  }
  // Fills all fetches of the L1; the data of their requests go nowhere.
  void answer_fetches() {
    mem::Cache& cache = *caches.l1d();
    for (; cache.has_miss(); cache.pop_miss())
      if (cache.front_miss().kind == mem::Miss::Kind::fetch)
        cache.fill(cache.front_miss().tag, mem::kSectorsPerLine, context.step, stats().l1d);
    while (cache.has_ready()) cache.pop_ready();
  }
  SmStats& stats() { return kernel.stats; }
  std::uint64_t stalls(LsuStall why) { return stats().lsu_stalls[static_cast<std::size_t>(why)]; }
  bool dispatch(L1FrontEnd& front_end, OpId id) { return front_end.dispatch(ops[id], id, stats()); }

  config::SmSpec spec;
  KernelContext kernel;
  WarpTable warps{kMaxWarpsPerSm};
  OpPool ops;
  LsuLog log;
  LsuContext context;
  LsuCaches caches;
  L1Lookup l1;
  mem::SmPort port{64, 64};
};

inline const isa::Instruction kGlobalLoad = memory(isa::OpClass::load, isa::Space::global, {}, {1}),
                              kGlobalStore =
                                  memory(isa::OpClass::store, isa::Space::global, {1}, {});

}  // namespace heddle::sm::test
