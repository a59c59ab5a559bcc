// A mipmapped array: kernels write its levels through surfaces and read them by level and by
// gradients. Prints PASS or the failed check.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int kSize = 64, kLevels = 7;

__global__ void halve(cudaSurfaceObject_t to, cudaTextureObject_t from, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const float texel = 1.0f / size;
  surf2Dwrite(tex2D<float>(from, (x + 0.5f) * texel, (y + 0.5f) * texel), to,
              x * (int)sizeof(float), y);
}

__global__ void by_level(float* out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, threadIdx.x / 4.0f);
}
__global__ void by_gradient(float* out, cudaTextureObject_t t) {
  const float step = exp2f(threadIdx.x / 4.0f) / kSize;
  out[threadIdx.x] =
      tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(0, step), make_float2(step / 2, 0));
}

cudaTextureObject_t sampler(const cudaResourceDesc& resource, cudaTextureFilterMode between) {
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.mipmapFilterMode = between;
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = kLevels - 1;
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  return object;
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array = nullptr;
  OK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(kSize, kSize, 0), kLevels,
                              cudaArraySurfaceLoadStore));
  std::vector<float> image(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i)
    image[i] = static_cast<float>((i % kSize * 5 + i / kSize * 3) % 256);
  cudaArray_t level = nullptr;
  OK(cudaGetMipmappedArrayLevel(&level, array, 0));
  OK(cudaMemcpy2DToArray(level, 0, 0, image.data(), kSize * sizeof(float), kSize * sizeof(float),
                         kSize, cudaMemcpyHostToDevice));

  // The expected centre of each level: the mean of four texels of the level before.
  std::vector<float> centre;
  for (int n = 0, size = kSize; n < kLevels; ++n, size /= 2) {
    const int m = size / 2;
    centre.push_back(size > 1 ? (image[(m - 1) * size + m - 1] + image[(m - 1) * size + m] +
                                 image[m * size + m - 1] + image[m * size + m]) /
                                    4
                              : image[0]);
    std::vector<float> next(m * m);
    for (int y = 0; y < m; ++y) {
      for (int x = 0; x < m; ++x) {
        const float* two = &image[2 * y * size + 2 * x];
        next[y * m + x] = (two[0] + two[1] + two[size] + two[size + 1]) / 4;
      }
    }
    if (m > 0) {
      cudaResourceDesc from = {}, to = {};
      from.resType = to.resType = cudaResourceTypeArray;
      OK(cudaGetMipmappedArrayLevel(&from.res.array.array, array, n));
      OK(cudaGetMipmappedArrayLevel(&to.res.array.array, array, n + 1));
      cudaSurfaceObject_t surface = 0;
      OK(cudaCreateSurfaceObject(&surface, &to));
      const cudaTextureObject_t above = sampler(from, cudaFilterModePoint);
      halve<<<dim3((m + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(surface, above, m);
      OK(cudaDeviceSynchronize());
      OK(cudaDestroySurfaceObject(surface));
      OK(cudaDestroyTextureObject(above));
      image = next;
    }
  }

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  float* out = nullptr;
  OK(cudaMalloc(&out, 32 * sizeof(float)));
  for (const cudaTextureFilterMode between : {cudaFilterModePoint, cudaFilterModeLinear}) {
    const cudaTextureObject_t object = sampler(resource, between);
    for (const bool gradient : {false, true}) {
      if (gradient)
        by_gradient<<<1, 32>>>(out, object);
      else
        by_level<<<1, 32>>>(out, object);
      float got[32];
      OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
      for (int i = 0; i < 32; ++i) {
        if (between == cudaFilterModePoint && i % 4 == 2)
          continue;  // halfway: depends on the rounding of the gradient
        const float l = i / 4.0f < kLevels - 1 ? i / 4.0f : kLevels - 1;
        const int low = static_cast<int>(l), high = low + 1 < kLevels ? low + 1 : low;
        const float expected = between == cudaFilterModePoint
                                   ? centre[static_cast<int>(l + 0.5f)]
                                   : centre[low] + (l - low) * (centre[high] - centre[low]);
        if (std::fabs(got[i] - expected) > 0.6f) {
          std::printf("line %d: level %g by %s: %g, not %g\n", __LINE__, l,
                      gradient ? "gradient" : "name", got[i], expected);
          ++mistakes;
        }
      }
    }
    OK(cudaDestroyTextureObject(object));
  }
  OK(cudaFreeMipmappedArray(array));
  return report();
}
