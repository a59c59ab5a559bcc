// The stack in local memory: alloca, stacksave, stackrestore, and addresses of variables in a
// call's frame.
#include <cstring>

#include "exec/fault.h"
#include "exec/isa/decode.h"
#include "exec/isa/lanes.h"
#include "exec/state/frames.h"

namespace heddle::exec {
namespace {

U64 lane_value(const Warp& w, const DecodedInstruction& r, int lane) {
  U64 v = 0;
  std::memcpy(&v, row(w, r.src[0]) + static_cast<std::size_t>(lane) * r.src[0].bytes,
              r.src[0].bytes);
  return v;
}

void put(Warp& w, const DecodedInstruction& r, int lane, U64 value) {
  std::memcpy(w.bases[0] + r.dst[0] + static_cast<std::size_t>(lane) * r.dst_bytes[0], &value,
              r.dst_bytes[0]);
}

template <class F>
void each_lane(U32 mask, F&& f) {
  for (; mask; mask &= mask - 1) f(std::countr_zero(mask));
}

void allocate(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 given = ptx_of(r).as<ptx::StackAlignment>().bytes;
  const U32 align = given ? given : kReturnBytes;
  each_lane(mask, [&](int lane) {
    U32& top = w.stack_top[static_cast<std::size_t>(lane)];
    const U64 base = align_up(top, align), bytes = lane_value(w, r, lane);
    if (bytes > w.machine->local_bytes || base + bytes > w.machine->local_bytes)
      throw_stack_overflow(w, r, lane);
    top = static_cast<U32>(base + bytes);
    put(w, r, lane, base);
  });
}

void save_top(Warp& w, const DecodedInstruction& r, U32 mask) {
  each_lane(mask, [&](int lane) { put(w, r, lane, w.stack_top[static_cast<std::size_t>(lane)]); });
}

void restore_top(Warp& w, const DecodedInstruction& r, U32 mask) {
  each_lane(mask, [&](int lane) {
    w.stack_top[static_cast<std::size_t>(lane)] = static_cast<U32>(lane_value(w, r, lane));
  });
}

void local_address(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U64 add = static_cast<U64>(r.offset) + (ptx_of(r).to_generic ? kLocalWindow : 0);
  each_lane(mask, [&](int lane) { put(w, r, lane, lane_value(w, r, lane) + add); });
}

}  // namespace

Handler stack_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case ptx::Opcode::alloca: return allocate;
    case ptx::Opcode::stacksave: return save_top;
    case ptx::Opcode::stackrestore: return restore_top;
    case ptx::Opcode::local_address: return local_address;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
