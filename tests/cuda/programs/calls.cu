// Virtual functions, tables of functions, recursion, printf and malloc, with different behaviour
// per lane.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual int twice() const { return 2 * area(); }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Oblong : Shape {
  int a, b;
  __device__ Oblong(int x, int y) : a(x), b(y) {}
  __device__ int area() const override { return a * b; }
  __device__ int twice() const override { return a * b + area(); }
};

__global__ void shapes(int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  Shape* shape;
  if (t % 3 == 0)
    shape = new Square(t);
  else
    shape = new Oblong(t, 5);
  out[t] = shape->area() + shape->twice();
  delete shape;
}

using Function = int (*)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ Function table[3] = {add, subtract, multiply};
__constant__ Function constant_table[3] = {multiply, add, subtract};

__global__ void tables(int* out) {
  const int t = threadIdx.x;
  const Function f = t & 1 ? add : subtract;
  out[t] = table[t % 3](t, 7) + 1000 * constant_table[t % 3](t, 2) + f(t, 100);
}

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ bool odd(int n);
__device__ __noinline__ bool even(int n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(int n) { return n != 0 && even(n - 1); }

__global__ void recursion(int* out) {
  const int t = threadIdx.x;
  out[t] = fibonacci(t % 12) + (even(t % 20) ? 10000 : 0);
}

__device__ void sort(int* values, int first, int last) {
  if (first >= last) return;
  const int pivot = values[(first + last) / 2];
  int i = first, j = last;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i <= j) {
      const int kept = values[i];
      values[i++] = values[j];
      values[j--] = kept;
    }
  }
  sort(values, first, j);
  sort(values, i, last);
}

__global__ void quicksorts(int* values, int each) {
  sort(values + each * threadIdx.x, 0, each - 1);
}

struct Node {
  int value;
  Node* next;
};

// Every thread allocates its own list, reverses it and frees it.
__global__ void lists(int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  Node* list = nullptr;
  for (int i = 0; i < t % 9; ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    if (!node) break;
    node->value = i;
    node->next = list;
    list = node;
  }
  int sum = 0;
  while (list) {
    Node* next = list->next;
    sum = 10 * sum + list->value;
    free(list);
    list = next;
  }
  out[t] = sum;
}

__global__ void greedy(int* out) {
  void* block = malloc(std::size_t{1} << 20);
  out[threadIdx.x] = block != nullptr;
  if (block) free(block);
  void* volatile huge = nullptr;  // volatile, for a compiler may remove an unused allocation
  if (threadIdx.x == 0) huge = malloc(std::size_t{1} << 40), out[0] = huge == nullptr;
}

// Memory on the thread's stack, of a size that is known at run time.
__global__ void scratch(int* out, int count) {
  int* mine = static_cast<int*>(__builtin_alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) mine[i] = i * static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += mine[i];
  out[threadIdx.x] = sum;
}

__global__ void say() {
  if (threadIdx.x == 0)
    printf("block %d of %u: %s %5.2f|%-4d|%lld %%\n", blockIdx.x, gridDim.x, "three", 1.5, 42,
           -1234567890123LL);
  assert(threadIdx.x < 1000);
}

int main() {
  constexpr int kThreads = 128;
  int* out = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&out), 4 * kThreads * 16);
  std::vector<int> got(kThreads);
  const auto fetch = [&] {
    EXPECT(cudaMemcpy(got.data(), out, 4 * kThreads, cudaMemcpyDeviceToHost) == cudaSuccess);
  };
  shapes<<<2, kThreads / 2>>>(out);
  fetch();
  for (int t = 0; t < kThreads; ++t) EXPECT(got[t] == (t % 3 ? 15 * t : 3 * t * t));
  tables<<<1, kThreads>>>(out);
  fetch();
  for (int t = 0; t < kThreads; ++t) {
    const int first[3] = {t + 7, t - 7, t * 7}, second[3] = {t * 2, t + 2, t - 2};
    EXPECT(got[t] == first[t % 3] + 1000 * second[t % 3] + (t & 1 ? t + 100 : t - 100));
  }
  recursion<<<1, kThreads>>>(out);
  fetch();
  const int fib[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int t = 0; t < kThreads; ++t) EXPECT(got[t] == fib[t % 12] + (t % 20 % 2 == 0 ? 10000 : 0));
  lists<<<2, kThreads / 2>>>(out);
  fetch();
  for (int t = 0; t < kThreads; ++t) {
    int sum = 0;
    for (int i = t % 9; i-- > 0;) sum = 10 * sum + i;
    EXPECT(got[t] == sum);
  }
  greedy<<<1, 32>>>(out);
  fetch();
  int given = 0;
  for (int t = 1; t < 32; ++t) given += got[t];
  EXPECT(got[0] == 1);
  EXPECT(given >= 4 && given < 32);  // 8 MiB, fragmented

  scratch<<<1, 32>>>(out, 5);
  fetch();
  for (int t = 0; t < 32; ++t) EXPECT(got[t] == 10 * t);

  constexpr int kEach = 40;
  EXPECT(cudaDeviceSetLimit(cudaLimitStackSize, 16384) == cudaSuccess);
  std::vector<int> values(kEach * 32);
  unsigned seed = 1;
  for (int& v : values) v = static_cast<int>((seed = seed * 1664525 + 1013904223) >> 20);
  std::vector<int> sorted(values.size());
  cudaMemcpy(out, values.data(), 4 * values.size(), cudaMemcpyHostToDevice);
  quicksorts<<<1, 32>>>(out, kEach);
  EXPECT(cudaMemcpy(sorted.data(), out, 4 * values.size(), cudaMemcpyDeviceToHost) == cudaSuccess);
  long before = 0, after = 0;
  for (int v : values) before += v;
  for (int v : sorted) after += v;
  EXPECT(before == after);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    EXPECT(i % kEach == 0 || sorted[i - 1] <= sorted[i]);

  say<<<3, 64>>>();
  std::printf("launched\n");
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return report();
}
