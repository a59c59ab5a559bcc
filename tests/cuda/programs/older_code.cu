// Code that nvcc accepts, perhaps with a warning, and unstated assumptions of programs. Prints PASS
// or the failed check.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

extern "C" int count_in_parallel(int count);

int mistakes = 0;
#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (!(condition)) printf("line %d: %s\n", __LINE__, #condition), ++mistakes; \
  } while (0)

// Without a return statement: a caller that ignores the value still gets the side effects, and
// nothing else.
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
  typeof(n) twice = n * 2;
  uint4 whole = {i, i + 1, twice, n};
  float2 parts = {0.5 * i, n};
  out[i] =
      whole.x + whole.y + whole.z + whole.w + (unsigned)(2 * parts.x + parts.y) + lane_and_warp();
}

#ifndef __NVCC__  // nvcc has them for older architectures only
// Shuffles and votes without a mask, on every architecture: among the active lanes.
__global__ void exchanges(int* ints, double* doubles, unsigned long long* longs) {
  const int lane = threadIdx.x;
  ints[lane] = __shfl(lane, 3) + 10 * __shfl_xor(lane, 4, 8) + 1000 * __shfl_up(lane, 1) +
               100000 * __shfl_down(lane, 2, 16);
  doubles[lane] = __shfl_xor(lane * 0.25, 1) + __shfl(lane * 0.5f, 5);
  longs[lane] = __shfl(0xfedcba9876543210ull + lane, 7);
  if (lane >= 16 && lane < 24)
    ints[lane] = __shfl(lane, 17) + 100 * __popc(__ballot(1)) +
                 (__any(lane == 20) && !__all(lane == 20) ? 10000 : 0);
}
int exchanged(int lane) {
  if (lane >= 16 && lane < 24) return 10817;
  return 3 + 10 * (lane ^ 4) + 1000 * (lane ? lane - 1 : 0) +
         100000 * (lane % 16 < 14 ? lane + 2 : lane);
}
#endif

// Every warp reads the value before the first warp, which is busy, changes it: the order relies on
// lockstep execution, not on a barrier.
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

#ifndef __NVCC__
// Signatures of CUDA 12: a node is added to a capture, and the kernel that follows depends on it.
static void check_older_signatures() {
  int32_t values[3] = {}, *data;
  cudaMalloc(&data, sizeof values);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t* before;
  size_t count = 9;
  EXPECT(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, &before, &count) ==
         cudaSuccess);
  EXPECT(status == cudaStreamCaptureStatusActive && count == 0);
  cudaGraphNodeParams fill = {cudaGraphNodeTypeMemset};
  fill.memset.dst = data, fill.memset.value = 7, fill.memset.elementSize = 4;
  fill.memset.width = 3, fill.memset.height = 1;
  cudaGraphNode_t node;
  EXPECT(cudaGraphAddNode(&node, graph, before, count, &fill) == cudaSuccess);
  EXPECT(cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies) ==
         cudaSuccess);
  marks<<<1, 1, 0, stream>>>(data + 1, 4, 5);
  cudaStreamEndCapture(stream, &graph);
  EXPECT(cudaGraphNodeGetDependentNodes(node, nullptr, &count) == cudaSuccess && count == 1);
  cudaGraphNode_t last;
  EXPECT(cudaGraphNodeGetDependentNodes(node, &last, &count) == cudaSuccess);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost);
  EXPECT(values[0] == 7 && values[1] == 4 && values[2] == 5);
  EXPECT(cudaGraphRemoveDependencies(graph, &node, &last, 1) == cudaSuccess);
  EXPECT(cudaGraphNodeGetDependentNodes(node, nullptr, &count) == cudaSuccess && count == 0);
}
#endif

int main() {
#ifndef __NVCC__
  check_older_signatures();
#endif
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
  narrows<<<{1, 1, 1}, {32}>>>(d_values, 3);
  cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) EXPECT(values[i] == 4u * i + 13);

#ifndef __NVCC__
  int ints[32], *d_ints;
  double doubles[32], *d_doubles;
  unsigned long long longs[32], *d_longs;
  cudaMalloc(&d_ints, sizeof ints);
  cudaMalloc(&d_doubles, sizeof doubles);
  cudaMalloc(&d_longs, sizeof longs);
  exchanges<<<1, 32>>>(d_ints, d_doubles, d_longs);
  cudaMemcpy(ints, d_ints, sizeof ints, cudaMemcpyDeviceToHost);
  cudaMemcpy(doubles, d_doubles, sizeof doubles, cudaMemcpyDeviceToHost);
  cudaMemcpy(longs, d_longs, sizeof longs, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    EXPECT(ints[i] == exchanged(i));
    EXPECT(doubles[i] == (i ^ 1) * 0.25 + 2.5);
    EXPECT(longs[i] == 0xfedcba9876543217ull);
  }
#endif

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
  sprintf(text, "%" PRIu64 "!", large);
  EXPECT(strcmp(text, "1234567890123!") == 0);
  EXPECT(count_in_parallel(100) == 4950);
  printf("%s\n", mistakes ? "FAIL" : "PASS");
  return mistakes;
}
