#include "cuda/capture/effects.h"

#include <cstring>

#include <fmt/format.h>

#include "exec/check/checker.h"

namespace heddle::cuda {

bool changes_layout(const Effect& effect) {
  return std::holds_alternative<AllocateMemory>(effect) ||
         std::holds_alternative<FreeMemory>(effect) ||
         std::holds_alternative<ChangeMapping>(effect) ||
         std::holds_alternative<NotifyAllocation>(effect) ||
         std::holds_alternative<AcceptHostAddress>(effect) ||
         std::holds_alternative<UploadGraph>(effect);
}

void EffectPlayer::perform(const Effect& effect) {
  std::visit([this](const auto& e) { act(e); }, effect);
}

void EffectPlayer::require_condition(const TakeBranch& branch) {
  std::uint32_t value = 0;
  std::memcpy(&value, memory_at(branch.condition, sizeof value, "reads"), sizeof value);
  if (value != branch.value)
    fail(
        fmt::format("the condition of a graph node is {}; it was {} when the program was captured: "
                    "the program's results depend on the order of its threads, or on the GPU. "
                    "Capture it with the options of this run (heddle capture --timed)",
                    value, branch.value));
}

void EffectPlayer::require_address(Address now, Address recorded, const std::string& what) const {
  if (now == recorded) return;
  fail(
      fmt::format("{} is at {:#x}; it was at {:#x} when the program was captured. On this GPU "
                  "the device allocates memory of its own at another time: capture the program "
                  "with the options of this run",
                  what, now.value, recorded.value));
}

template <class Use>
void EffectPlayer::for_each_row(const CopyRegion& region, Use&& use) {
  if (region.width == 0) return;
  for (std::uint64_t z = 0; z < region.depth; ++z)
    for (std::uint64_t y = 0; y < region.height; ++y) use(y, z);
}

std::uint8_t* EffectPlayer::memory_at(Address address, std::uint64_t bytes, const char* act) {
  if (!memory_.valid(address, bytes))
    fail(fmt::format("it {} {} bytes at {:#x}, which is {}", act, bytes, address.value,
                     memory_.describe(address)));
  return memory_.host(address);
}

void EffectPlayer::act(const AllocateMemory& a) {
  using Kind = AllocateMemory::Kind;
  // A variable before the heap is a constant that found no place in it.
  const bool is_constant = a.kind == Kind::variable && a.address.value < kHeapBase;
  const Address now = a.kind == Kind::device     ? memory_.allocate(a.bytes, a.what)
                      : is_constant              ? memory_.allocate_constant(a.bytes, a.what)
                      : a.kind == Kind::variable ? memory_.allocate_variable(a.bytes, a.what)
                      : a.kind == Kind::shared   ? memory_.allocate_shared(a.bytes, a.what)
                                               : memory_.adopt_detached(a.offset, a.bytes, a.what);
  if (now == Address{0}) fail("the device's memory cannot hold " + a.what);
  require_address(now, a.address, a.what);
  // An allocation that has been freed may have been here, whose bytes the checker regards as
  // unwritten. A NotifyAllocation follows if that is so for this one.
  if (auto* const checker = device_.checker(program_)) checker->written(now, a.bytes);
}

void EffectPlayer::act(const FreeMemory& f) {
  if (!memory_.free(f.address))
    fail(fmt::format("it frees {:#x}, which is not allocated", f.address.value));
}

void EffectPlayer::act(const AcceptHostAddress& a) {
  if (!memory_.allocations().accept_host_address(a.address, a.bytes, a.host.value))
    fail(fmt::format("kernels cannot reach {} bytes at {:#x} by the host's address {:#x}", a.bytes,
                     a.address.value, a.host.value));
}

void EffectPlayer::act(const ChangeMapping& c) {
  using Act = ChangeMapping::Act;
  bool done = true;
  switch (c.act) {
    case Act::reserve:
      require_address(memory_.mappings().reserve(c.bytes, c.align), c.base,
                      "a reservation of addresses");
      return;
    case Act::release: done = memory_.mappings().release(c.base, c.bytes); break;
    case Act::create: {
      auto memory = memory_.mappings().create(c.bytes);
      if (!memory) fail(fmt::format("the device's memory cannot hold {} bytes", c.bytes));
      const std::uint64_t place = memory->place();
      done = place == c.place;
      physical_[place] = std::move(memory);
      break;
    }
    case Act::end: done = physical_.erase(c.place) > 0; break;
    case Act::map: {
      const auto memory = physical_.find(c.place);
      done = memory != physical_.end() &&
             memory_.mappings().map(c.base, c.bytes, memory->second, c.offset);
      break;
    }
    case Act::unmap: done = memory_.mappings().unmap(c.base, c.bytes); break;
    case Act::allow:
    case Act::forbid: done = memory_.mappings().allow(c.base, c.bytes, c.act == Act::allow); break;
  }
  if (!done) fail(fmt::format("it maps memory at {:#x} in an impossible way", c.base.value));
}

void EffectPlayer::act(const NotifyAllocation& n) {
  if (n.bytes == 0) return;
  memory_at(n.address, n.bytes, "allocates");
  if (auto* const checker = device_.checker(program_)) checker->allocated(n.address, n.bytes);
}

void EffectPlayer::act(const WriteMemory& w) {
  // Before the data are in memory: chunks may be named often.
  for_each_row(w.region, [&](std::uint64_t y, std::uint64_t z) {
    memory_at(w.to.row(y, z), w.region.width, "writes");
  });
  buffer_.clear();
  content_.append(w.data, buffer_);
  const std::uint8_t* from = buffer_.data();
  for_each_row(w.region, [&](std::uint64_t y, std::uint64_t z) {
    const Address to = w.to.row(y, z);
    std::memcpy(memory_.host(to), from, w.region.width);
    from += w.region.width;
    if (!w.copied) return;
    if (auto* const checker = device_.checker(program_)) checker->written(to, w.region.width);
    device_.copied_to_device(to, w.region.width, program_);
  });
}

void EffectPlayer::act(const CopyMemory& c) {
  if (c.from_device && !c.to_device) verify(c.from, c.region, c.hash);
  for_each_row(c.region, [&](std::uint64_t y, std::uint64_t z) {
    const Address to = c.to.row(y, z), from = c.from.row(y, z);
    const std::uint64_t bytes = c.region.width;
    std::memmove(memory_at(to, bytes, "writes"), memory_at(from, bytes, "reads"), bytes);
    if (auto* const checker = device_.checker(program_); checker && c.to_device) {
      if (c.from_device)
        checker->copied(to, from, bytes);
      else
        checker->written(to, bytes);
    }
    if (c.to_device && !c.from_device) device_.copied_to_device(to, bytes, program_);
    if (c.from_device && !c.to_device) device_.copied_from_device(from, bytes, program_);
  });
}

void EffectPlayer::act(const ReadMemory& r) {
  verify(r.from, r.region, r.hash);
  for_each_row(r.region, [&](std::uint64_t y, std::uint64_t z) {
    device_.copied_from_device(r.from.row(y, z), r.region.width, program_);
  });
}

void EffectPlayer::act(const FillMemory& f) {
  for_each_row(f.region, [&](std::uint64_t y, std::uint64_t z) {
    const Address to = f.to.row(y, z);
    std::uint8_t* const row = memory_at(to, f.region.width, "fills");
    if (auto* const checker = device_.checker(program_)) checker->written(to, f.region.width);
    if (f.element_bytes == 1) std::memset(row, static_cast<int>(f.value), f.region.width);
    for (std::uint64_t x = 0; f.element_bytes > 1 && x + f.element_bytes <= f.region.width;
         x += f.element_bytes)
      std::memcpy(row + x, &f.value, f.element_bytes);
  });
}

void EffectPlayer::act(const UploadGraph& u) {
  if (u.exists)
    graphs_[u.handle] = u;
  else
    graphs_.erase(u.handle);
}

void EffectPlayer::verify(const RegionPlace& from, const CopyRegion& region, std::uint64_t hash) {
  ++copies_to_host_;
  DataHash data;
  for_each_row(region, [&](std::uint64_t y, std::uint64_t z) {
    data.add(memory_at(from.row(y, z), region.width, "reads"), region.width);
  });
  if (data.value() == hash) return;
  fail(fmt::format(
      "copy {} to the host, of {} bytes from {:#x} ({}), has other data than when the program was "
      "captured: the program's results depend on the order of its threads, or on the GPU. Capture "
      "it with the options of this run (heddle capture --timed)",
      copies_to_host_, region.width * region.height * region.depth, from.base.value,
      memory_.describe(from.base)));
}

}  // namespace heddle::cuda
