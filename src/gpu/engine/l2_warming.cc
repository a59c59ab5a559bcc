#include "gpu/engine/l2_warming.h"

#include <algorithm>

#include "mem/warming.h"
#include "sm/warp/address_space.h"

namespace heddle::gpu {
namespace {

constexpr std::uint64_t kWaves = 8;  // of CTAs: most launches fill the L2 with fewer

}  // namespace

L2Warming::L2Warming(const Hardware& hardware, WindowClock& clock)
    : hardware_(hardware),
      clock_(clock),
      sectors_{mem::kSectorBytes, 1},
      loads_fill_lines_(hardware.spec().sm.l1d.size_bytes > 0 &&
                        !hardware.spec().sm.global_loads_skip_l1d &&
                        hardware.spec().sm.l1d.filling == config::Filling::lines),
      loaded_(hardware.spec().sm.global_loads_skip_l1d ? 0 : l1_lines(hardware.spec()),
              Address{~std::uint64_t{0}}) {}

exec::LastCtas L2Warming::begin(const QueuedKernel& k, int ctas_per_sm) {
  while (!hardware_.memory().idle()) {  // the last write-backs of earlier launches
    const Cycle end = clock_.now() + clock_.window_cycles();
    hardware_.memory().run(clock_.now(), end);
    clock_.skip_to(end);
  }
  address_space_ = k.launch.address_space.offset();
  fetch_code_and_parameters(k.launch);
  dram_ = {};
  std::fill(loaded_.begin(), loaded_.end(), Address{~std::uint64_t{0}});
  return {this, kWaves * hardware_.sms() * static_cast<std::uint64_t>(std::max(ctas_per_sm, 1))};
}

// The bursts are not counted: the timed launches of the kernel have fetched these lines.
void L2Warming::fetch_code_and_parameters(const exec::Launch& launch) {
  std::uint64_t code = 0;
  for (std::size_t i = 0; i < hardware_.sms(); ++i)
    code = hardware_.sm(i).warm_code(*launch.kernel, launch.address_space);
  const auto warm = [&](std::uint64_t begin, std::uint64_t bytes) {
    mem::DramBursts uncounted;
    for (const mem::Request& line : mem::line_reads(Address{begin}, bytes, mem::kLineBytes))
      hardware_.memory().warm_l2(line, uncounted);
  };
  if (!hardware_.spec().sm.perfect_instruction_cache)
    warm(code, launch.kernel->instructions.size() * kInstructionBytes);
  if (!hardware_.spec().sm.perfect_constant_cache)
    warm(address_space_ + sm::parameter_base(0), launch.parameters.size());
}

void L2Warming::accessed(const isa::Instruction& i, const exec::Step& step) {
  accesses_.clear();
  const bool stores = i.is_store(), atomic = i.op_class == isa::OpClass::atomic;
  if (i.copy == isa::CopyStep::bulk_load || i.copy == isa::CopyStep::bulk_store) {
    for (const exec::Step::Range& range : step.bulk_ranges)
      for (std::uint64_t at = range.address & ~std::uint64_t{mem::kSectorBytes - 1};
           at < range.address + range.bytes; at += mem::kSectorBytes) {
        sm::MemoryAccess& one = accesses_.emplace_back();
        one.address = Address{at};
        one.bytes = mem::kSectorBytes;
        one.mask.set(mem::offset_in_line(one.address), mem::kSectorBytes);
      }
    const bool writes = i.copy == isa::CopyStep::bulk_store;
    return access_all(writes ? mem::PacketKind::write : mem::PacketKind::read, false);
  }
  if (step.space == isa::Space::texture) {
    sm::coalesce_lines(mem::kSectorBytes, step.executed, step.addresses, 1, accesses_);
    return access_all(mem::PacketKind::read, false);
  }
  if (step.space != isa::Space::global || i.access_bytes == 0) return;
  const std::uint32_t bytes = std::uint32_t{i.access_bytes} * std::max<std::uint32_t>(1, i.vector);
  sm::coalesce(sectors_, step.executed, step.addresses, bytes, accesses_);
  access_all(atomic   ? mem::PacketKind::atomic
             : stores ? mem::PacketKind::write
                      : mem::PacketKind::read,
             loads_fill_lines_ && i.is_load() && i.cache != isa::CacheOperator::cg);
}

void L2Warming::access_all(mem::PacketKind kind, bool whole_lines) {
  for (const sm::MemoryAccess& one : accesses_) {
    mem::Request request;
    request.kind = kind;
    request.address = one.address + address_space_;
    request.bytes = one.bytes;
    request.mask = one.mask;
    if (whole_lines) {
      request.address = mem::sector_address(request.address, 0);
      request.bytes = mem::kLineBytes;
    }
    if (!loaded_.empty()) {
      Address& last = loaded_[request.address.value / mem::kLineBytes % loaded_.size()];
      const bool hits = last == request.address;
      if (kind == mem::PacketKind::read) {
        last = request.address;
        if (hits) continue;  // it would refresh the line's age in the L2
      }
    }
    hardware_.memory().warm_l2(request, dram_);
  }
}

}  // namespace heddle::gpu
