// im2col: columns of the pixels that a filter of 3 x 3 reads, compared with a walk on the host.
#include <cuda.h>
#include <cuda_runtime.h>

#include "check.h"

namespace {

constexpr int kImages = 2, kHeight = 6, kWidth = 9, kChannels = 8;
constexpr int kPixels = 64, kFilter = 3;  // of a column; the images have 108 pixels

}  // namespace

__device__ unsigned at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// A column for each place of the filter, from the first pixel of a row on.
__global__ void columns(const __grid_constant__ CUtensorMap map, int row, float* out) {
  __shared__ alignas(128) float tile[kPixels * kChannels];
  __shared__ unsigned long long bar;
  const unsigned short x = blockIdx.x, y = blockIdx.y;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(&bar)),
                 "r"(static_cast<unsigned>(sizeof tile))
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2, %3, %4, %2}], [%5], {%6, %7};" ::"r"(at(tile)),
        "l"(&map), "r"(0), "r"(-1), "r"(row), "r"(at(&bar)), "h"(x), "h"(y)
        : "memory");
  }
  __syncthreads();
  asm volatile(
      "{\n.reg .pred p;\nWAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra "
      "WAIT;\n}" ::"r"(at(&bar))
      : "memory");
  const int place = blockIdx.y * kFilter + blockIdx.x;
  for (int i = threadIdx.x; i < kPixels * kChannels; i += blockDim.x)
    out[place * kPixels * kChannels + i] = tile[i];
}

int main() {
  float *tensor, *out;
  constexpr int kElements = kImages * kHeight * kWidth * kChannels;
  cudaMallocManaged(&tensor, kElements * sizeof *tensor);
  cudaMallocManaged(&out, kFilter * kFilter * kPixels * kChannels * sizeof *out);
  for (int i = 0; i < kElements; ++i) tensor[i] = static_cast<float>(i + 1);
  CUtensorMap map;
  const cuuint64_t sizes[] = {kChannels, kWidth, kHeight, kImages};
  const cuuint64_t strides[] = {kChannels * 4, kWidth * kChannels * 4,
                                kHeight * kWidth * kChannels * 4};
  const int lower[] = {-1, -1}, upper[] = {-1, -1};
  const cuuint32_t steps[] = {1, 1, 1, 1};
  const auto encode = [&](int above) {
    const int corners[] = {above, above};
    return cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, tensor, sizes, strides,
                                   lower, above ? corners : upper, kChannels, kPixels, steps,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  check(encode(128) == CUDA_ERROR_INVALID_VALUE, "a corner has 8 bits");
  check(encode(-20) == CUDA_ERROR_INVALID_VALUE, "the bounding box has pixels");
  check(encode(0) == CUDA_SUCCESS, "the map is encoded");
  const int first_row = 2;
  columns<<<dim3(kFilter, kFilter), 64>>>(map, first_row, out);
  check(cudaDeviceSynchronize() == cudaSuccess, "columns are loaded");
  bool right = true;
  for (int place = 0; place < kFilter * kFilter; ++place)
    for (int pixel = 0; pixel < kPixels; ++pixel)
      for (int c = 0; c < kChannels; ++c) {
        // The bounding box has as many pixels as the image.
        const int n = (first_row + 1) * kWidth + pixel, image = n / (kWidth * kHeight);
        const int y = n / kWidth % kHeight - 1 + place / kFilter,
                  x = n % kWidth - 1 + place % kFilter;
        const bool inside = x >= 0 && x < kWidth && y >= 0 && y < kHeight;
        const float expected =
            inside ? tensor[((image * kHeight + y) * kWidth + x) * kChannels + c] : 0;
        right = right && out[(place * kPixels + pixel) * kChannels + c] == expected;
      }
  check(right, "the columns");
  float* copy;
  cudaMallocManaged(&copy, kElements * sizeof *copy);
  for (int i = 0; i < kElements; ++i) copy[i] = -tensor[i];
  check(cuTensorMapReplaceAddress(&map, copy) == CUDA_SUCCESS, "the map is of another tensor");
  const float before = out[kPixels * kChannels];
  columns<<<dim3(kFilter, kFilter), 64>>>(map, first_row, out);
  check(cudaDeviceSynchronize() == cudaSuccess, "its columns are loaded");
  check(before != 0 && out[kPixels * kChannels] == -before, "the columns of the other tensor");
  return report();
}
