// Device code in several files: uses functions and variables of the other files.
#include <cstdio>

extern __device__ int twice(int);
extern __device__ int counter;
extern __constant__ int table[4];
extern __device__ int thrice(int);
__device__ int (*chosen)(int) = thrice;
void show(int* out);

__global__ void use(int* out) {
  out[0] = twice(21);
  out[3] = chosen(5);
  out[1] = counter + table[1];
  counter = 9;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4 * sizeof(int));
  use<<<1, 1>>>(out);
  show(out);
  cudaDeviceSynchronize();
  std::puts(out[0] == 42 && out[1] == 7 && out[2] == 9 && out[3] == 15 ? "PASS" : "FAIL");
}
