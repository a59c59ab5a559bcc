// Thrust: vectors, sorts, scans, reductions, compaction, fancy iterators, device lambdas.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <vector>

#include "check.h"

namespace {

std::vector<int> back(const thrust::device_vector<int>& from) {
  std::vector<int> to(from.size());
  thrust::copy(from.begin(), from.end(), to.begin());
  return to;
}

struct Even {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};

// The number of 50 random points in the quarter circle.
struct Pi {
  __host__ __device__ float operator()(unsigned seed) const {
    thrust::default_random_engine engine(seed * 7919u + 1);
    thrust::uniform_real_distribution<float> place(0, 1);
    float inside = 0;
    for (int i = 0; i < 50; ++i) {
      const float x = place(engine), y = place(engine);
      if (x * x + y * y <= 1) inside += 1;
    }
    return 4 * inside / 50;
  }
};

struct Saxpy {
  template <class Tuple>
  __host__ __device__ void operator()(Tuple t) const {
    thrust::get<1>(t) += 3 * thrust::get<0>(t);
  }
};

// thrust::device inside a kernel: each thread works alone.
__global__ void algorithms_in_a_thread(int* values, int count, int* answers) {
  thrust::sort(thrust::device, values, values + count);
  answers[0] = thrust::reduce(thrust::device, values, values + count);
  answers[1] = static_cast<int>(thrust::count_if(thrust::device, values, values + count, Even()));
  answers[2] =
      static_cast<int>(thrust::find(thrust::device, values, values + count, values[7]) - values);
}

__global__ void sort_in_a_thread(int* values, int count) {
  if (threadIdx.x == 0) thrust::sort(thrust::seq, values, values + count);
}

void sorts_and_keys(const std::vector<int>& values) {
  const int count = static_cast<int>(values.size());
  thrust::device_vector<int> keys(values.begin(), values.end()), places(count);
  thrust::sequence(places.begin(), places.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin(), thrust::greater<int>());
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] > values[b]; });
  check(back(places) == order, "stable_sort_by_key");

  std::map<int, int, std::greater<int>> times;
  for (const int value : values) ++times[value];
  thrust::device_vector<int> found(count), sums(count);
  const auto ends = thrust::reduce_by_key(
      keys.begin(), keys.end(), thrust::constant_iterator<int>(1), found.begin(), sums.begin());
  check(ends.first - found.begin() == static_cast<int>(times.size()),
        "reduce_by_key finds every key");
  int place = 0;
  const std::vector<int> counted = back(sums);
  for (const auto& [key, number] : times) check(counted[place++] == number, "reduce_by_key counts");

  thrust::reverse(keys.begin(), keys.end());
  const std::vector<int> up = back(keys);
  thrust::device_vector<int> bounds(257);
  thrust::lower_bound(keys.begin(), keys.end(), thrust::counting_iterator<int>(0),
                      thrust::counting_iterator<int>(257), bounds.begin());
  const std::vector<int> low = back(bounds);
  for (int i = 0; i < 257; ++i)
    check(low[i] == std::lower_bound(up.begin(), up.end(), i) - up.begin(), "lower_bound");
}

void scans_and_sums(const std::vector<int>& values) {
  const int count = static_cast<int>(values.size());
  const thrust::device_vector<int> given(values.begin(), values.end());
  thrust::device_vector<int> sums(count);
  thrust::inclusive_scan(given.begin(), given.end(), sums.begin());
  std::vector<int> wanted(count);
  std::partial_sum(values.begin(), values.end(), wanted.begin());
  check(back(sums) == wanted, "inclusive_scan");
  check(thrust::inner_product(given.begin(), given.end(), given.begin(), 0) ==
            std::inner_product(values.begin(), values.end(), values.begin(), 0),
        "inner_product");

  thrust::device_vector<int> even(count);
  even.erase(thrust::copy_if(given.begin(), given.end(), even.begin(), Even()), even.end());
  std::vector<int> wanted_even;
  std::copy_if(values.begin(), values.end(), std::back_inserter(wanted_even), Even());
  check(back(even) == wanted_even, "copy_if");

  const float pi = thrust::transform_reduce(thrust::counting_iterator<unsigned>(0),
                                            thrust::counting_iterator<unsigned>(2000), Pi(), 0.0f,
                                            thrust::plus<float>()) /
                   2000;
  check(std::fabs(pi - 3.14159f) < 0.05f, "transform_reduce of random numbers");
}

}  // namespace

int main() {
  std::vector<int> values(5000);
  for (int i = 0; i < 5000; ++i) values[i] = i * 7919 % 257;
  sorts_and_keys(values);
  scans_and_sums(values);

  thrust::device_vector<float> x(1000, 2.0f), y(1000);
  thrust::sequence(y.begin(), y.end());
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end())), Saxpy());
  check(y[0] == 6 && y[999] == 1005, "for_each of a zip");

  thrust::device_vector<int> few(values.begin(), values.begin() + 200);
  sort_in_a_thread<<<1, 32>>>(thrust::raw_pointer_cast(few.data()), 200);
  check(cudaDeviceSynchronize() == cudaSuccess && thrust::is_sorted(few.begin(), few.end()),
        "a sort inside a kernel");

  thrust::device_vector<int> mixed(values.begin(), values.begin() + 200), answers(3);
  algorithms_in_a_thread<<<1, 1>>>(thrust::raw_pointer_cast(mixed.data()), 200,
                                   thrust::raw_pointer_cast(answers.data()));
  check(back(mixed) == back(few), "a sort by the policy of the device inside a kernel");
  check(answers[0] == std::accumulate(values.begin(), values.begin() + 200, 0),
        "a sum inside a kernel");
  check(answers[1] == std::count_if(values.begin(), values.begin() + 200, Even()),
        "a count inside a kernel");
  check(answers[2] == 7, "a search inside a kernel");

  bool thrown = false;
  try {
    const thrust::device_vector<char> too_much(std::size_t{1} << 50);
  } catch (const std::bad_alloc&) {
    thrown = true;
    cudaGetLastError();
  }
  check(thrown, "memory that is not there");
  return report();
}
