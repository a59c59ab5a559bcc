// Compiled with -use_fast_math: checks CUDA's documented errors of the approximate functions.
// Prints PASS or FAIL.
#include <cmath>
#include <cstdio>

constexpr int kInputs = 4096;

// sin and cos between -pi and pi, e^x and log outside [0.5, 2], x / y, square root, flushed
// denormals.
__global__ void apply(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = -3.1415926f + 6.2831852f * i / kInputs, y = 2.5f + 0.25f * i;
  out[i] = sinf(x);
  out[i + kInputs] = cosf(x);
  out[i + 2 * kInputs] = expf(x);
  out[i + 3 * kInputs] = logf(y);
  out[i + 4 * kInputs] = x / y;
  out[i + 5 * kInputs] = sqrtf(y);
  out[i + 6 * kInputs] = y * 1e-30f * 1e-12f;
}

static double ulps(float got, double want) {
  int exponent = 0;
  frexp(want, &exponent);
  return fabs(got - want) / ldexp(1.0, exponent - 24);
}

int main() {
  static float out[7 * kInputs];
  float* device = nullptr;
  cudaMalloc(&device, sizeof out);
  apply<<<kInputs / 128, 128>>>(device);
  if (cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  double worst[6] = {};
  bool flushed = true;
  for (int i = 0; i < kInputs; ++i) {
    const float x = -3.1415926f + 6.2831852f * i / kInputs, y = 2.5f + 0.25f * i;
    worst[0] = fmax(worst[0], fabs(out[i] - sin(double(x))));
    worst[1] = fmax(worst[1], fabs(out[i + kInputs] - cos(double(x))));
    worst[2] = fmax(worst[2], ulps(out[i + 2 * kInputs], exp(double(x))) - floor(fabs(1.173 * x)));
    worst[3] = fmax(worst[3], ulps(out[i + 3 * kInputs], log(double(y))));
    worst[4] = fmax(worst[4], x == 0 ? 0 : ulps(out[i + 4 * kInputs], double(x) / y));
    worst[5] = fmax(worst[5], ulps(out[i + 5 * kInputs], sqrt(double(y))));
    flushed = flushed && out[i + 6 * kInputs] == 0;
  }
  const double bounds[6] = {0x1.81p-22, 0x1.c0p-22, 2, 3,
                            2,          1};  // 2^-21.41, 2^-21.19; for e^x 2 + floor(|1.173 x|) ulp
  bool right = flushed;
  for (int i = 0; i < 6; ++i) right = right && worst[i] <= bounds[i];
  std::printf("RESULT fast math %s %g %g %g %g %g %g\n", right ? "PASS" : "FAIL", worst[0],
              worst[1], worst[2], worst[3], worst[4], worst[5]);
  return !right;
}
