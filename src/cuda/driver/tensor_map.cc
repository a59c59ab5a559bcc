// Tensor maps: exec::TensorMap in the program's CUtensorMap.
#include "exec/state/tensor_map.h"

#include <array>
#include <cstring>

#include "cuda/driver/driver.h"

using namespace heddle::cuda;
using heddle::exec::TensorMap;
using heddle::ptx::Type;

namespace {

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

// What both kinds of maps have. map: where it will be.
struct Tensor {
  const CUtensorMap* map;
  CUtensorMapDataType type;
  cuuint32_t rank;
  const void* address;
  const cuuint64_t *sizes, *strides;
  const cuuint32_t* steps;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapFloatOOBfill fill;
};
CUresult describe_tensor(const char* call, const Tensor& t, TensorMap& out) {
  constexpr std::uint64_t kMapAlignment = 64;
  if (!t.map || !is_aligned(t.map, kMapAlignment) || t.rank < 1 || t.rank > TensorMap::kMaxRank ||
      !t.sizes || (t.rank > 1 && !t.strides) || !t.steps || !t.address ||
      !is_aligned(t.address, kAlignment))
    return CUDA_ERROR_INVALID_VALUE;
  out.rank = static_cast<std::uint8_t>(t.rank);
  out.address = reinterpret_cast<std::uintptr_t>(t.address);
  out.type = type_of(t.type);
  out.swizzled_bytes = swizzled_bytes(t.swizzle);
  const char* const missing =
      out.type == Type::none                          ? "this data type of tensor maps"
      : out.swizzled_bytes == 0                       ? "this swizzle of tensor maps"
      : t.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ? "interleaved tensor maps"
      : t.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE   ? "tensor maps that fill with NaN"
                                                      : nullptr;
  if (missing) {
    explain(call, std::string("not supported: the simulated GPU has no ") + missing);
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  for (cuuint32_t d = 0; d < t.rank; ++d) {
    if (t.sizes[d] == 0 || t.sizes[d] > kMaxSize || t.steps[d] == 0 || t.steps[d] > kMaxStep)
      return CUDA_ERROR_INVALID_VALUE;
    out.last[d] = static_cast<std::uint32_t>(t.sizes[d] - 1);
    out.steps[d] = static_cast<std::uint8_t>(t.steps[d]);
    if (d == 0) continue;
    if (t.strides[d - 1] % kAlignment || t.strides[d - 1] >= kMaxStride)
      return CUDA_ERROR_INVALID_VALUE;
    out.strides[d] = t.strides[d - 1];
  }
  return CUDA_SUCCESS;
}

CUresult write_map(CUtensorMap* map, const TensorMap& out) {
  const std::uint32_t row = out.row_bytes();
  const bool swizzles = out.swizzled_bytes > kAlignment;
  if (row % kAlignment || (swizzles && row > out.swizzled_bytes)) return CUDA_ERROR_INVALID_VALUE;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &out, sizeof out);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  TensorMap out;
  const CUresult described = describe_tensor(
      "cuTensorMapEncodeTiled",
      {map, type, rank, address, sizes, strides, steps, interleave, swizzle, fill}, out);
  if (described != CUDA_SUCCESS) return described;
  if (!box) return CUDA_ERROR_INVALID_VALUE;
  for (cuuint32_t d = 0; d < rank; ++d) {
    if (box[d] == 0 || box[d] > kMaxBox) return CUDA_ERROR_INVALID_VALUE;
    out.box[d] = static_cast<std::uint16_t>(box[d]);
  }
  return write_map(map, out);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                 const int* lower, const int* upper, cuuint32_t channels,
                                 cuuint32_t pixels, const cuuint32_t* steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  constexpr cuuint32_t kMaxPixels = 1024;
  TensorMap out;
  const CUresult described = describe_tensor(
      "cuTensorMapEncodeIm2col",
      {map, type, rank, address, sizes, strides, steps, interleave, swizzle, fill}, out);
  if (described != CUDA_SUCCESS) return described;
  if (rank < 3 || !lower || !upper || channels == 0 || channels > kMaxBox || pixels == 0 ||
      pixels > kMaxPixels)
    return CUDA_ERROR_INVALID_VALUE;
  out.box[0] = static_cast<std::uint16_t>(channels);
  out.pixels = static_cast<std::uint16_t>(pixels);
  // A corner has 16, 8 or 5 bits, so that those of all dimensions fit into a word.
  const int most = 1 << std::array{15, 7, 4}[rank - 3];
  for (cuuint32_t d = 0; d + 2 < rank; ++d) {
    const std::int64_t last = out.last[d + 1];
    for (const int corner : {lower[d], upper[d]})
      if (corner < -most || corner >= most) return CUDA_ERROR_INVALID_VALUE;
    if (lower[d] > last + upper[d]) return CUDA_ERROR_INVALID_VALUE;
    out.lower[d] = static_cast<std::int16_t>(lower[d]);
    out.upper[d] = static_cast<std::int16_t>(upper[d]);
  }
  return write_map(map, out);
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  if (!map || !address || !is_aligned(address, kAlignment)) return CUDA_ERROR_INVALID_VALUE;
  TensorMap out;
  std::memcpy(static_cast<void*>(&out), map, sizeof out);
  if (!out.is_well_formed()) return CUDA_ERROR_INVALID_VALUE;
  out.address = reinterpret_cast<std::uintptr_t>(address);
  std::memcpy(map, &out, sizeof out);
  return CUDA_SUCCESS;
}
