// The built-in atomics with orders and scopes of CUDA 12.8. Prints PASS or the failed check.
#include <cuda_runtime.h>

#include "check.h"

struct Words {
  int sum, least, most;
  unsigned bits, flips, kept, turn;
  unsigned long long wide;
  double real;
  float last;
  unsigned short small;
  unsigned char flag;
  int wrong, tickets;
};

__global__ void fetch(Words* w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&w->sum, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(&w->least, -i, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_max(&w->most, i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_or(&w->bits, 1u << i % 32, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_xor(&w->flips, 1u << i % 32, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_and(&w->kept, ~(1u << i % 16), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(&w->wide, static_cast<unsigned long long>(i) << 32, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&w->real, 0.5, __NV_ATOMIC_RELAXED);
  // A 16-bit sum with compare-and-exchange.
  unsigned short seen = __nv_atomic_load_n(&w->small, __NV_ATOMIC_RELAXED), next;
  do next = seen + 3;
  while (!__nv_atomic_compare_exchange_n(&w->small, &seen, next, true, __NV_ATOMIC_ACQ_REL,
                                         __NV_ATOMIC_RELAXED));
  float mine = static_cast<float>(i), before;
  __nv_atomic_exchange(&w->last, &mine, &before, __NV_ATOMIC_RELAXED);
  if (before < -1 || before > 255) __nv_atomic_store_n(&w->wrong, -1, __NV_ATOMIC_RELAXED);
}

// One block after the other: the next block reads after its acquire what this one wrote before its
// release.
__global__ void pass_on(Words* w, int* data) {
  if (threadIdx.x != 0) return;
  const unsigned turn = __nv_atomic_fetch_add(&w->tickets, 1, __NV_ATOMIC_RELAXED);
  while (__nv_atomic_load_n(&w->turn, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != turn) {}
  data[turn] = turn == 0 ? 1 : data[turn - 1] * 3;
  __nv_atomic_store_n(&w->turn, turn + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  const unsigned char yes = 1;
  __nv_atomic_store(&w->flag, &yes, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}

int main() {
  Words* w = nullptr;
  OK(cudaMallocManaged(&w, sizeof *w));
  *w = Words{};
  w->kept = ~0u, w->last = -1;
  fetch<<<4, 64>>>(w);
  OK(cudaDeviceSynchronize());
  EXPECT(w->sum == 255 * 128);
  EXPECT(w->least == -255);
  EXPECT(w->most == 255);
  EXPECT(w->bits == ~0u);
  EXPECT(w->flips == 0);
  EXPECT(w->kept == 0xffff0000u);
  EXPECT(w->wide == -(255ull * 128 << 32));
  EXPECT(w->real == 128);
  EXPECT(w->small == 3 * 256);
  EXPECT(w->last >= 0 && w->last < 256);
  EXPECT(w->wrong == 0);

  int* data = nullptr;
  OK(cudaMallocManaged(&data, 8 * sizeof(int)));
  pass_on<<<8, 32>>>(w, data);
  OK(cudaDeviceSynchronize());
  EXPECT(data[7] == 2187);
  EXPECT(w->flag == 1);
  return report();
}
