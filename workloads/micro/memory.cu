// Latencies of the memory hierarchy: one thread follows pointers.
#include "micro.h"

#include <memory>

using namespace micro;

constexpr int kUnroll = 8;

struct Cached {
  static __device__ void step(const void*& p) {
    asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p));
  }
};
struct Uncached {
  static __device__ void step(const void*& p) {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
  }
};

// The loads hide the counting of steps. The first `before` steps are not timed.
template <class Load>
__global__ void chase(const void* start, int before, int steps, Clock* out) {
  const void* p = start;
  Clock begin = 0;
#pragma unroll 1
  for (int i = -before; i < steps; i += kUnroll) {
    if (i == 0) begin = clock64();
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) Load::step(p);
  }
  asm volatile("add.u64 %0, %0, 0;" : "+l"(p));
  out[0] = clock64() - begin;
  out[1] = reinterpret_cast<Clock>(p);
}

// A ring of `steps` pointers, `stride` bytes apart.
struct Ring {
  Ring(int steps, int stride) : memory(static_cast<std::size_t>(steps) * stride / sizeof(void*)) {
    std::vector<void*> pointers(static_cast<std::size_t>(steps) * stride / sizeof(void*));
    const std::size_t apart = stride / sizeof(void*);
    for (int i = 0; i < steps; ++i) pointers[i * apart] = memory.get() + (i + 1) % steps * apart;
    memory.assign(pointers);
  }
  DeviceArray<void*> memory;
};

// Cycles per step, after `before` steps. In a ring longer than both together every line is read for
// the first time: rings are not freed, so that none reuses the memory of another.
template <class Load>
long steps_take(const char* name, int ring_steps, int stride, int before, int steps) {
  static std::vector<std::unique_ptr<Ring>> rings;
  const Ring& ring = *rings.emplace_back(std::make_unique<Ring>(ring_steps, stride));
  DeviceArray<Clock> out(2);
  flush_l2();
  chase<Load><<<1, 1>>>(ring.memory.get(), before, steps, out.get());
  finish("chase");
  figure(name, static_cast<double>(out.host()[0]) / steps, "cycles");
  const auto end = reinterpret_cast<Clock>(ring.memory.get() + (before + steps) % ring_steps *
                                                                   (stride / sizeof(void*)));
  return out.host()[1] != end;
}

// Local memory goes through the L1 even where plain global loads do not.
__global__ void local_chase(Clock* out, int apart) {
  volatile int next[4];  // few, because a thread's words are far apart and may share a set
  for (int i = 0; i < 4; ++i) next[i] = (i + apart) & 3;
  int at = 0;
  Clock begin = 0;
#pragma unroll 1
  for (int i = 0; i < 128; ++i) {
    if (i == 64) begin = clock64();
    at = next[at];
  }
  asm volatile("add.s32 %0, %0, 0;" : "+r"(at));
  out[0] = clock64() - begin;
  out[1] = at == 0;
}

// Cycles per step of a ring inside a block of 4 KiB, for the nearest and the farthest of 16 blocks
// that the copy from the host left in the L2. Each line is read once: a half of the L2 may keep
// copies of the other's lines.
long nearest_and_farthest() {
  constexpr int kBlocks = 16, kLines = 16, kApart = 4096 / kLines / sizeof(void*);
  DeviceArray<void*> memory(kBlocks * kLines * kApart);
  const auto place = [&](int block, int line) {
    return memory.get() + (block * kLines + line % kLines) * kApart;
  };
  std::vector<void*> pointers(kBlocks * kLines * kApart);
  for (int block = 0; block < kBlocks; ++block)
    for (int line = 0; line < kLines; ++line)
      pointers[place(block, line) - memory.get()] = place(block, line + 1);
  memory.assign(pointers);
  DeviceArray<Clock> out(2);
  std::vector<Clock> cycles;
  long wrong = 0;
  for (int block = 0; block < kBlocks; ++block) {
    chase<Uncached><<<1, 1>>>(place(block, 0), 0, kLines, out.get());
    finish("chase");
    cycles.push_back(out.host()[0]);
    wrong += out.host()[1] != reinterpret_cast<Clock>(place(block, 0));
  }
  const auto [nearest, farthest] = std::minmax_element(cycles.begin(), cycles.end());
  figure("l2.nearest", static_cast<double>(*nearest) / kLines, "cycles");
  figure("l2.farthest", static_cast<double>(*farthest) / kLines, "cycles");
  return wrong;
}

int main() {
  long wrong = steps_take<Cached>("l1.hit", 16, 128, 32, 256);
  DeviceArray<Clock> out(2);
  local_chase<<<1, 1>>>(out.get(), 1);
  finish("local_chase");
  figure("l1.local", static_cast<double>(out.host()[0]) / 64, "cycles");
  wrong += out.host()[1] != 1;
  wrong += steps_take<Uncached>("l2.hit", 64, 128, 64, 256);
  wrong += steps_take<Uncached>("dram", 128, 8320, 8, 112);
  char name[32];
  for (int stride = 32; stride <= 1024; stride *= 2) {
    std::snprintf(name, sizeof name, "l2.stride_%d", stride);
    wrong += steps_take<Uncached>(name, 64, stride, 64, 256);
  }
  for (int stride = 256; stride <= 16384; stride *= 4) {
    std::snprintf(name, sizeof name, "dram.stride_%d", stride);
    wrong += steps_take<Uncached>(name, 64, stride, 8, 56);
  }
  for (int stride = 32; stride <= 512; stride *= 2) {
    std::snprintf(name, sizeof name, "cold.stride_%d", stride);
    wrong += steps_take<Cached>(name, 160, stride, 32, 128);
  }
  wrong += nearest_and_farthest();
  return verdict(wrong, 35);
}
