// Device code in two files: functions and variables of the other one.
#include <cstdio>

extern __device__ int twice(int);
extern __device__ int counter;
extern __constant__ int table[4];
void show(int* out);

__global__ void use(int* out) {
  out[0] = twice(21);
  out[1] = counter + table[1];
  counter = 9;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 3 * sizeof(int));
  use<<<1, 1>>>(out);
  show(out);
  cudaDeviceSynchronize();
  std::puts(out[0] == 42 && out[1] == 7 && out[2] == 9 ? "PASS" : "FAIL");
}
