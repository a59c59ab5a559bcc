// Copies and fills of the driver API at device addresses without memory: every form returns
// CUDA_ERROR_INVALID_VALUE and writes nothing, and the context works on.
#include "driver_program.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

static constexpr size_t kBytes = 1024;
static CUdeviceptr data;
static CUstream stream;
static CUcontext context;
static CUarray array;  // of 128 bytes
static unsigned char host[2 * kBytes];

#define REFUSED(call) EXPECT((call) == CUDA_ERROR_INVALID_VALUE)

// Addresses at which 8 bytes are not all memory.
static std::vector<CUdeviceptr> addresses_without_memory() {
  CUdeviceptr freed;
  OK(cuMemAlloc(&freed, 64 << 20));
  OK(cuMemFree(freed));
  return {0,
          16,
          data + kBytes - 4,
          data + kBytes,
          freed,
          data + (size_t{1} << 44),
          ~CUdeviceptr{0} - 7};
}

static void linear_copies(CUdeviceptr none) {
  REFUSED(cuMemcpyHtoD(none, host, 8));
  REFUSED(cuMemcpyHtoDAsync(none, host, 8, stream));
  REFUSED(cuMemcpyDtoH(host, none, 8));
  REFUSED(cuMemcpyDtoHAsync(host, none, 8, stream));
  REFUSED(cuMemcpyDtoD(none, data, 8));
  REFUSED(cuMemcpyDtoD(data, none, 8));
  REFUSED(cuMemcpyDtoDAsync(none, data, 8, stream));
  REFUSED(cuMemcpyDtoDAsync(data, none, 8, stream));
  REFUSED(cuMemcpyPeer(none, context, data, context, 8));
  REFUSED(cuMemcpyPeer(data, context, none, context, 8));
  REFUSED(cuMemcpyPeerAsync(none, context, data, context, 8, stream));
  REFUSED(cuMemcpyPeerAsync(data, context, none, context, 8, stream));
  OK(cuMemcpyHtoD(none, host, 0));
  OK(cuMemcpyDtoHAsync(host, none, 0, stream));
}

// Where the addresses alone say what is host memory, those that are the device's are no host's.
static void copies_by_address(CUdeviceptr none) {
  REFUSED(cuMemcpy(none, data, 8));
  REFUSED(cuMemcpy(data, none, 8));
  REFUSED(cuMemcpyAsync(none, data, 8, stream));
  REFUSED(cuMemcpyAsync(data, none, 8, stream));
}

static void fills(CUdeviceptr none) {
  REFUSED(cuMemsetD8(none, 1, 8));
  REFUSED(cuMemsetD16(none, 1, 4));
  REFUSED(cuMemsetD32(none, 1, 2));
  REFUSED(cuMemsetD8Async(none, 1, 8, stream));
  REFUSED(cuMemsetD16Async(none, 1, 4, stream));
  REFUSED(cuMemsetD32Async(none, 1, 2, stream));
  REFUSED(cuMemsetD2D8(none, 64, 1, 8, 1));
  REFUSED(cuMemsetD2D16(none, 64, 1, 4, 1));
  REFUSED(cuMemsetD2D32(none, 64, 1, 2, 1));
  REFUSED(cuMemsetD2D8Async(none, 64, 1, 8, 1, stream));
  REFUSED(cuMemsetD2D16Async(none, 64, 1, 4, 1, stream));
  REFUSED(cuMemsetD2D32Async(none, 64, 1, 2, 1, stream));
}

static CUDA_MEMCPY2D flat(CUdeviceptr device, bool to_device, size_t height) {
  CUDA_MEMCPY2D p = {};
  p.srcHost = host, p.dstHost = host + kBytes, p.srcDevice = p.dstDevice = device;
  p.srcMemoryType = to_device ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  p.dstMemoryType = to_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  p.srcPitch = p.dstPitch = 64, p.WidthInBytes = 8, p.Height = height;
  return p;
}

static CUDA_MEMCPY3D solid(CUdeviceptr from, CUdeviceptr to, size_t depth) {
  CUDA_MEMCPY3D p = {};
  p.srcMemoryType = p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  p.srcDevice = from, p.dstDevice = to;
  p.srcPitch = p.dstPitch = 16, p.srcHeight = p.dstHeight = 4;
  p.WidthInBytes = 8, p.Height = 2, p.Depth = depth;
  return p;
}

static void refuse_flat(const CUDA_MEMCPY2D& p) {
  REFUSED(cuMemcpy2D(&p));
  REFUSED(cuMemcpy2DUnaligned(&p));
  REFUSED(cuMemcpy2DAsync(&p, stream));
}

static void refuse_solid(const CUDA_MEMCPY3D& p) {
  REFUSED(cuMemcpy3D(&p));
  REFUSED(cuMemcpy3DAsync(&p, stream));
  CUDA_MEMCPY3D_PEER of_peers;
  std::memcpy(&of_peers, &p, sizeof p);
  of_peers.srcContext = of_peers.dstContext = context;
  REFUSED(cuMemcpy3DPeer(&of_peers));
  REFUSED(cuMemcpy3DPeerAsync(&of_peers, stream));
}

static void rectangles(CUdeviceptr none) {
  refuse_flat(flat(none, true, 1));
  refuse_flat(flat(none, false, 1));
  refuse_solid(solid(none, data, 1));
  refuse_solid(solid(data, none, 1));
}

// The first rows have memory, the last has none.
static void last_rows() {
  refuse_flat(flat(data, true, kBytes / 64 + 1));
  refuse_flat(flat(data, false, kBytes / 64 + 1));
  refuse_solid(solid(data, data, kBytes / 64 + 1));
  REFUSED(cuMemsetD2D8(data, 64, 1, 8, kBytes / 64 + 1));
  REFUSED(cuMemsetD2D32Async(data, 64, 1, 2, kBytes / 64 + 1, stream));
}

// Counts of elements whose bytes exceed 64 bits.
static void sizes_without_bound() {
  REFUSED(cuMemsetD8(data, 1, SIZE_MAX));
  REFUSED(cuMemsetD16(data, 1, SIZE_MAX / 2 + 5));
  REFUSED(cuMemsetD32(data, 1, SIZE_MAX / 4 + 2));
  REFUSED(cuMemsetD32Async(data, 1, SIZE_MAX / 4 + 2, stream));
  REFUSED(cuMemsetD2D32(data, 64, 1, SIZE_MAX / 4 + 2, 2));
  REFUSED(cuMemcpyHtoD(data, host, SIZE_MAX));
  REFUSED(cuMemcpyDtoD(data, data, SIZE_MAX - 3));
}

static void arrays(CUdeviceptr none) {
  REFUSED(cuMemcpyDtoA(array, 0, none, 8));
  REFUSED(cuMemcpyAtoD(none, array, 0, 8));
  REFUSED(cuMemcpyHtoA(array, 124, host, 8));
  REFUSED(cuMemcpyAtoH(host, array, 124, 8));
  REFUSED(cuMemcpyHtoAAsync(array, 124, host, 8, stream));
  REFUSED(cuMemcpyAtoHAsync(host, array, 124, 8, stream));
}

static void kinds_of_memory_that_do_not_exist() {
  CUDA_MEMCPY2D p = flat(data, true, 1);
  p.dstMemoryType = static_cast<CUmemorytype>(0);
  refuse_flat(p);
  p.dstMemoryType = static_cast<CUmemorytype>(77);
  refuse_flat(p);
  CUDA_MEMCPY3D q = solid(data, data, 1);
  q.srcMemoryType = static_cast<CUmemorytype>(0);
  refuse_solid(q);
  q.srcMemoryType = CU_MEMORYTYPE_ARRAY;  // and no array
  refuse_solid(q);
}

int main() {
  CUdevice device;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = 32, shape.Format = CU_AD_FORMAT_UNSIGNED_INT32, shape.NumChannels = 1;
  OK(cuArrayCreate(&array, &shape));
  OK(cuMemAlloc(&data, kBytes));  // the last allocation: no memory follows
  OK(cuMemsetD8(data, 0x5a, kBytes));
  std::memset(host, 0x77, sizeof host);
  const std::vector<CUdeviceptr> addresses = addresses_without_memory();
  for (const CUdeviceptr none : addresses) {
    linear_copies(none);
    fills(none);
    rectangles(none);
    arrays(none);
  }
  for (const CUdeviceptr none : {data + kBytes - 4, data + kBytes}) copies_by_address(none);
  last_rows();
  sizes_without_bound();
  kinds_of_memory_that_do_not_exist();
  CUmodule module;
  CUfunction idle;
  OK(cuModuleLoadData(&module, kAddModule));
  OK(cuModuleGetFunction(&idle, module, "idle"));
  OK(cuLaunchKernel(idle, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
  EXPECT(std::all_of(std::begin(host), std::end(host), [](auto byte) { return byte == 0x77; }));
  OK(cuMemcpyDtoH(host, data, kBytes));
  EXPECT(std::all_of(host, host + kBytes, [](unsigned char byte) { return byte == 0x5a; }));
  std::puts(mistakes ? "FAILED" : "PASSED");
  return mistakes != 0;
}
