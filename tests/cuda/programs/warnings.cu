// Code that nvcc and g++ accept with a warning: register, narrowing in braces, literals next to a
// macro, literals as char*, a template keyword before a name without arguments.
#include <cinttypes>
#include <cstdio>

struct Pair {
  unsigned count;
  float value;
};

struct Plain {
  template <typename T>
  static __device__ void store(T* to, T value) {
    *to = value;
  }
};

template <typename Way>
__device__ void store(float* to, float value) {
  Way::template store(to, value);
}

__global__ void mix(int n, float* out) {
  register int three = 3;
  unsigned list[2] = {n, n + 1};
  Pair pair{n, n};
  store<Plain>(out, list[1] + three + pair.count + pair.value);
}

int main(int argc, char**) {
  float* out;
  cudaMallocManaged(&out, sizeof *out);
  dim3 grid{argc, 1, 1};
  mix<<<grid, 1>>>(argc, out);
  cudaDeviceSynchronize();
  register float expected = 3 * argc + 4;
  char* verdict = "FAIL";
  if (*out == expected) verdict = "PASS";
  char number[8];
  std::snprintf(number, sizeof number, "%" PRIu64 "!", std::uint64_t{7});
  std::puts(number[0] == '7' && number[1] == '!' ? verdict : "FAIL");
}
