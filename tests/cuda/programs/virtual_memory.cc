// Reserved addresses and physical memory: an array that grows in place, and memory at two
// addresses.
#include "driver_program.h"

static CUfunction add;
static size_t page = 0;
static CUmemAllocationProp properties = {};
static CUmemAccessDesc access = {};

static void launch(CUdeviceptr data, unsigned amount) {
  void* parameters[] = {&data, &amount};
  OK(cuLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuCtxSynchronize());
}

static void show(CUdeviceptr address, CUmemGenericAllocationHandle memory) {
  OK(cuMemMap(address, page, 0, memory, 0));
  OK(cuMemSetAccess(address, page, &access, 1));
}

static CUmemGenericAllocationHandle create() {
  CUmemGenericAllocationHandle memory = 0;
  OK(cuMemCreate(&memory, page, &properties, 0));
  return memory;
}

static void an_array_grows() {
  CUdeviceptr small = 0, large = 0;
  OK(cuMemAddressReserve(&small, page, 0, 0, 0));
  const CUmemGenericAllocationHandle first = create();
  show(small, first);
  OK(cuMemsetD32(small, 5, page / 4));
  launch(small, 1);
  // Beyond the reservation: the memory is mapped at new addresses and keeps its content.
  OK(cuMemAddressReserve(&large, 4 * page, 0, small + page, 0));
  OK(cuMemUnmap(small, page));
  OK(cuMemAddressFree(small, page));
  show(large, first);
  const CUmemGenericAllocationHandle second = create();
  show(large + page, second);
  OK(cuMemRelease(first));
  OK(cuMemRelease(second));
  EXPECT(cuMemRelease(second) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD32(large + page - 128, 7, 64));  // across two mappings
  launch(large, 10);
  launch(large + page - 128, 10);
  unsigned begin[64], seam[64];
  OK(cuMemcpyDtoH(begin, large, sizeof begin));
  OK(cuMemcpyDtoH(seam, large + page - 128, sizeof seam));
  EXPECT(begin[0] == 16 && begin[63] == 16 && seam[0] == 17 && seam[63] == 17);
  EXPECT(cuMemcpyDtoH(begin, large + 2 * page - 128, sizeof begin) !=
         CUDA_SUCCESS);                                                   // beyond the mapping
  EXPECT(cuMemAddressFree(large, 4 * page) == CUDA_ERROR_INVALID_VALUE);  // still mapped
  EXPECT(cuMemUnmap(large, page / 2) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemFree(large) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemUnmap(large, 2 * page));
  OK(cuMemAddressFree(large, 4 * page));
}

static void one_memory_has_two_addresses() {
  CUdeviceptr addresses = 0;
  OK(cuMemAddressReserve(&addresses, 2 * page, 0, 0, 0));
  CUmemGenericAllocationHandle memory = create(), again = 0;
  show(addresses, memory);
  show(addresses + page, memory);
  OK(cuMemsetD32(addresses, 30, 64));
  launch(addresses + page, 3);
  launch(addresses, 1);
  unsigned host[64];
  OK(cuMemcpyDtoH(host, addresses + page, sizeof host));
  EXPECT(host[0] == 34 && host[63] == 34);
  CUmemAllocationProp asked = {};
  OK(cuMemGetAllocationPropertiesFromHandle(&asked, memory));
  EXPECT(asked.type == CU_MEM_ALLOCATION_TYPE_PINNED &&
         asked.location.type == CU_MEM_LOCATION_TYPE_DEVICE && asked.location.id == 0);
  OK(cuMemRelease(memory));
  EXPECT(cuMemGetAllocationPropertiesFromHandle(&asked, memory) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(addresses + 100)));
  OK(cuMemGetAllocationPropertiesFromHandle(&asked, again));
  unsigned long long flags = 9;
  OK(cuMemGetAccess(&flags, &access.location, addresses));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemAccessDesc none = access;
  none.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  OK(cuMemSetAccess(addresses, page, &none, 1));
  OK(cuMemGetAccess(&flags, &access.location, addresses));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  EXPECT(cuMemcpyDtoH(host, addresses, sizeof host) != CUDA_SUCCESS);
  OK(cuMemcpyDtoH(host, addresses + page, sizeof host));
  OK(cuMemUnmap(addresses, 2 * page));
  OK(cuMemRelease(again));
  OK(cuMemAddressFree(addresses, 2 * page));
}

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  OK(cuModuleLoadData(&module, kAddModule));
  OK(cuModuleGetFunction(&add, module, "add"));
  int supported = 0;
  OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                          device));
  EXPECT(supported == 1);
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemGetAllocationGranularity(&page, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  size_t before = 0, after = 0, total = 0;
  OK(cuMemGetInfo(&before, &total));
  CUmemGenericAllocationHandle handle = 0;
  EXPECT(cuMemCreate(&handle, page / 2, &properties, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemCreate(&handle, total / page * page + page, &properties, 0) ==
         CUDA_ERROR_OUT_OF_MEMORY);
  CUmemAllocationProp shared = properties;
  shared.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  EXPECT(cuMemCreate(&handle, page, &shared, 0) == CUDA_ERROR_NOT_SUPPORTED);
  an_array_grows();
  one_memory_has_two_addresses();
  OK(cuMemGetInfo(&after, &total));
  EXPECT(before == after);
  return report();
}
