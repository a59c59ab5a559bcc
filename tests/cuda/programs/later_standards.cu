// Features of C++20 and C++23 in cuda::std, in a C++17 program, in kernels and on the host.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cmath>
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

__global__ void ask(bool* answer) { *answer = right(); }

int main() {
  bool* answer = nullptr;
  cudaMallocManaged(&answer, sizeof *answer);
  ask<<<1, 1>>>(answer);
  cudaDeviceSynchronize();
  std::puts(*answer && right() ? "PASS" : "FAIL");
}
