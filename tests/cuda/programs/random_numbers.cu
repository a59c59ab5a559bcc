// Each function consumes as many words of each generator as cuRAND's, and computes the same
// numbers.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

template <class State>
__device__ double* draw(State* state, double* out) {
  *out++ = curand_normal(state);
  *out++ = curand_log_normal(state, 0.3f, 0.7f);
  *out++ = curand_log_normal(state, 1.0f, 0.1f);
  *out++ = curand_normal_double(state);
  *out++ = curand_log_normal_double(state, 0.3, 0.7);
  *out++ = curand_normal_double(state);
  const float2 f = curand_log_normal2(state, 0.3f, 0.7f);
  *out++ = f.x + f.y;
  const double2 d = curand_log_normal2_double(state, 0.3, 0.7);
  *out++ = d.x + d.y;
  *out++ = curand_uniform_double(state);
  *out++ = curand(state);
  return out;
}
template <class Four>
__device__ double sum(Four v) {
  return static_cast<double>(v.x) + v.y + v.z + v.w;
}

__global__ void numbers(double* out) {
  curandStatePhilox4_32_10_t philox;
  curandState xorwow;
  curandStateMRG32k3a mrg;
  curand_init(77, 2, 3, &philox);
  curand_init(77, 2, 3, &xorwow);
  curand_init(77, 2, 3, &mrg);
  out = draw(&philox, out);
  const double2 pair = curand_uniform2_double(&philox);
  *out++ = pair.x + pair.y;
  *out++ = sum(curand_uniform4_double(&philox));
  *out++ = sum(curand_normal4_double(&philox));
  *out++ = sum(curand_log_normal4(&philox, 0.3f, 0.7f));
  *out++ = sum(curand_log_normal4_double(&philox, 0.3, 0.7));
  skipahead_sequence(2, &philox);
  *out++ = curand(&philox);
  out = draw(&xorwow, out);
  out = draw(&mrg, out);
  skipahead_subsequence(5, &mrg);
  *out++ = curand(&mrg);
  skipahead_sequence(3, &mrg);
  *out++ = curand(&mrg);
}

int main() {
  constexpr int kNumbers = 38;
  const double wanted[kNumbers] = {
      -0.459241033,   1.61816072,     1.57078695,  2.01933627,     2.03733896,  -1.66618863,
      8.15570068,     1.93802588,     0.488197785, 3.23433117e+09, 1.13927053,  1.07649657,
      2.26196055,     6.28033036,     10.9938117,  2.34686714e+09, 1.01393235,  0.728725553,
      0.906844795,    0.723962916,    0.875046904, 0.357102011,    4.16948271,  9.06401926,
      0.0300380053,   3.07980236e+09, -1.0236851,  0.791892946,    1.86912751,  -0.359905895,
      0.868221032,    -0.114732922,   2.86438489,  1.34967192,     0.332970779, 2.1065236e+09,
      1.04886237e+09, 555253418};
  double* out = nullptr;
  cudaMallocManaged(&out, sizeof wanted);
  numbers<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  bool right = true;
  for (int i = 0; i < kNumbers; ++i) {
    if (std::fabs(out[i] - wanted[i]) <= 2e-6 * std::fabs(wanted[i])) continue;
    right = false;
    std::printf("number %d is %.9g, not %.9g\n", i, out[i], wanted[i]);
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
