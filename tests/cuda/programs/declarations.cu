// Declarations of CUDA 13's headers that public programs name, most of them for calls that Heddle
// refuses. Prints PASS or the failed check.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <library_types.h>

#include <cstddef>
#include <type_traits>

#include "check.h"

// Enumerators have their enumeration's type and CUDA's value.
template <class T, class U>
constexpr bool is(T value, U number) {
  return std::is_enum<T>::value && static_cast<long long>(value) == static_cast<long long>(number);
}
static_assert(is(cudaDevAttrReservedSharedMemoryPerBlock, 111), "");
static_assert(is(cudaRoundNearest, 0) && is(cudaRoundZero, 1) && is(cudaRoundPosInf, 2), "");
static_assert(is(cudaExternalMemoryHandleTypeOpaqueFd, 1), "");
static_assert(is(cudaResViewFormatUnsignedBlockCompressed7, 34), "");
static_assert(is(cudaMemHandleTypeFabric, 8) && is(cudaCGScopeGrid, 1), "");
static_assert(is(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 6) && is(CU_TENSOR_MAP_SWIZZLE_128B, 3), "");
static_assert(is(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, 2), "");
static_assert(is(CU_STREAM_MEMORY_BARRIER_TYPE_GPU, 1) && is(CU_DEV_RESOURCE_TYPE_SM, 1), "");
static_assert(is(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 127), "");
static_assert(is(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 6) && is(CU_AD_FORMAT_BC7_UNORM, 0x9d), "");
static_assert(is(CUDA_R_4F_E2M1, 33) && is(CUDA_R_8F_UE8M0, 30), "");
static_assert(CU_IPC_HANDLE_SIZE == 64 && CUDA_ARRAY3D_SPARSE == 0x40, "");

static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 128, "");
static_assert(sizeof(CUdevResource) == 144 && offsetof(CUdevResource, sm) == 96, "");
static_assert(sizeof(CUipcEventHandle) == 64 && sizeof(CUmemPoolPtrExportData) == 64, "");
static_assert(sizeof(cudaExternalMemoryHandleDesc) == 104, "");
static_assert(sizeof(CUstreamBatchMemOpParams) == 48, "");
static_assert(sizeof(cudaLaunchAttributeValue) == 64, "");
static_assert(std::is_same<PFN_cuTensorMapEncodeTiled_v12000, decltype(&cuTensorMapEncodeTiled)>(),
              "");
static_assert(std::is_same<PFN_cuLaunchKernel_v4000, decltype(&cuLaunchKernel)>(), "");

// Libraries read NVIDIA's name of the bits.
struct Half : __half {
  Half(float value) : __half(value) {}
  unsigned short bits() const { return __x; }
};
struct Bfloat : __nv_bfloat16 {
  Bfloat(float value) : __nv_bfloat16(value) {}
  unsigned short bits() const { return __x; }
};

int main() {
  EXPECT(Half(1).bits() == 0x3c00 && Bfloat(1).bits() == 0x3f80);
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  CUtensorMap map;
  const cuuint64_t size[1] = {64};
  const cuuint32_t box[1] = {8}, step[1] = {1};
  EXPECT(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, &map, size, size, box,
                                step, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_ERROR_NOT_SUPPORTED);
  CUdevResource resource;
  EXPECT(cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_SM) == CUDA_ERROR_NOT_SUPPORTED);
  cudaIpcMemHandle_t handle;
  EXPECT(cudaIpcGetMemHandle(&handle, &map) == cudaErrorNotSupported);
  EXPECT(cudaGetLastError() == cudaErrorNotSupported);
  return report();
}
