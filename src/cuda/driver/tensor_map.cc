// Tensor maps. cuTensorMapEncodeTiled writes exec::TensorMap into the program's CUtensorMap.
#include "exec/state/tensor_map.h"

#include <algorithm>
#include <cstring>

#include "cuda/driver/driver.h"

using namespace heddle::cuda;
using heddle::exec::TensorMap;
using heddle::ptx::Type;

namespace {

constexpr const char* kCall = "cuTensorMapEncodeTiled";
constexpr std::uint64_t kAlignment = 16;  // of addresses and strides
constexpr std::uint64_t kMaxStride = std::uint64_t{1} << 40, kMaxSize = std::uint64_t{1} << 32;
constexpr cuuint32_t kMaxBox = heddle::exec::TensorMap::kMaxBox,
                     kMaxStep = heddle::exec::TensorMap::kMaxStep;

// none: a type that is not supported.
Type type_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return Type::u8;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16: return Type::u16;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32: return Type::u32;
    case CU_TENSOR_MAP_DATA_TYPE_INT32: return Type::s32;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64: return Type::u64;
    case CU_TENSOR_MAP_DATA_TYPE_INT64: return Type::s64;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16: return Type::f16;
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return Type::bf16;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32: return Type::f32;
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32: return Type::tf32;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return Type::f64;
    default: return Type::none;
  }
}

// 0: a swizzle that is not supported.
std::uint8_t swizzled_bytes(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_NONE: return 16;
    case CU_TENSOR_MAP_SWIZZLE_32B: return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B: return 64;
    case CU_TENSOR_MAP_SWIZZLE_128B: return 128;
    default: return 0;
  }
}

bool is_aligned(const void* pointer, std::uint64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  constexpr std::uint64_t kMapAlignment = 64;
  if (!map || !is_aligned(map, kMapAlignment) || rank < 1 || rank > TensorMap::kMaxRank || !sizes ||
      (rank > 1 && !strides) || !box || !steps || !address || !is_aligned(address, kAlignment))
    return CUDA_ERROR_INVALID_VALUE;
  TensorMap out;
  out.rank = static_cast<std::uint8_t>(rank);
  out.address = reinterpret_cast<std::uintptr_t>(address);
  out.type = type_of(type);
  out.swizzled_bytes = swizzled_bytes(swizzle);
  const char* const missing =
      out.type == Type::none                        ? "this data type of tensor maps"
      : out.swizzled_bytes == 0                     ? "this swizzle of tensor maps"
      : interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ? "interleaved tensor maps"
      : fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE   ? "tensor maps that fill with NaN"
                                                    : nullptr;
  if (missing) {
    explain(kCall, std::string("not supported: the simulated GPU has no ") + missing);
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  for (cuuint32_t d = 0; d < rank; ++d) {
    if (sizes[d] == 0 || sizes[d] > kMaxSize || box[d] == 0 || box[d] > kMaxBox || steps[d] == 0 ||
        steps[d] > kMaxStep)
      return CUDA_ERROR_INVALID_VALUE;
    out.last[d] = static_cast<std::uint32_t>(sizes[d] - 1);
    out.box[d] = static_cast<std::uint16_t>(box[d]);
    out.steps[d] = static_cast<std::uint8_t>(steps[d]);
    if (d == 0) continue;
    if (strides[d - 1] % kAlignment || strides[d - 1] >= kMaxStride)
      return CUDA_ERROR_INVALID_VALUE;
    out.strides[d] = strides[d - 1];
  }
  const std::uint32_t row = out.row_bytes();
  if (row % kAlignment || (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && row > out.swizzled_bytes))
    return CUDA_ERROR_INVALID_VALUE;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &out, sizeof out);
  return CUDA_SUCCESS;
}
