// constants [CTAS=2]   one warp per CTA reads 16 lines of constants, one after the other; the CTAs
// start with it one after the other
#include "common.h"
constexpr int kLines = 16, kFloats = 16;  // of 64 bytes
__constant__ float table[kLines * kFloats];
extern "C" __global__ void constants(float* out, int wait) {
  float s = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < wait * (int)blockIdx.x; ++i) s = s * 0.5f + 1.0f;
#pragma unroll 1
  for (int i = 0; i < kLines; ++i) s = s * 0.0f + table[i * kFloats];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
int main(int argc, char** argv) {
  int ctas = argi(argc, argv, 1, 2);
  std::vector<float> values(kLines * kFloats);
  for (size_t i = 0; i < values.size(); i++) values[i] = (float)i;
  CK(cudaMemcpyToSymbol(table, values.data(), values.size() * sizeof(float)));
  float* d = dev_zero<float>(ctas * 32);
  constants<<<ctas, 32>>>(d, 6000);
  CK(cudaDeviceSynchronize());
  auto out = host_copy(d, ctas * 32);
  long bad = 0;
  double sum = 0;
  for (float f : out) {
    sum += f;
    if (f != values[(kLines - 1) * kFloats]) bad++;
  }
  verdict("constants", bad, sum);
}
