// Code that is selected by its target. Prints PASS or FAIL.
#include <cstdio>

#include <nv/target>

__host__ __device__ int where() { NV_IF_TARGET(NV_IS_HOST, (return 1;), (return 2;)) }
__host__ __device__ int is_new() {
  int found = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_70, (int step = 3; found += step, found += 1;))
  NV_IF_ELSE_TARGET(NV_NO_TARGET, (found = 90;), (found += 10;))
  return found;
}
__host__ __device__ int generation() {
  NV_DISPATCH_TARGET(NV_IS_HOST, (return 0;), NV_PROVIDES_SM_120, (return 120;), NV_PROVIDES_SM_70,
                     (return 70;), NV_PROVIDES_SM_35, (return 35;))
  return -1;
}
__global__ void ask(int* answers) {
  answers[0] = where();
  answers[1] = is_new();
  answers[2] = generation();
}

int main() {
  int *device = nullptr, answers[3] = {};
  cudaMalloc(&device, sizeof answers);
  ask<<<1, 1>>>(device);
  cudaMemcpy(answers, device, sizeof answers, cudaMemcpyDeviceToHost);
  const bool right = where() == 1 && is_new() == 10 && generation() == 0 && answers[0] == 2 &&
                     answers[1] == 14 && answers[2] == 70;
  std::puts(right ? "PASS" : "FAIL");
}
