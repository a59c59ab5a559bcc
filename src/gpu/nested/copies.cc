// Copies and fills of kernels. They take no simulated time, like those of the host by default, and
// keep their place in their stream.
#include <array>
#include <cstring>

#include "exec/check/checker.h"
#include "gpu/nested/cuda_errors.h"
#include "gpu/nested/nested_launches.h"

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

}  // namespace

std::uint64_t NestedLaunches::copy(const Call& c) {
  MemoryBox box;
  std::uint64_t stream = 0;
  const auto word = [&](std::size_t n) { return c.argument<std::uint64_t>(n); };
  if (c.function->call == ptx::RuntimeCall::copy) {
    box.to = word(0), box.from = word(1), box.width = word(2), stream = word(4);
  } else if (c.function->call == ptx::RuntimeCall::copy_2d) {
    box.to = word(0), box.to_pitch = word(1), box.from = word(2), box.from_pitch = word(3);
    box.width = word(4), box.height = word(5), stream = word(7);
  } else {
    Copy3d p{};
    // Thread memory is read in lines.
    for (std::uint32_t at = 0; at < sizeof p; at += 8)
      if (!c.read(word(0) + at, reinterpret_cast<std::uint8_t*>(&p) + at, 8))
        c.fault("cudaMemcpy3DAsync reads outside of the thread's memory");
    if (p.from_array || p.to_array) return answer(c, cuda_error::kInvalidValue);
    const auto start = [](const PitchedPointer& at, const Extent& position) {
      return at.pointer + position.width +
             at.pitch * (position.height + at.height * position.depth);
    };
    box.to = start(p.to, p.to_position), box.to_pitch = p.to.pitch;
    box.from = start(p.from, p.from_position), box.from_pitch = p.from.pitch;
    box.to_slice = p.to.pitch * p.to.height, box.from_slice = p.from.pitch * p.from.height;
    box.width = p.extent.width, box.height = p.extent.height, box.depth = p.extent.depth;
    stream = word(1);
  }
  if (box.from == 0) return answer(c, cuda_error::kInvalidValue);
  return transfer(c, box, stream);
}

std::uint64_t NestedLaunches::fill(const Call& c) {
  MemoryBox box;
  std::uint64_t stream = 0;
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
  return transfer(c, box, stream);
}

namespace {

// Calls act(to, from) for each row.
template <class Act>
void each_row(const MemoryBox& b, Act&& act) {
  for (std::uint64_t z = 0; z < b.depth; ++z)
    for (std::uint64_t y = 0; y < b.height; ++y)
      act(Address{b.to + z * b.to_slice + y * b.to_pitch},
          Address{b.from + z * b.from_slice + y * b.from_pitch});
}

}  // namespace

// Memory of the device only: pointers to shared or local memory are an error, as in CUDA.
std::uint64_t NestedLaunches::transfer(const Call& c, const MemoryBox& box, std::uint64_t handle) {
  const auto stream = stream_of(c, handle);
  if (!stream) return answer(c, cuda_error::kInvalidHandle);
  bool valid = true;
  if (box.width > 0)
    each_row(box, [&](Address to, Address from) {
      valid = valid && memory_.valid(to, box.width) &&
              (box.from == 0 || memory_.valid(from, box.width));
    });
  if (!valid) return answer(c, cuda_error::kInvalidValue);
  Pending pending;
  pending.act = [this, box] { perform(box); };
  add(c, *stream, std::move(pending));
  return cuda_error::kNone;
}

void NestedLaunches::perform(const MemoryBox& box) {
  each_row(box, [&](Address to, Address from) {
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
