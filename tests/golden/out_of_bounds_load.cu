// Every thread loads both neighbours of its element, also outside the array, and uses only those
// inside.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void smooth(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile const float* at = in + i;
  float left = at[-1], right = at[1];
  if (i == 0) left = at[0];
  if (i == n - 1) right = at[0];
  out[i] = left + right;
}

int main() {
  constexpr int n = 256;
  float host[n], *in = nullptr, *out = nullptr;
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  cudaMalloc(reinterpret_cast<void**>(&in), sizeof host);
  cudaMalloc(reinterpret_cast<void**>(&out), sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  for (int turn = 0; turn < 3; ++turn) smooth<<<2, n / 2>>>(in, out, n);
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  if (host[0] != 1 || host[1] != 2 || host[n - 1] != 2 * n - 3) return 4;
  std::printf("PASS\n");
  return 0;
}
