// asm statements without volatile that depend on each other without operands: carries, memory, the
// clock.
#include <cstdio>

#define ADD_WORD(instruction, sum, a, b) \
  asm(instruction " %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b))
#define ADD_CARRY(word) asm("addc.u32 %0, %0, 0;" : "+r"(word))

// Computes the sum of two three-word numbers twice, in two chains whose last statements are equal.
__global__ void chains(const unsigned int* a, const unsigned int* b, unsigned int* sums) {
  const unsigned int* x = a + 3 * threadIdx.x;
  const unsigned int* y = b + 3 * threadIdx.x;
  unsigned int once[4] = {0, 0, 0, 0}, twice[4] = {0, 0, 0, 0};
  ADD_WORD("add.cc.u32", once[0], x[0], y[0]);
  ADD_WORD("addc.cc.u32", once[1], x[1], y[1]);
  ADD_WORD("addc.cc.u32", once[2], x[2], y[2]);
  ADD_CARRY(once[3]);
  ADD_WORD("add.cc.u32", twice[0], once[0], once[0]);
  ADD_WORD("addc.cc.u32", twice[1], once[1], once[1]);
  ADD_WORD("addc.cc.u32", twice[2], once[2], once[2]);
  ADD_CARRY(twice[3]);
  for (int w = 0; w < 4; ++w)
    sums[8 * threadIdx.x + w] = once[w], sums[8 * threadIdx.x + 4 + w] = twice[w];
}

__global__ void states(int* count, int* seen, unsigned int* times) {
  asm("atom.global.add.s32 %0, [%1], 1;" : "=r"(seen[0]) : "l"(count));
  asm("atom.global.add.s32 %0, [%1], 1;" : "=r"(seen[1]) : "l"(count));
  asm("mov.u32 %0, %clock;" : "=r"(times[0]));
  asm("mov.u32 %0, %clock;" : "=r"(times[1]));
}

int main() {
  unsigned int *a, *b, *sums, *times;
  int* seen;
  cudaMallocManaged(&a, 96 * sizeof *a);
  cudaMallocManaged(&b, 96 * sizeof *b);
  cudaMallocManaged(&sums, 256 * sizeof *sums);
  cudaMallocManaged(&times, 2 * sizeof *times);
  cudaMallocManaged(&seen, 3 * sizeof *seen);
  for (unsigned int i = 0; i < 96; ++i)
    a[i] = i * 0x9e3779b9u, b[i] = i % 3 == 2 ? i * 0x85ebca6bu : ~0u;
  chains<<<1, 32>>>(a, b, sums);
  states<<<1, 1>>>(seen + 2, seen, times);
  cudaDeviceSynchronize();
  bool right = seen[0] == 0 && seen[1] == 1 && seen[2] == 2 && times[1] != times[0];
  for (int i = 0; i < 32; ++i) {
    unsigned long long once = 0, twice = 0;  // the words before go on above the lowest 32 bits
    for (int w = 0; w < 4; ++w) {
      once = (once >> 32) + (w < 3 ? 0ull + a[3 * i + w] + b[3 * i + w] : 0);
      twice = (twice >> 32) + (w < 3 ? 2 * (once & 0xffffffff) : 0);
      right = right && sums[8 * i + w] == static_cast<unsigned int>(once) &&
              sums[8 * i + 4 + w] == static_cast<unsigned int>(twice);
    }
  }
  std::puts(right ? "PASS" : "FAIL");
}
