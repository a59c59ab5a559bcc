// Blocks of a cluster use the shared memory of each other. Prints PASS or FAIL.
#include <cooperative_groups.h>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 128;

// A histogram whose bins are divided among the blocks of the cluster.
__global__ void histogram(int* bins, int count, const int* values, int values_count) {
  extern __shared__ int own[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int here = count / static_cast<int>(cluster.num_blocks());
  for (int i = static_cast<int>(threadIdx.x); i < here; i += kThreads) own[i] = 0;
  cluster.sync();
  for (int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x); i < values_count;
       i += static_cast<int>(gridDim.x * kThreads)) {
    const int bin = values[i] % count;
    atomicAdd(cluster.map_shared_rank(own, bin / here) + bin % here, 1);
  }
  cluster.sync();
  const int first = here * static_cast<int>(cluster.block_rank());
  for (int i = static_cast<int>(threadIdx.x); i < here; i += kThreads)
    atomicAdd(bins + first + i, own[i]);
}

// Each block adds up its values; the first block of a cluster reads the sums of the others.
__global__ void __cluster_dims__(2, 2, 1) sums(unsigned* out) {
  __shared__ unsigned own;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) own = 0;
  __syncthreads();
  atomicAdd(&own, (blockIdx.y * gridDim.x + blockIdx.x) * kThreads + threadIdx.x);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x < 32) {
    unsigned sum = 0;
    if (threadIdx.x < cluster.num_blocks())
      sum = *cluster.map_shared_rank(&own, static_cast<int>(threadIdx.x));
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x == 0)
      out[blockIdx.y / 2 * (gridDim.x / 2) + blockIdx.x / 2] =
          sum + (cluster.dim_blocks().y == 2 && cluster.block_index().x == 0 ? 0 : 1);
  }
  cluster.sync();
}

// Values go round a ring of blocks, by vectors; arrival and wait of the barrier are apart.
__global__ void ring(int4* out, int rounds) {
  __shared__ int4 buffers[2][kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  const int blocks = static_cast<int>(cluster.num_blocks()),
            rank = static_cast<int>(cluster.block_rank()), t = static_cast<int>(threadIdx.x);
  buffers[0][t] = make_int4(rank, t, rank * t, -rank);
  for (int round = 0; round < rounds; ++round) {
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(static_cast<decltype(token)&&>(token));
    const int4 mine = buffers[round % 2][t];
    cluster.map_shared_rank(buffers[(round + 1) % 2], (rank + 1) % blocks)[t] = mine;
  }
  cluster.sync();
  out[blockIdx.x * kThreads + t] = buffers[rounds % 2][t];
}

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ unsigned mapped(unsigned address, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
}
__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred p;\nagain:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again;\n}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

constexpr unsigned kBytes = 512;

// One block copies a tile from global memory to all blocks; each sends a part of it on to its
// neighbour, by st.async and by a bulk copy, and announces itself at the neighbour's mbarrier.
__global__ void copies(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned tile[kBytes / 4], sent[kBytes / 4], stored[kThreads];
  __shared__ unsigned long long full, arrived, moved;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x,
                 next = (rank + 1) % blocks;
  const unsigned full_at = shared_address(&full), arrived_at = shared_address(&arrived),
                 moved_at = shared_address(&moved);
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(full_at));
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(arrived_at), "r"(kThreads));
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(moved_at));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(full_at), "r"(kBytes)
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(moved_at),
                 "r"(kBytes + 4 * kThreads)
                 : "memory");
  }
  cluster.sync();
  if (rank == 1 && t == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(tile)),
        "l"(in + blockIdx.x / blocks * (kBytes / 4)), "r"(kBytes), "r"(full_at),
        "h"(static_cast<unsigned short>((1u << blocks) - 1))
        : "memory");
  wait(full_at, 0);
  asm volatile(
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(arrived_at, next))
      : "memory");
  if (t == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(mapped(shared_address(sent), next)),
        "r"(shared_address(tile)), "r"(kBytes), "r"(mapped(moved_at, next))
        : "memory");
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
          mapped(shared_address(stored + t), next)),
      "r"(rank * 1000 + t), "r"(mapped(moved_at, next))
      : "memory");
  wait(arrived_at, 0);
  wait(moved_at, 0);
  out[blockIdx.x * kThreads + t] = tile[t] + sent[t] + stored[t];
  cluster.sync();
}

// Each block adds its values to those of its neighbour, by a bulk reduction and by red.async, and
// to global memory.
__global__ void __cluster_dims__(4, 1, 1) additions(unsigned* out, unsigned* total) {
  __shared__ alignas(16) unsigned own[32], sums[32];
  __shared__ unsigned long long arrived;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x,
                 next = (rank + 1) % blocks;
  own[t] = 100 * rank + t, sums[t] = 1000;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&arrived)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile(
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&arrived)),
        "r"(256)
        : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  cluster.sync();
  const unsigned sums_there = mapped(shared_address(sums), next),
                 arrived_there = mapped(shared_address(&arrived), next);
  asm volatile(
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, "
      "[%2];" ::"r"(sums_there + 4 * t),
      "r"(t), "r"(arrived_there)
      : "memory");
  if (t == 0) {
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
        "[%0], [%1], 128, [%2];" ::"r"(sums_there),
        "r"(shared_address(own)), "r"(arrived_there)
        : "memory");
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 128;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(total),
        "r"(shared_address(own))
        : "memory");
  }
  wait(shared_address(&arrived), 0);
  out[blockIdx.x * 32 + t] = sums[t];
  cluster.sync();
}

// Lanes of one instruction access global memory and the shared memory of the neighbour.
__global__ void __cluster_dims__(2, 1, 1) mixed(unsigned* out, unsigned* words) {
  __shared__ unsigned own[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  own[t] = 100 * rank + t;
  cluster.sync();
  unsigned* const place =
      t % 2 ? cluster.map_shared_rank(own + t, 1 - rank) : words + 32 * blockIdx.x + t;
  const unsigned loaded = *static_cast<volatile unsigned*>(place);
  const unsigned added = atomicAdd(place, 1000);
  __syncwarp();
  *static_cast<volatile unsigned*>(place) = loaded + added + 7;
  cluster.sync();
  out[32 * blockIdx.x + t] = t % 2 ? own[t] : words[32 * blockIdx.x + t];
}

template <class T>
T* managed(std::size_t count) {
  T* memory = nullptr;
  EXPECT(cudaMallocManaged(&memory, count * sizeof(T)) == cudaSuccess);
  for (std::size_t i = 0; i < count; ++i) memory[i] = T{};
  return memory;
}

#ifdef __block_size__
// A launch counts clusters.
__block_size__((32, 1, 1), (2, 1, 1)) __global__ void counted_in_clusters(unsigned* out) {
  out[blockIdx.x * 32 + threadIdx.x] = gridDim.x * 100 + cg::this_cluster().block_rank();
}
void test_counted_in_clusters() {
  unsigned* out = managed<unsigned>(6 * 32);
  counted_in_clusters<<<3>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 6 * 32; ++i) EXPECT(out[i] == 600 + i / 32 % 2);
}
#else
void test_counted_in_clusters() {}
#endif

// What the registers and predicates say.
__global__ void describe(unsigned* out) {
  unsigned v[10], address, rank, is_cta, is_cluster, is_explicit;
  __shared__ int word;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(v[0]));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(v[1]));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(v[2]));
  asm("mov.u32 %0, %%nclusterid.y;" : "=r"(v[3]));
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[4]));
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[5]));
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[6]));
  asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[7]));
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[8]));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[9]));
  asm("{.reg .pred p;\nmov.pred p, %%is_explicit_cluster;\nselp.u32 %0, 1, 0, p;}"
      : "=r"(is_explicit));
  address = mapped(shared_address(&word), (v[8] + 1) % v[9]);
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(address));
  const int* const there = cg::this_cluster().map_shared_rank(&word, (v[8] + 1) % v[9]);
  asm("{.reg .pred p;\nisspacep.shared::cta p, %1;\nselp.u32 %0, 1, 0, p;}"
      : "=r"(is_cta)
      : "l"(there));
  asm("{.reg .pred p;\nisspacep.shared::cluster p, %1;\nselp.u32 %0, 1, 0, p;}"
      : "=r"(is_cluster)
      : "l"(there));
  if (threadIdx.x != 0) return;
  unsigned* const mine = out + 14 * (blockIdx.y * gridDim.x + blockIdx.x);
  for (int i = 0; i < 10; ++i) mine[i] = v[i];
  mine[10] = rank, mine[11] = is_explicit, mine[12] = is_cta, mine[13] = is_cluster;
}

template <class... Parameters, class... Arguments>
cudaError_t launch(dim3 grid, dim3 cluster, std::size_t shared, void (*kernel)(Parameters...),
                   Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

void test_histogram() {
  constexpr int kBins = 1024, kValues = 4096, kBlocks = 16;
  int *values = managed<int>(kValues), *bins = managed<int>(kBins);
  std::vector<int> expected(kBins);
  for (int i = 0; i < kValues; ++i)
    ++expected[static_cast<unsigned>(values[i] = i * 37 % 5003) % kBins];
  EXPECT(launch(dim3(kBlocks), dim3(4), kBins / 4 * sizeof(int), histogram, bins, kBins, values,
                kValues) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kBins; ++i) EXPECT(bins[i] == expected[static_cast<std::size_t>(i)]);
}

void test_sums() {
  unsigned* out = managed<unsigned>(6);
  sums<<<dim3(6, 4), kThreads>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned c = 0; c < 6; ++c) {
    unsigned sum = 0;
    for (unsigned b = 0; b < 4; ++b) {
      const unsigned block = (c / 3 * 2 + b / 2) * 6 + c % 3 * 2 + b % 2;
      for (unsigned t = 0; t < kThreads; ++t) sum += block * kThreads + t;
    }
    EXPECT(out[c] == sum);
  }
  EXPECT((sums<<<dim3(5, 4), kThreads>>>(out), cudaGetLastError()) == cudaErrorInvalidClusterSize);
  EXPECT(launch(dim3(4, 4), dim3(4), 0, sums, out) == cudaErrorInvalidClusterSize);
}

void test_ring() {
  constexpr int kBlocks = 24, kRounds = 5;
  int4* out = managed<int4>(kBlocks * kThreads);
  for (int size : {8, 3}) {
    EXPECT(launch(dim3(kBlocks), dim3(size), 0, ring, out, kRounds) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int b = 0; b < kBlocks; ++b)
      for (int t = 0; t < kThreads; ++t) {
        const int from = (b % size + kRounds * (size - 1)) % size;
        const int4 got = out[b * kThreads + t];
        EXPECT(got.x == from && got.y == t && got.z == from * t && got.w == -from);
      }
  }
}

void test_copies() {
  constexpr unsigned kBlocks = 8, kSize = 4;
  unsigned *in = managed<unsigned>(kBlocks / kSize * kBytes / 4),
           *out = managed<unsigned>(kBlocks * kThreads);
  for (unsigned i = 0; i < kBlocks / kSize * kBytes / 4; ++i) in[i] = i * i;
  EXPECT(launch(dim3(kBlocks), dim3(kSize), 0, copies, static_cast<const unsigned*>(in), out) ==
         cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned b = 0; b < kBlocks; ++b)
    for (unsigned t = 0; t < kThreads; ++t)
      EXPECT(out[b * kThreads + t] ==
             2 * in[b / kSize * (kBytes / 4) + t] + (b % kSize + kSize - 1) % kSize * 1000 + t);
}

void test_additions() {
  constexpr unsigned kBlocks = 8, kSize = 4;
  unsigned *out = managed<unsigned>(kBlocks * 32), *total = managed<unsigned>(32);
  additions<<<kBlocks, 32>>>(out, total);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < kBlocks * 32; ++i)
    EXPECT(out[i] == 1000 + 100 * ((i / 32 + kSize - 1) % kSize) + 2 * (i % 32));
  for (unsigned t = 0; t < 32; ++t) EXPECT(total[t] == kBlocks / kSize * 600 + kBlocks * t);
}

void test_mixed() {
  unsigned *out = managed<unsigned>(4 * 32), *words = managed<unsigned>(4 * 32);
  for (unsigned i = 0; i < 4 * 32; ++i) words[i] = 5 * i;
  mixed<<<4, 32>>>(out, words);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 4 * 32; ++i)
    EXPECT(out[i] == 7 + 2 * (i % 2 ? 100 * (i / 32 % 2) + i % 32 : 5 * i));
}

void test_description() {
  unsigned* out = managed<unsigned>(14 * 32);
  EXPECT(launch(dim3(8, 4), dim3(4, 2), 0, describe, out) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned y = 0; y < 4; ++y)
    for (unsigned x = 0; x < 8; ++x) {
      const unsigned rank = y % 2 * 4 + x % 4;
      const unsigned expected[14] = {x / 4, y / 2,          2, 2, x % 4, y % 2, 4, 2, rank,
                                     8,     (rank + 1) % 8, 1, 0, 1};
      for (int i = 0; i < 14; ++i) EXPECT(out[14 * (y * 8 + x) + i] == expected[i]);
    }
}

void test_limits() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 16, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(32), config.blockDim = dim3(kThreads);
  config.attrs = &attribute, config.numAttrs = 1;
  int4* out = managed<int4>(32 * kThreads);
  int clusters = 0, blocks = 0;
  EXPECT(launch(dim3(32), dim3(16), 0, ring, out, 1) == cudaErrorInvalidClusterSize);
  EXPECT(cudaOccupancyMaxPotentialClusterSize(&blocks, ring, &config) == cudaSuccess);
  EXPECT(blocks == 8);
  EXPECT(cudaFuncSetAttribute(ring, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
         cudaSuccess);
  EXPECT(cudaOccupancyMaxPotentialClusterSize(&blocks, ring, &config) == cudaSuccess);
  EXPECT(blocks == 16);
  EXPECT(cudaOccupancyMaxActiveClusters(&clusters, ring, &config) == cudaSuccess);
  EXPECT(clusters == 132 * 16 / 16);
  EXPECT(launch(dim3(32), dim3(16), 0, ring, out, 1) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int b = 0; b < 32; ++b) EXPECT(out[b * kThreads].x == (b + 15) % 16);
  int supported = 0;
  EXPECT(cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, 0) == cudaSuccess);
  EXPECT(supported == 1);
  cudaFuncAttributes attributes{};
  EXPECT(cudaFuncGetAttributes(&attributes, sums) == cudaSuccess);
  EXPECT(attributes.requiredClusterWidth == 2 && attributes.requiredClusterHeight == 2);
}

int main() {
  test_histogram();
  test_sums();
  test_ring();
  test_copies();
  test_additions();
  test_mixed();
  test_counted_in_clusters();
  test_description();
  test_limits();
  return report();
}
