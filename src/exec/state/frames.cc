#include "exec/state/frames.h"

#include <algorithm>
#include <cstring>

#include "exec/fault.h"

namespace heddle::exec {
namespace {

constexpr std::size_t kRowBytes = 128;

const ptx::Kernel& kernel_of(const Warp& w) { return ptx_kernel(*w.machine); }

std::uint8_t* frame_of(const Warp& w, int lane) {
  return w.frame + static_cast<std::size_t>(lane) * w.machine->decoded->frame_bytes;
}

template <class F>
void each_lane(U32 mask, F&& f) {
  for (; mask; mask &= mask - 1) f(std::countr_zero(mask));
}

// The sizes of the saved parts, in order: rows, predicates, call parameters of 32 lanes,
// local_frame, stack_top.
struct Sizes {
  std::size_t rows, predicates, frame;
  explicit Sizes(const ptx::Function& f)
      : rows(f.rows * kRowBytes),
        predicates(f.predicates * sizeof(U32)),
        frame(std::size_t{f.frame_bytes} * kWarpSize) {}
  std::size_t total() const { return rows + predicates + frame + 2 * kRowBytes; }
};

std::uint8_t* local_frames(const Warp& w) {
  const U32 row = w.machine->decoded->local_frame_row;
  return row == DecodedKernel::kNoRow ? nullptr : w.bases[0] + row * kRowBytes;
}

void save(Warp& w, const ptx::Function& f, U32 mask) {
  const Sizes sizes(f);
  const std::size_t first = w.saved.size();
  w.saved.resize(first + sizes.total());
  std::uint8_t* to = w.saved.data() + first;
  const auto put = [&to](const void* from, std::size_t bytes) {
    if (bytes) std::memcpy(to, from, bytes);
    to += bytes;
  };
  put(w.bases[0] + f.first_row * kRowBytes, sizes.rows);
  put(w.predicates + f.first_predicate, sizes.predicates);
  each_lane(mask, [&](int lane) {
    if (f.frame_bytes)
      std::memcpy(to + static_cast<std::size_t>(lane) * f.frame_bytes,
                  frame_of(w, lane) + f.frame_first, f.frame_bytes);
  });
  to += sizes.frame;
  if (const std::uint8_t* frames = local_frames(w)) std::memcpy(to, frames, kRowBytes);
  to += kRowBytes;
  put(w.stack_top.data(), kRowBytes);
}

void restore(Warp& w, const ptx::Function& f, std::size_t saved, U32 mask) {
  const Sizes sizes(f);
  const std::uint8_t* from = w.saved.data() + saved;
  std::uint8_t* rows = w.bases[0] + f.first_row * kRowBytes;
  for (U32 row = 0; row < f.rows;) {
    const std::size_t bytes = f.pairs[row] ? 8 : 4, at = row * kRowBytes;
    each_lane(mask, [&](int lane) {
      const std::size_t offset = at + static_cast<std::size_t>(lane) * bytes;
      std::memcpy(rows + offset, from + offset, bytes);
    });
    row += f.pairs[row] ? 2 : 1;
  }
  from += sizes.rows;
  for (U32 p = 0; p < f.predicates; ++p) {
    U32 before;
    std::memcpy(&before, from + p * sizeof(U32), sizeof before);
    U32& now = w.predicates[f.first_predicate + p];
    now = (now & ~mask) | (before & mask);
  }
  from += sizes.predicates;
  each_lane(mask, [&](int lane) {
    if (f.frame_bytes)
      std::memcpy(frame_of(w, lane) + f.frame_first,
                  from + static_cast<std::size_t>(lane) * f.frame_bytes, f.frame_bytes);
  });
  from += sizes.frame;
  std::uint8_t* frames = local_frames(w);
  each_lane(mask, [&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (frames) std::memcpy(frames + 4 * l, from + 4 * l, 4);
    std::memcpy(&w.stack_top[l], from + kRowBytes + 4 * l, 4);
  });
}

void push_frame(Warp& w, const DecodedInstruction& r, const ptx::Function& f, U32 mask) {
  std::uint8_t* frames = local_frames(w);
  each_lane(mask, [&](int lane) {
    U32& top = w.stack_top[static_cast<std::size_t>(lane)];
    const U32 base = f.local_bytes ? align_up(top, kStackAlign) : top;
    top = base + f.local_bytes + kReturnBytes;
    if (top > w.machine->local_bytes) throw_stack_overflow(w, r, lane);
    if (frames) std::memcpy(frames + 4 * static_cast<std::size_t>(lane), &base, 4);
  });
}

void return_lane(Warp& w, const Activation& a, int lane) {
  const ptx::Function& f = kernel_of(w).functions[a.function];
  const ptx::CallSite& site = kernel_of(w).call_sites[a.site];
  std::vector<std::uint8_t>& results = w.machine->results;
  results.clear();
  std::uint8_t* const frame = frame_of(w, lane);
  for (const ptx::FrameSlot& slot : f.results)
    results.insert(results.end(), frame + slot.offset, frame + slot.offset + slot.bytes);
  if (f.framed) restore(w, f, a.saved, U32{1} << lane);
  const std::uint8_t* from = results.data();
  for (std::size_t i = 0; i < site.results.size(); ++i) {
    std::memcpy(frame + site.results[i].offset, from,
                std::min(site.results[i].bytes, f.results[i].bytes));
    from += f.results[i].bytes;
  }
}

void drop_finished(Warp& w) {
  while (!w.activations.empty() && w.activations.back().lanes == 0) {
    w.saved.resize(w.activations.back().saved);
    w.activations.pop_back();
  }
}

}  // namespace

void enter_function(Warp& w, const DecodedInstruction& r, U32 function, U32 mask) {
  const ptx::Function& f = kernel_of(w).functions[function];
  const std::uint32_t call_site = ptx_of(r).as<ptx::CallSiteIndex>().index;
  const ptx::CallSite& site = kernel_of(w).call_sites[call_site];
  w.activations.push_back({w.stack.call_depth() + 1, mask, call_site, function, w.saved.size()});
  if (f.framed) save(w, f, mask);
  each_lane(mask, [&](int lane) {
    std::uint8_t* const frame = frame_of(w, lane);
    for (std::size_t i = 0; i < site.arguments.size(); ++i)
      std::memmove(frame + f.parameters[i].offset, frame + site.arguments[i].offset,
                   site.arguments[i].bytes);
  });
  if (f.framed) push_frame(w, r, f, mask);
}

// The innermost activation of a lane is the last that holds it. It belongs to the level from which
// the lane returns, or to an outer one when the function was called without copying.
void restore_frames(Warp& w, U32 mask) {
  const U32 depth = w.stack.call_depth();
  for (std::size_t i = w.activations.size(); i-- > 0 && mask;) {
    Activation& a = w.activations[i];
    const U32 lanes = a.lanes & mask;
    mask &= ~lanes;
    if (a.depth != depth) continue;
    each_lane(lanes, [&](int lane) { return_lane(w, a, lane); });
    a.lanes &= ~lanes;
  }
  drop_finished(w);
}

void forget_lanes(Warp& w, U32 mask) {
  for (Activation& a : w.activations) a.lanes &= ~mask;
  drop_finished(w);
}

}  // namespace heddle::exec
