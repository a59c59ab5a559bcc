// Features of C++20 and C++23 in cuda::std, in a C++17 program, in kernels and on the host.
#include <cuda_bf16.hpp>
#include <cuda_fp8.hpp>
#include <curand_philox4x32_x.h>

#include <cstdio>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/memory>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace std_ = cuda::std;

static_assert(std_::is_same_v<std_::remove_cvref_t<const int&>, int>, "remove_cvref");
static_assert(std_::is_same_v<std_::type_identity_t<float>, float>, "type_identity");
static_assert(std_::is_bounded_array_v<int[3]> && std_::is_unbounded_array_v<int[]>, "arrays");
static_assert(std_::integral<char> && !std_::integral<float> && std_::floating_point<double> &&
                  std_::same_as<int, int>,
              "concepts");
static_assert(std_::regular<int> && std_::totally_ordered<int> &&
                  std_::convertible_to<int, double> && !std_::convertible_to<int*, int>,
              "concepts");
static_assert(std_::endian::native == std_::endian::little, "endian");

enum class Colour : unsigned char { green = 7 };

__host__ __device__ bool right() {
  const int numbers[3] = {4, 5, 6};
  const auto copy = std_::to_array(numbers);
  bool all = copy[2] == 6 && std_::ssize(copy) == 3 && std_::ssize(numbers) == 3;
  all = all && std_::identity{}(11) == 11 && std_::to_underlying(Colour::green) == 7 &&
        std_::byteswap(0x11223344u) == 0x44332211u;
  all = all && std_::cmp_less(-1, 1u) && !std_::cmp_equal(-1, 0xffffffffu) &&
        std_::in_range<unsigned char>(255) && !std_::in_range<unsigned char>(-1);
  all = all && std_::midpoint(2147483647, 2147483645) == 2147483646 && std_::midpoint(7, -2) == 3 &&
        std_::midpoint(1.0f, 2.0f) == 1.5f;
  all = all && std_::lerp(2.0, 4.0, 0.25) == 2.5 && std_::numbers::pi_v<float> > 3.14159f &&
        std_::numbers::e < 2.7182819 && std_::addressof(all) == &all;
  return all;
}

// Swaps by a qualified name, and by the name that arguments may add to.
__host__ __device__ bool swaps() {
  using std_::swap;
  int a = 1, b = 2, some[2] = {3, 4}, others[2] = {5, 6};
  std_::swap(a, b);
  swap(some, others);
  std_::complex<float> x(1, 2), y(3, 4);
  swap(x, y);
  const int former = std_::exchange(a, 9);
  return former == 2 && a == 9 && b == 1 && some[1] == 6 && others[0] == 3 && x.real() == 3;
}

// CUDA 13.0 has no such header.
#if __has_include(<cuda/std/algorithm>)
__host__ __device__ bool algorithms() {
  int list[6], copy[6];
  std_::iota(list, list + 6, 1);
  std_::reverse(list, list + 5);  // 5 4 3 2 1 6
  bool all = list[0] == 5 && list[2] == 3 && list[4] == 1;
  std_::reverse(list, list + 5);
  std_::copy(list, list + 6, copy);
  std_::transform(list, list + 6, copy, copy, [](int a, int b) { return a * b; });
  std_::transform(copy, copy + 6, copy, [](int a) { return a - 1; });  // 0 3 8 15 24 35
  all = all && std_::lower_bound(copy, copy + 6, 8) == copy + 2 &&
        std_::upper_bound(copy, copy + 6, 8) == copy + 3 &&
        std_::lower_bound(copy, copy + 6, 99) == copy + 6 &&
        std_::find(copy, copy + 6, 15)[1] == 24;
  all = all && std_::accumulate(copy, copy + 6, 0) == 85 && std_::reduce(list, list + 6, 1) == 22 &&
        std_::inner_product(list, list + 3, copy, 0) == 30;
  const auto is_odd = [](int a) { return a % 2 != 0; };
  all = all && std_::count_if(copy, copy + 6, is_odd) == 3 &&
        std_::any_of(copy, copy + 6, is_odd) && !std_::all_of(copy, copy + 6, is_odd) &&
        !std_::none_of(copy, copy + 6, is_odd);
  std_::fill(list, list + 3, 7);
  std_::fill_n(list + 3, 2, 8);
  std_::copy_n(list, 4, copy);
  int sum = 0;
  std_::for_each(copy, copy + 4, [&sum](int a) { sum += a; });
  return all && std_::equal(list, list + 4, copy) && !std_::equal(list, list + 5, copy) &&
         sum == 29;
}
#else
__host__ __device__ bool algorithms() { return true; }
#endif

__global__ void ask(bool* answer) { *answer = right() && swaps() && algorithms(); }

int main() {
  bool* answer = nullptr;
  cudaMallocManaged(&answer, sizeof *answer);
  ask<<<1, 1>>>(answer);
  cudaDeviceSynchronize();
  std::puts(*answer && right() && swaps() && algorithms() ? "PASS" : "FAIL");
}
