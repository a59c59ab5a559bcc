// Kernels that use the host's addresses of page-locked and registered memory.
#include <cstdint>
#include <cstring>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include "check.h"

__global__ void add(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}
__global__ void count(unsigned* counter) { atomicAdd(counter, threadIdx.x); }
// The list has addresses of the host in it.
struct Node {
  Node* next;
  int value;
};
__global__ void sum(const Node* first, int* result) {
  int total = 0;
  for (; first; first = first->next) total += first->value;
  *result = total;
}
__global__ void copy(int4* to, const int4* from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void fetch(cudaTextureObject_t texture, int* to) {
  to[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x);
}

constexpr int kWords = 3000;
constexpr std::size_t kBytes = kWords * sizeof(int), kPage = 4096;

int* pages() {
  return static_cast<int*>(std::aligned_alloc(kPage, (kBytes + kPage - 1) / kPage * kPage));
}

void attributes_give_one_address(int* own) {
  int can = 0;
  OK(cudaDeviceGetAttribute(&can, cudaDevAttrCanUseHostPointerForRegisteredMem, 0));
  EXPECT(can == 1);
  int* device = nullptr;
  OK(cudaHostGetDevicePointer(&device, own + 5, 0));
  EXPECT(device == own + 5);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, own + 7));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == own + 7 &&
         attributes.hostPointer == own + 7);
}

void kernels_change_the_hosts_words(int* own) {
  for (int i = 0; i < kWords; ++i) own[i] = i;
  add<<<(kWords + 127) / 128, 128>>>(own, kWords);
  OK(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < kWords; ++i) right &= own[i] == i + 1;
  EXPECT(right);
  own[10] = 100;  // without a call
  add<<<1, 32>>>(own, 32);
  OK(cudaDeviceSynchronize());
  EXPECT(own[10] == 101 && own[31] == 33 && own[32] == 33);

  auto* const counter = reinterpret_cast<unsigned*>(own + 100);
  *counter = 0;
  count<<<4, 64>>>(counter);
  OK(cudaDeviceSynchronize());
  EXPECT(*counter == 4 * 63 * 32);
}

void pointers_in_memory_are_followed(int* own) {
  auto* const nodes = reinterpret_cast<Node*>(own);
  for (int i = 0; i < 20; ++i) nodes[i] = {i < 19 ? nodes + i + 1 : nullptr, i};
  int* const result = own + 200;
  sum<<<1, 1>>>(nodes, result);
  OK(cudaDeviceSynchronize());
  EXPECT(*result == 190);
}

void calls_take_the_address(int* own) {
  int* device = nullptr;
  OK(cudaMalloc(&device, kBytes));
  for (int i = 0; i < kWords; ++i) own[i] = i;
  copy<<<1, 32>>>(reinterpret_cast<int4*>(device), reinterpret_cast<int4*>(own));
  OK(cudaMemcpy(own + 1000, device, 512, cudaMemcpyDeviceToDevice));
  EXPECT(own[1127] == 127 && own[1128] == 1128);
  OK(cudaMemset(own, 0, 16));
  EXPECT(own[3] == 0 && own[4] == 4);
  OK(cudaMemcpy(own, device + 4, 16, cudaMemcpyDeviceToHost));
  EXPECT(own[0] == 4 && own[3] == 7);

  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = own;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = kBytes;
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  fetch<<<1, 8>>>(texture, own + 2000);
  OK(cudaDeviceSynchronize());
  EXPECT(own[2000] == 4 && own[2007] == 7);
  OK(cudaDestroyTextureObject(texture));
  OK(cudaFree(device));
}

void page_locked_memory_has_one_address() {
  int* locked = nullptr;
  OK(cudaHostAlloc(&locked, kBytes, cudaHostAllocDefault));
  for (int i = 0; i < kWords; ++i) locked[i] = i;
  add<<<1, 64>>>(locked, 64);
  OK(cudaDeviceSynchronize());
  EXPECT(locked[63] == 64 && locked[64] == 64);
  OK(cudaFreeHost(locked));
}

int main() {
  int* const own = pages();
  OK(cudaHostRegister(own, kBytes, cudaHostRegisterDefault));
  attributes_give_one_address(own);
  kernels_change_the_hosts_words(own);
  pointers_in_memory_are_followed(own);
  calls_take_the_address(own);
  OK(cudaHostUnregister(own));
  EXPECT(own[2007] == 7);
  // Registered again it is other memory of the device.
  OK(cudaHostRegister(own + 1, kBytes - 4, cudaHostRegisterMapped));
  own[1] = 41;
  add<<<1, 32>>>(own + 1, 1);
  OK(cudaDeviceSynchronize());
  EXPECT(own[1] == 42);
  OK(cudaHostUnregister(own + 1));
  std::free(own);
  page_locked_memory_has_one_address();
  return report();
}
