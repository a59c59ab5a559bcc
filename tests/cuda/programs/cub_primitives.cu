// CUB in kernels and programs: primitives of blocks and warps, and of the device.
#ifdef __NVCC__  // compiles a fifth faster than all of CUB
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#else
#include <cub/cub.cuh>
#endif

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "check.h"

namespace {

constexpr int kCount = 8192, kThreads = 128, kItems = 4;

// CUB is called twice: for the size of its temporary memory, then to work.
template <class Call>
void with_room(Call call) {
  std::size_t bytes = 0;
  void* room = nullptr;
  OK(call(room, bytes));
  OK(cudaMalloc(&room, bytes));
  OK(call(room, bytes));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(room));
}

std::vector<int> back(const int* from, int count) {
  std::vector<int> to(count);
  OK(cudaMemcpy(to.data(), from, count * sizeof(int), cudaMemcpyDeviceToHost));
  return to;
}

// Sorts a tile per block, and computes the tile's sum and, with the warps, the sum of all.
__global__ void sort_tiles(const int* in, int* sorted, int* sums, int* total) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Scan = cub::BlockScan<int, kThreads>;
  using WarpSum = cub::WarpReduce<int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename WarpSum::TempStorage warps[kThreads / 32];
  } room;
  const int first = blockIdx.x * kThreads * kItems;
  int items[kItems];
  Load(room.load).Load(in + first, items);
  __syncthreads();
  const int own = items[0] + items[1] + items[2] + items[3];
  int before = 0, all = 0;
  Scan(room.scan).ExclusiveSum(own, before, all);
  __syncthreads();
  if (threadIdx.x == kThreads - 1) sums[blockIdx.x] = before + own == all ? all : -1;
  // Programs give CUB the functors of libcu++, which its later versions include.
  const int of_warp = WarpSum(room.warps[threadIdx.x / 32]).Reduce(own, cuda::std::plus<>{});
  if (threadIdx.x % 32 == 0) atomicAdd(total, of_warp);
  __syncthreads();
  Sort(room.sort).Sort(items);
  __syncthreads();
  Store(room.store).Store(sorted + first, items);
}

}  // namespace

static_assert(cuda::maximum<>{}(1, 2) == 2, "");

int main() {
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = static_cast<int>(i * 7919u % 1000);
  int *in, *out, *more;
  OK(cudaMalloc(&in, kCount * sizeof(int)));
  OK(cudaMalloc(&out, kCount * sizeof(int)));
  OK(cudaMalloc(&more, kCount * sizeof(int)));
  OK(cudaMemcpy(in, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
  const int sum = std::accumulate(values.begin(), values.end(), 0);

  with_room([&](void* room, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(room, bytes, in, out, kCount);
  });
  check(back(out, 1)[0] == sum, "DeviceReduce");

  with_room([&](void* room, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(room, bytes, in, out, kCount);
  });
  std::vector<int> scanned(kCount);
  std::exclusive_scan(values.begin(), values.end(), scanned.begin(), 0);
  check(back(out, kCount) == scanned, "DeviceScan");

  with_room([&](void* room, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(room, bytes, in, out, kCount);
  });
  std::vector<int> down = values;
  std::sort(down.rbegin(), down.rend());
  check(back(out, kCount) == down, "DeviceRadixSort");

  with_room([&](void* room, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(room, bytes, in, more, 11, 0, 1000, kCount);
  });
  std::vector<int> bins(10);
  for (const int value : values) ++bins[value / 100];
  check(back(more, 10) == bins, "DeviceHistogram");

  OK(cudaMemset(more, 0, kCount * sizeof(int)));
  constexpr int kTile = kThreads * kItems, kTiles = kCount / kTile;
  sort_tiles<<<kTiles, kThreads>>>(in, out, more, more + kTiles);
  OK(cudaDeviceSynchronize());
  std::vector<int> tiles = values;
  const std::vector<int> sums = back(more, kTiles + 1);
  for (int tile = 0; tile < kTiles; ++tile) {
    const auto first = tiles.begin() + tile * kTile;
    check(sums[tile] == std::accumulate(first, first + kTile, 0), "BlockScan");
    std::sort(first, first + kTile);
  }
  check(sums[kTiles] == sum, "WarpReduce");
  check(back(out, kCount) == tiles, "BlockRadixSort");
  return report();
}
