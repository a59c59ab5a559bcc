// Three kernels that a device runs with everything recorded.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "tests/laws/device_bench.h"

namespace heddle::gpu {

using laws::DeviceBench;

// Numbers that are the same everywhere.
template <class T>
std::vector<T> numbers(std::size_t count, std::uint32_t below) {
  std::vector<T> all(count);
  std::uint32_t state = 1;
  for (T& value : all)
    value = static_cast<T>((state = state * 1664525u + 1013904223u) / 65536 % below);
  return all;
}

inline void sparse_product(DeviceBench& bench) {
  constexpr int kRows = 300;
  std::vector<int> starts{0};
  for (const int length : numbers<int>(kRows, 23)) starts.push_back(starts.back() + length);
  const auto count = static_cast<std::size_t>(starts.back());
  const auto rows = bench.copy(starts), columns = bench.copy(numbers<int>(count, kRows)),
             values = bench.copy(numbers<float>(count, 9)),
             x = bench.copy(numbers<float>(kRows, 9)), y = bench.zeros<float>(kRows);
  bench.begin(laws::reference_text("spmv"), "spmv", {3, 1, 1}, {128, 1, 1}, rows, columns, values,
              x, y, kRows);
}
inline void sum(DeviceBench& bench) {
  constexpr int kCount = 4000;
  const auto in = bench.copy(numbers<float>(kCount, 100)), out = bench.zeros<float>(40);
  bench.begin(laws::reference_text("reduce"), "reduce", {8, 1, 1}, {256, 1, 1}, in, out, kCount);
}
inline void product(DeviceBench& bench) {
  constexpr int kSide = 32;
  const auto a = bench.copy(numbers<float>(kSide * kSide, 9)),
             b = bench.copy(numbers<float>(kSide * kSide, 9)),
             c = bench.zeros<float>(kSide * kSide);
  bench.begin(laws::reference_text("sgemm"), "sgemm", {2, 2, 1}, {16, 16, 1}, a, b, c, kSide);
}

inline config::RunSpec watched(const std::string& gpu, const std::string& scheduler) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu(gpu);
  spec.scheduler = scheduler;
  spec.watch.details = spec.watch.first_warp = spec.watch.cta_sharing = true;
  spec.watch.interval = 200;
  spec.watch.timeline_path = "timeline";
  return spec;
}

// A product of a sparse matrix, then a sum beside a product.
inline void run_watched(DeviceBench& bench) {
  sparse_product(bench);
  bench.finish();
  sum(bench), product(bench);
  bench.finish();
}

}  // namespace heddle::gpu
