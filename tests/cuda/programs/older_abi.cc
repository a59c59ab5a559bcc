// A program linked with CUDA 11 or 12: it uses symbols with their versions, whose device properties
// have other layouts.
#include <cstdio>
#include <cstring>

extern "C" {
int properties_11(void* properties, int device);
int properties_12(void* properties, int device);
int malloc_11(void** pointer, unsigned long bytes);
int memset_per_thread(void* pointer, int value, unsigned long bytes);
}
asm(".symver properties_11, cudaGetDeviceProperties@libcudart.so.11.0");
asm(".symver properties_12, cudaGetDeviceProperties_v2@libcudart.so.12");
asm(".symver malloc_11, cudaMalloc@libcudart.so.11.0");
asm(".symver memset_per_thread, cudaMemset_ptds@libcudart.so.12");

int main() {
  constexpr unsigned kOf11 = 728, kOf12 = 1032;        // sizeof(cudaDeviceProp)
  constexpr unsigned kMajor = 360, kProcessors = 388;  // offsets of both
  unsigned char of11[kOf12], of12[kOf12 + 4];
  std::memset(of11, 0x5a, sizeof of11);
  std::memset(of12, 0x5a, sizeof of12);
  void* pointer = nullptr;
  const bool called = properties_11(of11, 0) == 0 && properties_12(of12, 0) == 0 &&
                      malloc_11(&pointer, 16) == 0 && memset_per_thread(pointer, 0, 16) == 0;
  int major = 0, processors = 0;
  std::memcpy(&major, of11 + kMajor, 4);
  std::memcpy(&processors, of11 + kProcessors, 4);
  const bool same = std::memcmp(of11, of12, kOf11) == 0,
             bounded = of11[kOf11] == 0x5a && of12[kOf12] == 0x5a;
  std::printf("major %d, %d processors\n", major, processors);
  std::puts(called && same && bounded && major == 7 && processors == 15 ? "PASS" : "FAIL");
}
