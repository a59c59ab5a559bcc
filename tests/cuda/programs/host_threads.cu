// Another host thread writes the value that a kernel waits for.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <thread>

__global__ void wait(volatile int* flag, int* out) {
  while (flag[threadIdx.x] == 0) {}
  out[threadIdx.x] = flag[threadIdx.x] + 1;
}

int main() {
  int *flag = nullptr, *on_device = nullptr, *out = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&flag), 32 * sizeof *flag, cudaHostAllocMapped);
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), flag, 0);
  cudaMallocManaged(&out, 32 * sizeof *out);
  for (int i = 0; i < 32; ++i) flag[i] = 0;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    for (int i = 31; i >= 0; --i) const_cast<volatile int*>(flag)[i] = 40 + i;
  });
  wait<<<1, 32>>>(on_device, out);
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  other.join();
  bool right = ran;
  for (int i = 0; i < 32; ++i) right = right && out[i] == 41 + i;
  std::printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
