// Products of halves and bfloat16 by warpgroups, for compute capability 9.0.
#include "cublas/warpgroup_kernels.h"

namespace heddle::blas {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);
Encode find_encode() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result) !=
      cudaSuccess)
    return nullptr;
  return reinterpret_cast<Encode>(found);
}

// An operand of which blocks copy boxes: lines of `length` neighbours, ld apart.
template <class In>
struct BoxedOperand {
  Batched<const In*> data;
  int64_t length, lines, ld, count;

  bool is_aligned() const {
    constexpr int64_t kNeighbours = 16 / sizeof(In), kMost = int64_t{1} << 31;
    return !data.pointers && reinterpret_cast<uintptr_t>(data.first) % 16 == 0 &&
           ld % kNeighbours == 0 && data.stride % kNeighbours == 0 && data.stride >= 0 &&
           length < kMost && lines < kMost && ld < kMost;
  }
  bool describe(CUtensorMap& map, int lines_of_box) const {
    static const Encode encode = find_encode();
    if (!encode) return false;
    const bool batched = count > 1 && data.stride > 0;
    const cuuint64_t sizes[] = {static_cast<cuuint64_t>(length), static_cast<cuuint64_t>(lines),
                                static_cast<cuuint64_t>(batched ? count : 1)};
    const cuuint64_t strides[] = {ld * sizeof(In),
                                  static_cast<cuuint64_t>(batched ? data.stride : ld) * sizeof(In)};
    const cuuint32_t box[] = {128 / sizeof(In), static_cast<cuuint32_t>(lines_of_box), 1};
    const cuuint32_t steps[] = {1, 1, 1};
    return encode(&map,
                  std::is_same_v<In, __half> ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                             : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                  3, const_cast<In*>(data.first), sizes, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
  }
};

template <bool ADown, bool BDown, int Groups, class In, class Out>
bool launch_warpgroup_tiles(const cublasContext& h, const Product<In, float, Out>& p,
                            const BoxedOperand<In>& a, const BoxedOperand<In>& b, int64_t count) {
  using Shape = WarpgroupShape<ADown, BDown, Groups>;
  const auto kernel = multiply_by_warpgroups<In, Out, ADown, BDown, Groups>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::kBytes);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  const int64_t rows = ceil_div(p.m, Shape::kRows), columns = ceil_div(p.n, Shape::kColumns);

  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(Shape::kThreads);
  config.dynamicSmemBytes = Shape::kBytes;
  config.stream = h.stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  const auto shape_clusters = [&](unsigned width, unsigned height) {
    cluster.val.clusterDim = {width, height, 1};
    config.gridDim = dim3(static_cast<unsigned>(ceil_div(rows, width) * width),
                          static_cast<unsigned>(ceil_div(columns, height) * height),
                          static_cast<unsigned>(count));
  };
  // The largest clusters that need no more waves than blocks alone.
  constexpr unsigned kShapes[][2] = {{4, 4}, {4, 2}, {2, 4}, {2, 2}, {2, 1}, {1, 2}, {1, 1}};
  const int64_t waves = ceil_div(rows * columns * count, h.sms);
  for (const auto [width, height] : kShapes) {
    shape_clusters(width, height);
    if (width * height == 1) break;
    int resident = 0;
    if (width > rows || height > columns ||
        cudaOccupancyMaxActiveClusters(&resident, kernel, &config) != cudaSuccess || resident == 0)
      continue;
    if (ceil_div(ceil_div(rows, width) * ceil_div(columns, height) * count, resident) <= waves)
      break;
  }
  const auto part = [](bool down, int lines, unsigned parts) {
    return (down ? Shape::kSteps : lines) / static_cast<int>(parts);
  };
  const auto [width, height, depth] = cluster.val.clusterDim;
  unsigned blocks_of_first_rows = 0;
  for (unsigned y = 0; y < height; ++y) blocks_of_first_rows |= 1u << y * width;
  CUtensorMap a_map, b_map;
  return a.describe(a_map, part(ADown, Shape::kRows, height)) &&
         b.describe(b_map, part(BDown, Shape::kColumns, width)) &&
         cudaLaunchKernelEx(&config, kernel, a_map, b_map, p, blocks_of_first_rows) == cudaSuccess;
}

template <bool ADown, bool BDown, class In, class Out>
bool launch_best_warpgroups(const cublasContext& h, const Product<In, float, Out>& p,
                            int64_t count) {
  const BoxedOperand<In> a{p.a, ADown ? p.m : p.k, ADown ? p.k : p.m, ADown ? p.a_column : p.a_row,
                           count};
  const BoxedOperand<In> b{p.b, BDown ? p.n : p.k, BDown ? p.k : p.n, BDown ? p.b_row : p.b_column,
                           count};
  if (!a.is_aligned() || !b.is_aligned()) return false;
  const int64_t rows = ceil_div(p.m, 128) * count;
  // Blocks of one column of tiles share nothing, and smaller tiles occupy more SMs.
  if (p.n <= 64 && rows < h.sms) return false;
  const int64_t large = ceil_div(p.n, 128) * rows, small = ceil_div(p.n, 64) * rows;
  return ceil_div(large, h.sms) * 2 <= ceil_div(small, h.sms)
             ? launch_warpgroup_tiles<ADown, BDown, 2>(h, p, a, b, count)
             : launch_warpgroup_tiles<ADown, BDown, 1>(h, p, a, b, count);
}

}  // namespace

// False when the operands are not aligned, there are too many batches, or smaller tiles are faster.
template <class In, class Out>
bool launch_warpgroups(const cublasContext& h, const Product<In, float, Out>& p, int64_t count) {
  constexpr int64_t kMostBatches = 65535;
  if (p.part != Part::all || count > kMostBatches) return false;
  const bool a_down = p.a_row == 1, b_down = p.b_column == 1;
  if (a_down)
    return b_down ? launch_best_warpgroups<true, true>(h, p, count)
                  : launch_best_warpgroups<true, false>(h, p, count);
  return b_down ? launch_best_warpgroups<false, true>(h, p, count)
                : launch_best_warpgroups<false, false>(h, p, count);
}
#define HEDDLE_INSTANCE(In, Out) \
  template bool launch_warpgroups(const cublasContext&, const Product<In, float, Out>&, int64_t);
HEDDLE_INSTANCE(__half, __half)
HEDDLE_INSTANCE(__half, float)
HEDDLE_INSTANCE(__nv_bfloat16, __nv_bfloat16)
HEDDLE_INSTANCE(__nv_bfloat16, float)

}  // namespace heddle::blas
