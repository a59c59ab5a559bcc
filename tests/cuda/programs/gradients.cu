// Gradients of three dimensions: the level of a mipmapped array that each lane reads, also where
// lanes of a quad do not take part. Prints PASS or the failed check.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int kSize = 16, kLevels = 5, kLanes = 64;

// Texels that lane i steps over: 1 to 8, along x, y or z.
__host__ __device__ float texels(int i) { return exp2f(i % 13 / 4.0f); }
__host__ __device__ bool reads(int i) { return i % 5 != 3; }

__global__ void by_gradient(float* out, cudaTextureObject_t t) {
  const int i = threadIdx.x;
  if (!reads(i)) return;
  const float step = texels(i) / kSize, place = i / 64.0f;
  const float4 across = make_float4(i % 3 == 0 ? step : 0, i % 3 == 1 ? step : 0, 0, 0);
  const float4 down = i % 3 == 2 ? make_float4(0, 0, step, 0) : make_float4(0, 0, step / 4, 0);
  out[i] = tex3DGrad<float>(t, place, 0.5f, 1 - place, across, down);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array = nullptr;
  OK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(kSize, kSize, kSize), kLevels));
  for (int level = 0; level < kLevels; ++level) {
    const int size = kSize >> level;
    std::vector<float> texels(size * size * size, level);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(float), size, size);
    OK(cudaGetMipmappedArrayLevel(&copy.dstArray, array, level));
    copy.extent = make_cudaExtent(size, size, size);
    copy.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&copy));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeWrap;
  how.filterMode = how.mipmapFilterMode = cudaFilterModeLinear;
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = kLevels - 1;
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &how, nullptr));

  float* out = nullptr;
  OK(cudaMalloc(&out, kLanes * sizeof(float)));
  OK(cudaMemset(out, 0xff, kLanes * sizeof(float)));
  by_gradient<<<1, kLanes>>>(out, object);
  float got[kLanes];
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kLanes; ++i) {
    const bool good =
        reads(i) ? std::fabs(got[i] - std::log2(texels(i))) < 1 / 64.0f : std::isnan(got[i]);
    if (good) continue;
    std::printf("line %d: lane %d reads level %g, not %g\n", __LINE__, i, got[i],
                std::log2(texels(i)));
    ++mistakes;
  }
  OK(cudaDestroyTextureObject(object));
  OK(cudaFreeMipmappedArray(array));
  return report();
}
