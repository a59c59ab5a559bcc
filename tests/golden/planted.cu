// One mistake of a kind that `heddle check` finds, by name, and programs like them without a
// mistake. The lines that the findings have to name are marked; "other" marks the second party.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void past_the_end(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) values[i] = i;  // here: past_the_end
}

__global__ void freed(const int* values, int* sum) {
  atomicAdd(sum, values[threadIdx.x]);  // here: freed
}

__global__ void straddle(char* bytes) {
  if (threadIdx.x == 5) *reinterpret_cast<int*>(bytes + 2) = 1;  // here: straddle
}

__global__ void past_the_tile(int* values) {
  extern __shared__ int tile[];
  tile[threadIdx.x + 1] = values[threadIdx.x];  // here: past_the_tile
}

__global__ void no_barrier(int* values, bool barrier) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = values[t] + 1;  // here: no_barrier
  if (barrier) __syncthreads();
  values[t] = tile[127 - t];  // other: no_barrier
}

__global__ void read_then_write(int* values) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = values[t];
  __syncthreads();
  const int next = tile[(t + 32) % 64];  // here: read_then_write
  tile[t] = next + 1;                    // other: read_then_write
  __syncthreads();
  values[t] = tile[t];
}

__global__ void between_ctas(int* values) {
  values[threadIdx.x] = blockIdx.x + 1;  // here: between_ctas
}

__global__ void same_at_first(int* values) {
  values[threadIdx.x] = blockIdx.x;  // here: same_at_first
}

// The first warp writes for the second one.
__global__ void one_releases(int* values, bool sync) {
  __shared__ int tile[32], flag;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    tile[t] = values[t];  // other: one_releases
    if (sync) __syncwarp();
    if (t == 0) __threadfence_block(), atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {}
    values[t] = tile[63 - t];  // here: one_releases
  }
}

__global__ void one_place(int* values) {
  values[threadIdx.x / 2] = threadIdx.x;  // here: one_place
}

__global__ void unwritten(const int* values, int* out) {
  out[threadIdx.x] = values[threadIdx.x];  // here: unwritten
}

__global__ void unwritten_tile(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x < 48) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // here: unwritten_tile
}

__global__ void divergent(int* values) {
  if (threadIdx.x < 40) __syncthreads();  // here: divergent
  values[threadIdx.x] = 1;
}

__global__ void two_places(int* values) {
  if (threadIdx.x < 32) {
    values[0] = 1;
    __syncthreads();  // other: two_places
  } else {
    values[1] = 2;
    __syncthreads();  // here: two_places
  }
}

__global__ void two_counts(int* values) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 96;" ::: "memory");  // other: two_counts
  else
    asm volatile("bar.sync 1, 64;" ::: "memory");  // here: two_counts
  values[threadIdx.x] = 1;
}

__global__ void never_meet(int* values) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");  // here: never_meet
  __syncthreads();
  values[threadIdx.x] = 1;
}

__global__ void not_a_member(int* values) {
  if (threadIdx.x < 16) {
    __syncwarp(0x7fff);  // here: not_a_member
    values[threadIdx.x] = 1;
  }
}

__global__ void absent_member(int* values) {
  int v = threadIdx.x;
  if (threadIdx.x < 20) v = __shfl_xor_sync(0xffffffff, v, 1);  // here: absent_member
  values[threadIdx.x] = v;
}

__global__ void inactive_source(int* values) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v = __shfl_down_sync(0xffff, v, 1, 32);  // here: inactive_source
  values[threadIdx.x] = v;
}

// Without a mistake.

__global__ void last_block(const int* values, volatile int* partial, unsigned* arrived, int* sum) {
  __shared__ int tile[64];
  __shared__ bool last;
  const int t = threadIdx.x;
  tile[t] = values[blockIdx.x * 64 + t];
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) tile[t] += tile[t + s];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = tile[0];
    __threadfence();
    last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) all += partial[i];
    *sum = all;
  }
}

__global__ void locked(int* lock, int* counter) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  counter[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void producers(int* values) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) {
    tile[t] = values[t];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    values[t] = tile[t - 64] * 2;
  }
}

__global__ void warp_sums(int* values) {
  __shared__ int tile[32];
  int v = values[threadIdx.x];
  for (int s = 16; s > 0; s /= 2) v += __shfl_down_sync(0xffffffff, v, s);
  tile[threadIdx.x] = v;
  __syncwarp();
  values[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void flags(int* found, unsigned char* bytes, int* bins) {
  __shared__ int local[8];
  if (threadIdx.x < 8) local[threadIdx.x] = 0;
  __syncthreads();
  *found = 1;  // the same by all
  bytes[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  atomicAdd(&local[threadIdx.x % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* mistake) {
    return argc > 1 && std::strcmp(argv[1], mistake) == 0;
  };
  int *values = nullptr, *other = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&values), 256 * sizeof(int));
  cudaMalloc(reinterpret_cast<void**>(&other), 256 * sizeof(int));
  cudaMemset(values, 0, 256 * sizeof(int));
  if (!asked("unwritten")) cudaMemset(other, 0, 256 * sizeof(int));
  if (asked("past_the_end")) past_the_end<<<3, 128>>>(values, 256);
  if (asked("freed")) cudaFree(other), freed<<<1, 32>>>(other, values), other = nullptr;
  if (asked("straddle")) straddle<<<1, 32>>>(reinterpret_cast<char*>(values));
  if (asked("past_the_tile")) past_the_tile<<<1, 64, 64 * sizeof(int)>>>(values);
  if (asked("no_barrier")) no_barrier<<<1, 128>>>(values, false);
  if (asked("read_then_write")) read_then_write<<<1, 64>>>(values);
  if (asked("between_ctas")) between_ctas<<<2, 64>>>(values);
  if (asked("same_at_first")) same_at_first<<<2, 64>>>(values);
  if (asked("one_releases")) one_releases<<<1, 64>>>(values, false);
  if (asked("one_place")) one_place<<<1, 32>>>(values);
  if (asked("unwritten")) unwritten<<<1, 64>>>(other, values);
  if (asked("unwritten_tile")) unwritten_tile<<<1, 64>>>(values);
  if (asked("divergent")) divergent<<<1, 64>>>(values);
  if (asked("two_places")) two_places<<<1, 64>>>(values);
  if (asked("two_counts")) two_counts<<<1, 64>>>(values);
  if (asked("never_meet")) never_meet<<<1, 64>>>(values);
  if (asked("not_a_member")) not_a_member<<<1, 32>>>(values);
  if (asked("absent_member")) absent_member<<<1, 32>>>(values);
  if (asked("inactive_source")) inactive_source<<<1, 32>>>(values);
  if (asked("none") || asked("leak")) {
    no_barrier<<<1, 128>>>(values, true);
    one_releases<<<1, 64>>>(values, true);
    last_block<<<4, 64>>>(values, other, reinterpret_cast<unsigned*>(other + 128), other + 129);
    locked<<<8, 64>>>(other + 130, other + 131);
    producers<<<1, 128>>>(values);
    warp_sums<<<1, 32>>>(values);
    flags<<<2, 64>>>(other + 132, reinterpret_cast<unsigned char*>(values), other + 140);
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 4;
  if (!asked("leak")) cudaFree(values), cudaFree(other);
  std::printf("PASS\n");
  return 0;
}
