// Machine code as a module: argv[1] is a cubin of add(a, b, c, n), which is loaded as a file, as
// bytes and as a library. Prints PASS or FAIL.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "driver_program.h"

static const char* const kName = "_Z3addPKfS0_Pfi";

static void add_two_arrays(CUfunction add) {
  constexpr int kCount = 100;
  std::vector<float> a(kCount, 1.5f), b(kCount, 2.25f), c(kCount);
  CUdeviceptr da, db, dc;
  const std::size_t bytes = kCount * sizeof(float);
  for (CUdeviceptr* place : {&da, &db, &dc}) OK(cuMemAlloc(place, bytes));
  OK(cuMemcpyHtoD(da, a.data(), bytes));
  OK(cuMemcpyHtoD(db, b.data(), bytes));
  int count = kCount;
  void* parameters[] = {&da, &db, &dc, &count};
  OK(cuLaunchKernel(add, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(c.data(), dc, bytes));
  for (float sum : c) EXPECT(sum == 3.75f);
}

int main(int, char** arguments) {
  CUdevice device;
  CUcontext context;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuCtxCreate(&context, 0, device));
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};

  CUmodule module, data;
  CUfunction add, same;
  OK(cuModuleLoad(&module, arguments[1]));
  OK(cuModuleGetFunction(&add, module, kName));
  add_two_arrays(add);
  CUmodule owner;
  OK(cuFuncGetModule(&owner, add));
  EXPECT(owner == module);
  EXPECT(cuModuleGetFunction(&same, module, "subtract") == CUDA_ERROR_NOT_FOUND);
  unsigned count = 0;
  OK(cuModuleGetFunctionCount(&count, module));
  EXPECT(count == 1);

  OK(cuModuleLoadData(&data, bytes.data()));
  OK(cuModuleGetFunction(&add, data, kName));
  add_two_arrays(add);

  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, kName));
  add_two_arrays(reinterpret_cast<CUfunction>(kernel));
  return report();
}
