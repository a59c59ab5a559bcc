// Latencies inside the SM: one warp, every instruction depends on the one before. The difference
// between a long and a short chain excludes the code around them. The rest per instruction is the
// latency of its class and the constant share of the pipeline.
#include "micro.h"

using namespace micro;

constexpr int kShort = 16, kLong = 48;

// One register operand each, so that no two operands conflict in a register bank.
struct IntAdd {
  using Value = int;
  static __device__ void step(int& x) { asm volatile("add.s32 %0, %0, 3;" : "+r"(x)); }
};
struct IntMax {
  using Value = int;
  static __device__ void step(int& x) { asm volatile("max.s32 %0, %0, 3;" : "+r"(x)); }
};
struct IntMul {
  using Value = int;
  static __device__ void step(int& x) { asm volatile("mul.lo.s32 %0, %0, 3;" : "+r"(x)); }
};
struct IntMad {
  using Value = int;
  static __device__ void step(int& x) { asm volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x)); }
};
struct IntDiv {
  using Value = int;
  static __device__ void step(int& x) { asm volatile("div.s32 %0, %0, 3;" : "+r"(x)); }
};
struct FpAdd {
  using Value = float;
  static __device__ void step(float& x) { asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(x)); }
};
struct FpMax {
  using Value = float;
  static __device__ void step(float& x) { asm volatile("max.f32 %0, %0, 0f3F800000;" : "+f"(x)); }
};
struct FpMul {
  using Value = float;
  static __device__ void step(float& x) { asm volatile("mul.f32 %0, %0, 0f3F800001;" : "+f"(x)); }
};
struct FpFma {
  using Value = float;
  static __device__ void step(float& x) {
    asm volatile("fma.rn.f32 %0, %0, 0f3F800000, 0f3F800000;" : "+f"(x));
  }
};
struct FpDiv {
  using Value = float;
  static __device__ void step(float& x) {
    asm volatile("div.rn.f32 %0, %0, 0f3F800000;" : "+f"(x));
  }
};
struct DpAdd {
  using Value = double;
  static __device__ void step(double& x) {
    asm volatile("add.f64 %0, %0, 0d3FF0000000000000;" : "+d"(x));
  }
};
struct DpMul {
  using Value = double;
  static __device__ void step(double& x) {
    asm volatile("mul.f64 %0, %0, 0d3FF0000000000001;" : "+d"(x));
  }
};
struct DpFma {
  using Value = double;
  static __device__ void step(double& x) {
    asm volatile("fma.rn.f64 %0, %0, 0d3FF0000000000000, 0d3FF0000000000000;" : "+d"(x));
  }
};
struct Sfu {
  using Value = float;
  static __device__ void step(float& x) { asm volatile("sin.approx.f32 %0, %0;" : "+f"(x)); }
};

// The first round loads the code into the instruction cache; the last round counts.
template <class Op, int kLength>
__global__ void chain(Clock* out, typename Op::Value seed) {
  typename Op::Value x = seed;
  Clock cycles = 0;
#pragma unroll 1
  for (int round = 0; round < 3; ++round) {
    const Clock start = clock64();
#pragma unroll
    for (int i = 0; i < kLength; ++i) Op::step(x);
    cycles = clock64() - start;
  }
  out[0] = cycles;
  out[1] = static_cast<Clock>(x);
}

template <class Op>
long instruction(const char* name) {
  DeviceArray<Clock> out(2);
  chain<Op, kShort><<<1, 1>>>(out.get(), 1);
  finish(name);
  const Clock lower = out.host()[0];
  chain<Op, kLong><<<1, 1>>>(out.get(), 1);
  finish(name);
  figure(name, static_cast<double>(out.host()[0] - lower) / (kLong - kShort), "cycles");
  return out.host()[0] <= lower;
}

// Lane l follows a cycle of pointers at word l x stride. A stride that is a power of two is then
// its own conflict degree.
template <int kLength>
__global__ void shared_chase(Clock* out, int stride) {
  __shared__ unsigned words[1024];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(words));
  unsigned at = base + 4 * threadIdx.x * stride;
  words[threadIdx.x * stride] = at;
  __syncthreads();
  Clock cycles = 0;
#pragma unroll 1
  for (int round = 0; round < 3; ++round) {
    const Clock start = clock64();
#pragma unroll
    for (int i = 0; i < kLength; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    cycles = clock64() - start;
  }
  out[0] = cycles;
  out[1] = at == base + 4 * threadIdx.x * stride;
}

long shared_latency(int stride) {
  DeviceArray<Clock> out(2);
  shared_chase<kShort><<<1, 32>>>(out.get(), stride);
  finish("shared_chase");
  const Clock lower = out.host()[0];
  shared_chase<kLong><<<1, 32>>>(out.get(), stride);
  finish("shared_chase");
  char name[32];
  std::snprintf(name, sizeof name, "shared.stride_%d", stride);
  figure(name, static_cast<double>(out.host()[0] - lower) / (kLong - kShort), "cycles");
  return out.host()[1] != 1;
}

int main() {
  long wrong = instruction<IntAdd>("int.add") + instruction<IntMax>("int.max") +
               instruction<IntMul>("int.mul") + instruction<IntMad>("int.mad") +
               instruction<IntDiv>("int.div");
  wrong += instruction<FpAdd>("fp32.add") + instruction<FpMax>("fp32.max") +
           instruction<FpMul>("fp32.mul") + instruction<FpFma>("fp32.fma") +
           instruction<FpDiv>("fp32.div");
  wrong += instruction<DpAdd>("fp64.add") + instruction<DpMul>("fp64.mul") +
           instruction<DpFma>("fp64.fma") + instruction<Sfu>("sfu");
  for (int stride = 1; stride <= 32; stride *= 2) wrong += shared_latency(stride);
  return verdict(wrong, 20);
}
