// What nvcc takes with a warning at most, and what programs lean on without saying so. Prints PASS or what went wrong.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

extern "C" int count_in_parallel(int count);

int mistakes = 0;
#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (!(condition)) printf("line %d: %s\n", __LINE__, #condition), ++mistakes; \
  } while (0)

// No return at its end: whoever does not need the value still finds what came before done, and no more.
__device__ int mark(int* out, int wanted) {
  if (wanted) {
    *out = wanted;
    return 1;
  }
}
int mark_on_host(int* out, int wanted) {
  if (wanted) {
    *out = wanted;
    return 1;
  }
}

__global__ void marks(int* out, int first, int second) {
  mark(out, first);
  mark(out + 1, second);
}

#define READ_LANE(result) asm volatile("mov.u32 %0, %laneid; // and %warpid" : "=r"(result))
__device__ unsigned lane_and_warp() {
  unsigned lane, warp;
  READ_LANE(lane);
  asm("mov.u32 %0, %warpid;" : "=r"(warp));
  return lane + (warp < 64 ? 0 : 100);
}

__global__ void narrows(unsigned* out, int n) {
  register int i = threadIdx.x;
  uint4 whole = {i, i + 1, n * 2, n};
  float2 parts = {0.5 * i, n};
  out[i] = whole.x + whole.y + whole.z + whole.w + (unsigned)(2 * parts.x + parts.y) + lane_and_warp();
}

// Every warp reads the turn before the first warp, busy for a while, hands it on: lockstep, no barrier, keeps them in order.
__global__ void in_step(int* seen, int* sums, int trips) {
  __shared__ volatile int turn;
  __shared__ int sum;
  if (threadIdx.x == 0) turn = 7, sum = 0;
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    const int mine = turn;
    for (int i = 0; i < trips; ++i) atomicAdd(&sum, i & 1);
    if (threadIdx.x == 0) turn = mine + 1;
    seen[round * blockDim.x + threadIdx.x] = mine;
    __syncthreads();
  }
  if (threadIdx.x == 0) *sums = sum;
}

int main() {
  int32_t parts[2] = {0, 0}, *d_parts;
  cudaMalloc(&d_parts, sizeof parts);
  cudaMemset(d_parts, 0, sizeof parts);
  marks<<<1, 1>>>(d_parts, 0, 5);
  cudaMemcpy(parts, d_parts, sizeof parts, cudaMemcpyDeviceToHost);
  EXPECT(parts[0] == 0 && parts[1] == 5);
  mark_on_host(&parts[0], parts[0]);
  EXPECT(parts[0] == 0);

  unsigned values[32], *d_values;
  cudaMalloc(&d_values, sizeof values);
  narrows<<<1, 32>>>(d_values, 3);
  cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) EXPECT(values[i] == 4u * i + 13);

  const int threads = 256, trips = 24;
  int seen[3 * threads], sum, *d_seen, *d_sum;
  cudaMalloc(&d_seen, sizeof seen);
  cudaMalloc(&d_sum, sizeof sum);
  in_step<<<1, threads>>>(d_seen, d_sum, trips);
  cudaMemcpy(seen, d_seen, sizeof seen, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 3 * threads; ++i) EXPECT(seen[i] == 7 + i / threads);
  EXPECT(sum == 3 * threads * trips / 2);

  char text[32];
  uint64_t large = 1234567890123;
  sprintf(text, "%"PRIu64"!", large);
  EXPECT(strcmp(text, "1234567890123!") == 0);
  EXPECT(count_in_parallel(100) == 4950);
  printf("%s\n", mistakes ? "FAIL" : "PASS");
  return mistakes;
}
