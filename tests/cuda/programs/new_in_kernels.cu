// Objects that kernels create with new and malloc, with virtual functions. Also in C++20, where the
// order of the C++ library's headers differs.
#include <cuda_runtime.h>

#include <cstdio>

struct Shape {
  __device__ virtual int area() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int length) : side(length) {}
  __device__ int area() const override { return side * side; }
};

__global__ void make(int* answers) {
  Shape* shapes[2] = {new Shape, new Square(6)};
  answers[0] = shapes[0]->area() + shapes[1]->area();
  for (Shape* shape : shapes) delete shape;
  int* const numbers = new int[10];
  for (int i = 0; i < 10; ++i) numbers[i] = i * i;
  answers[1] = numbers[9];
  delete[] numbers;
  auto* const bytes = static_cast<char*>(malloc(8));
  memset(bytes, 3, 8);
  answers[2] = bytes[7];
  free(bytes);
}

int main() {
  int* answers = nullptr;
  cudaMallocManaged(&answers, 3 * sizeof *answers);
  make<<<1, 1>>>(answers);
  const bool right = cudaDeviceSynchronize() == cudaSuccess && answers[0] == 36 &&
                     answers[1] == 81 && answers[2] == 3;
  std::puts(right ? "PASS" : "FAIL");
}
