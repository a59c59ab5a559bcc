#include "gpu/nested/copies.h"

#include <cstring>

namespace heddle::gpu {
namespace {

// Bytes of cudaPitchedPtr, cudaExtent, cudaPos and cudaMemcpy3DParms, as 64-bit words.
struct PitchedPointer {
  std::uint64_t pointer, pitch, width, height;
};
struct Extent {
  std::uint64_t width, height, depth;
};
struct Copy3d {
  std::uint64_t from_array;
  Extent from_position;
  PitchedPointer from;
  std::uint64_t to_array;
  Extent to_position;
  PitchedPointer to;
  Extent extent;
  std::uint64_t kind;
};

// Calls act(to, from) for each row.
template <class Act>
void each_row(const exec::GlobalMemory& memory, const MemoryBox& b, Act&& act) {
  for (std::uint64_t z = 0; z < b.depth; ++z)
    for (std::uint64_t y = 0; y < b.height; ++y)
      act(memory.allocations().on_device(Address{b.to + z * b.to_slice + y * b.to_pitch}),
          memory.allocations().on_device(Address{b.from + z * b.from_slice + y * b.from_pitch}));
}

StreamedBox copy_3d(const exec::DeviceCall& c) {
  const auto parameters = c.argument<std::uint64_t>(0);
  StreamedBox result{{}, c.argument<std::uint64_t>(1), true};
  MemoryBox& box = result.box;
  Copy3d p{};
  // Thread memory is read in lines.
  for (std::uint32_t at = 0; at < sizeof p; at += 8)
    if (!c.read(parameters + at, reinterpret_cast<std::uint8_t*>(&p) + at, 8))
      c.fault("cudaMemcpy3DAsync reads outside of the thread's memory");
  const auto start = [](const PitchedPointer& at, const Extent& position) {
    return at.pointer + position.width + at.pitch * (position.height + at.height * position.depth);
  };
  box.to = start(p.to, p.to_position), box.to_pitch = p.to.pitch;
  box.from = start(p.from, p.from_position), box.from_pitch = p.from.pitch;
  box.to_slice = p.to.pitch * p.to.height, box.from_slice = p.from.pitch * p.from.height;
  box.width = p.extent.width, box.height = p.extent.height, box.depth = p.extent.depth;
  result.valid = !p.from_array && !p.to_array && box.from != 0;
  return result;
}

}  // namespace

StreamedBox copy_of(const exec::DeviceCall& c) {
  if (c.function->call == ptx::RuntimeCall::copy_3d) return copy_3d(c);
  StreamedBox result;
  MemoryBox& box = result.box;
  const auto word = [&](std::size_t n) { return c.argument<std::uint64_t>(n); };
  if (c.function->call == ptx::RuntimeCall::copy) {
    box.to = word(0), box.from = word(1), box.width = word(2), result.stream = word(4);
  } else {
    box.to = word(0), box.to_pitch = word(1), box.from = word(2), box.from_pitch = word(3);
    box.width = word(4), box.height = word(5), result.stream = word(7);
  }
  result.valid = box.from != 0;
  return result;
}

StreamedBox fill_of(const exec::DeviceCall& c) {
  StreamedBox result;
  MemoryBox& box = result.box;
  std::uint64_t& stream = result.stream;
  const auto word = [&](std::size_t n) { return c.argument<std::uint64_t>(n); };
  if (c.function->call == ptx::RuntimeCall::fill) {
    box.to = word(0), box.value = c.argument<std::uint32_t>(1), box.width = word(2),
    stream = word(3);
  } else if (c.function->call == ptx::RuntimeCall::fill_2d) {
    box.to = word(0), box.to_pitch = word(1), box.value = c.argument<std::int32_t>(2);
    box.width = word(3), box.height = word(4), stream = word(5);
  } else {
    const auto to = c.argument<PitchedPointer>(0);
    const auto extent = c.argument<Extent>(2);
    box.to = to.pointer, box.to_pitch = to.pitch, box.to_slice = to.pitch * to.height;
    box.value = c.argument<std::uint32_t>(1);
    box.width = extent.width, box.height = extent.height, box.depth = extent.depth;
    stream = word(3);
  }
  return result;
}

bool DeviceCopies::valid(const MemoryBox& box) const {
  bool valid = true;
  if (box.width > 0)
    each_row(memory_, box, [&](Address to, Address from) {
      valid = valid && memory_.valid(to, box.width) &&
              (box.from == 0 || memory_.valid(from, box.width));
    });
  return valid;
}

void DeviceCopies::perform(const MemoryBox& box) {
  each_row(memory_, box, [&](Address to, Address from) {
    if (box.width == 0 || !memory_.valid(to, box.width)) return;  // freed since
    std::uint8_t* const row = memory_.host(to);
    if (box.from == 0) {
      for (std::uint64_t x = 0; x + box.element_bytes <= box.width; x += box.element_bytes)
        std::memcpy(row + x, &box.value, box.element_bytes);
      if (checker_) checker_->written(to, box.width);
    } else if (memory_.valid(from, box.width)) {
      std::memmove(row, memory_.host(from), box.width);
      if (checker_) checker_->copied(to, from, box.width);
    }
  });
}

}  // namespace heddle::gpu
