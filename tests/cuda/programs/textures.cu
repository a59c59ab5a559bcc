// Textures and surfaces of every kind, compared with the host's arithmetic. Prints PASS or the
// failed check.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int kWidth = 37, kHeight = 19, kDepth = 5;

float pixel(int x, int y, int z = 0) { return static_cast<float>((x * 7 + y * 13 + z * 29) % 64); }

// Copies the results of one kernel whose thread i computes out[i].
template <class T>
struct Results {
  T* device = nullptr;
  int count;
  explicit Results(int n) : count(n) { OK(cudaMalloc(&device, n * sizeof(T))); }
  ~Results() { cudaFree(device); }
  std::vector<T> host() const {
    std::vector<T> values(count);
    OK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

cudaArray_t image_array(int width, int height, int depth, unsigned flags = 0) {
  std::vector<float> values;
  for (int z = 0; z < (depth ? depth : 1); ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) values.push_back(pixel(x, y, z));
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, depth ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  return array;
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter,
                               cudaTextureAddressMode address, bool normalized) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = address;
  how.filterMode = filter;
  how.normalizedCoords = normalized;
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  return object;
}

__global__ void sample_plane(cudaTextureObject_t t, float* out, int width, int height, float shift,
                             float scale_x, float scale_y) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height)
    out[y * width + x] = tex2D<float>(t, (x + shift) * scale_x, (y + shift) * scale_y);
}

void planes() {
  cudaArray_t array = image_array(kWidth, kHeight, 0);
  Results<float> out(kWidth * kHeight);
  const dim3 grid(2, kHeight);

  cudaTextureObject_t point = texture_of(array, cudaFilterModePoint, cudaAddressModeClamp, false);
  sample_plane<<<grid, 32>>>(point, out.device, kWidth, kHeight, 3.25f, 1, 1);
  std::vector<float> got = out.host();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      EXPECT(got[y * kWidth + x] ==
             pixel(x + 3 < kWidth ? x + 3 : kWidth - 1, y + 3 < kHeight ? y + 3 : kHeight - 1));

  cudaTextureObject_t linear =
      texture_of(array, cudaFilterModeLinear, cudaAddressModeBorder, false);
  sample_plane<<<grid, 32>>>(linear, out.device, kWidth, kHeight, 0.75f, 1,
                             1);  // a quarter of the way to the next texel
  got = out.host();
  const auto bordered = [](int x, int y) { return x < kWidth && y < kHeight ? pixel(x, y) : 0.0f; };
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const float expected = 0.5625f * bordered(x, y) +
                             0.1875f * (bordered(x + 1, y) + bordered(x, y + 1)) +
                             0.0625f * bordered(x + 1, y + 1);
      EXPECT(std::fabs(got[y * kWidth + x] - expected) < 1e-3f);
    }

  cudaTextureObject_t wrapped = texture_of(array, cudaFilterModePoint, cudaAddressModeWrap, true);
  sample_plane<<<grid, 32>>>(wrapped, out.device, kWidth, kHeight, 0.5f + 10, 1.0f / kWidth,
                             1.0f / kHeight);
  got = out.host();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      EXPECT(got[y * kWidth + x] == pixel((x + 10) % kWidth, (y + 10) % kHeight));
  for (cudaTextureObject_t t : {point, linear, wrapped}) OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(array));
}

__global__ void sample_volume(cudaTextureObject_t t, float* out) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  out[(z * kHeight + y) * 32 + x] = tex3D<float>(t, x + 0.5f, y + 0.5f, z + 1.0f);
}
__global__ void sample_layers(cudaTextureObject_t t, float* out) {
  const int x = threadIdx.x, y = blockIdx.x, layer = blockIdx.y;
  out[(layer * kHeight + y) * 32 + x] = tex2DLayered<float>(t, x + 0.5f, y + 0.5f, layer);
}

void volumes_and_layers() {
  Results<float> out(32 * kHeight * kDepth);
  cudaArray_t volume = image_array(kWidth, kHeight, kDepth);
  cudaTextureObject_t t = texture_of(volume, cudaFilterModeLinear, cudaAddressModeClamp, false);
  sample_volume<<<dim3(kHeight, kDepth), 32>>>(t, out.device);
  std::vector<float> got = out.host();
  for (int z = 0; z < kDepth; ++z)
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < 32; ++x)
        EXPECT(got[(z * kHeight + y) * 32 + x] ==
               (pixel(x, y, z) + pixel(x, y, z + 1 < kDepth ? z + 1 : z)) / 2);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(volume));

  cudaArray_t layers = image_array(kWidth, kHeight, kDepth, cudaArrayLayered);
  t = texture_of(layers, cudaFilterModeLinear, cudaAddressModeClamp, false);
  sample_layers<<<dim3(kHeight, kDepth), 32>>>(t, out.device);
  got = out.host();
  for (int z = 0; z < kDepth; ++z)
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < 32; ++x) EXPECT(got[(z * kHeight + y) * 32 + x] == pixel(x, y, z));
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(layers));
}

// The handles are in memory; neighbouring threads name different ones.
__global__ void sample_listed(const cudaTextureObject_t* list, float* out) {
  const int x = threadIdx.x;
  const float u = x % 2 ? (x + 0.5f) / kWidth : x + 0.5f, v = x % 2 ? 2.5f / kHeight : 2.5f;
  out[x] = tex2D<float>(list[x % 2], u, v);
  out[x + 32] = tex2DLod<float>(list[x % 2], u, v, 0.0f);
  out[x + 64] = tex2DGrad<float>(list[x % 2], u, v, make_float2(0, 0), make_float2(0, 0));
  out[x + 96] = tex2Dgather<float4>(list[0], x + 1.0f, 3.0f, 0).w;  // the texel at x, 2
  out[x + 128] = tex2DLayered<float>(list[2], x + 0.5f, 2.5f, x % kDepth);
  out[x + 160] = tex3D<float>(list[3], x + 0.5f, 2.5f, x % kDepth + 0.5f);
}

void lists_of_handles() {
  cudaArray_t plane = image_array(kWidth, kHeight, 0),
              layers = image_array(kWidth, kHeight, kDepth, cudaArrayLayered),
              volume = image_array(kWidth, kHeight, kDepth);
  const cudaTextureObject_t handles[] = {
      texture_of(plane, cudaFilterModePoint, cudaAddressModeClamp, false),
      texture_of(plane, cudaFilterModePoint, cudaAddressModeWrap, true),
      texture_of(layers, cudaFilterModePoint, cudaAddressModeClamp, false),
      texture_of(volume, cudaFilterModePoint, cudaAddressModeClamp, false)};
  cudaTextureObject_t* list;
  OK(cudaMalloc(&list, sizeof handles));
  OK(cudaMemcpy(list, handles, sizeof handles, cudaMemcpyHostToDevice));
  Results<float> out(6 * 32);
  sample_listed<<<1, 32>>>(list, out.device);
  const std::vector<float> got = out.host();
  for (int x = 0; x < 32; ++x) {
    for (int k = 0; k < 4; ++k) EXPECT(got[32 * k + x] == pixel(x, 2));
    for (int k = 4; k < 6; ++k) EXPECT(got[32 * k + x] == pixel(x, 2, x % kDepth));
  }
  for (cudaTextureObject_t t : handles) OK(cudaDestroyTextureObject(t));
  for (cudaArray_t array : {plane, layers, volume}) OK(cudaFreeArray(array));
  OK(cudaFree(list));
}

__global__ void fetch_pairs(cudaTextureObject_t t, int2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + 8) out[i] = tex1Dfetch<int2>(t, i);  // the last eight are out of range
}
__global__ void fetch_colours(cudaTextureObject_t t, float4* out, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < width) out[y * width + x] = tex2D<float4>(t, x + 0.5f, y + 0.5f);
}

void plain_memory() {
  constexpr int n = 100;
  std::vector<int2> pairs(n);
  for (int i = 0; i < n; ++i) pairs[i] = make_int2(i * 3, -i);
  int2* device;
  OK(cudaMalloc(&device, n * sizeof(int2)));
  OK(cudaMemcpy(device, pairs.data(), n * sizeof(int2), cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device;
  resource.res.linear.desc = cudaCreateChannelDesc<int2>();
  resource.res.linear.sizeInBytes = n * sizeof(int2);
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t t = 0;
  OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  Results<int2> out(n + 8);
  fetch_pairs<<<4, 32>>>(t, out.device, n);
  const std::vector<int2> got = out.host();
  for (int i = 0; i < n + 8; ++i)
    EXPECT(got[i].x == (i < n ? 3 * i : 0) && got[i].y == (i < n ? -i : 0));
  OK(cudaDestroyTextureObject(t));
  // A texture that is longer than its allocation.
  resource.res.linear.sizeInBytes = (n + 8) * sizeof(int2);
  OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  fetch_pairs<<<4, 32>>>(t, out.device, n);
  EXPECT(out.host()[n - 1].x == 3 * (n - 1) && out.host()[n].x == 0);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFree(device));

  constexpr int width = 20, height = 6;
  std::vector<uchar4> colours(width * height);
  for (int i = 0; i < width * height; ++i) colours[i] = make_uchar4(i, 255 - i, 0, 255);
  uchar4* pitched;
  size_t pitch;
  OK(cudaMallocPitch(&pitched, &pitch, width * sizeof(uchar4), height));
  OK(cudaMemcpy2D(pitched, pitch, colours.data(), width * sizeof(uchar4), width * sizeof(uchar4),
                  height, cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = pitched;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  how.readMode = cudaReadModeNormalizedFloat;
  OK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  Results<float4> fractions(width * height);
  fetch_colours<<<height, 32>>>(t, fractions.device, width);
  const std::vector<float4> seen = fractions.host();
  for (int i = 0; i < width * height; ++i) {
    EXPECT(std::fabs(seen[i].x - i / 255.0f) < 1e-6f &&
           std::fabs(seen[i].y - (255 - i) / 255.0f) < 1e-6f);
    EXPECT(seen[i].z == 0 && seen[i].w == 1);
  }
  OK(cudaDestroyTextureObject(t));
  OK(cudaFree(pitched));
}

// Every thread complements its texel; a later launch reads a texel of another row.
__global__ void flip(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= kWidth) return;
  const float v = surf2Dread<float>(from, x * 4, y);
  surf2Dwrite(v + 1, to, x * 4, kHeight - 1 - y);
}
__global__ void read_outside(cudaSurfaceObject_t s, float* out) {
  const int x = static_cast<int>(threadIdx.x) - 4;
  out[threadIdx.x] = surf2Dread<float>(s, x * 4, 0, cudaBoundaryModeZero);
  out[threadIdx.x + 32] = surf2Dread<float>(s, x * 4, 0, cudaBoundaryModeClamp);
}

void surfaces() {
  cudaArray_t from = image_array(kWidth, kHeight, 0, cudaArraySurfaceLoadStore),
              to = image_array(kWidth, kHeight, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t in = 0, out = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = from;
  OK(cudaCreateSurfaceObject(&in, &resource));
  resource.res.array.array = to;
  OK(cudaCreateSurfaceObject(&out, &resource));
  flip<<<dim3(2, kHeight), 32>>>(in, out);
  std::vector<float> got(kWidth * kHeight);
  OK(cudaMemcpy2DFromArray(got.data(), kWidth * 4, to, 0, 0, kWidth * 4, kHeight,
                           cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) EXPECT(got[y * kWidth + x] == pixel(x, kHeight - 1 - y) + 1);
  Results<float> edges(64);
  read_outside<<<1, 32>>>(in, edges.device);
  const std::vector<float> seen = edges.host();
  for (int i = 0; i < 32; ++i) {
    EXPECT(seen[i] == (i < 4 ? 0 : pixel(i - 4, 0)));
    EXPECT(seen[i + 32] == pixel(i < 4 ? 0 : i - 4, 0));
  }
  OK(cudaDestroySurfaceObject(in));
  OK(cudaDestroySurfaceObject(out));
  OK(cudaFreeArray(from));
  OK(cudaFreeArray(to));
}

#if !defined __NVCC__ && !defined NO_REFERENCES  // CUDA 12 dropped references
texture<float, 1, cudaReadModeElementType> numbers;
texture<float, 2, cudaReadModeElementType> picture;
surface<void, 2> canvas;

__global__ void use_references(float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(numbers, n - 1 - i) + tex2D(picture, i + 0.5f, 2.5f);
  surf2Dwrite(static_cast<float>(i), canvas, i * 4, 1);
}

void references() {
  constexpr int n = 32;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = 1000.0f * i;
  float* device;
  OK(cudaMalloc(&device, n * sizeof(float)));
  OK(cudaMemcpy(device, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaArray_t array = image_array(kWidth, kHeight, 0),
              drawn = image_array(kWidth, kHeight, 0, cudaArraySurfaceLoadStore);
  picture.filterMode = cudaFilterModePoint;
  OK(cudaBindTexture(nullptr, numbers, device, n * sizeof(float)));
  OK(cudaBindTextureToArray(picture, array));
  OK(cudaBindSurfaceToArray(canvas, drawn));
  Results<float> out(n);
  use_references<<<1, n>>>(out.device, n);
  const std::vector<float> got = out.host();
  for (int i = 0; i < n; ++i) EXPECT(got[i] == values[n - 1 - i] + pixel(i, 2));
  std::vector<float> row(n);
  OK(cudaMemcpy2DFromArray(row.data(), n * 4, drawn, 0, 1, n * 4, 1, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(row[i] == static_cast<float>(i));
  OK(cudaUnbindTexture(numbers));
  OK(cudaUnbindTexture(picture));
  OK(cudaFreeArray(array));
  OK(cudaFreeArray(drawn));
  OK(cudaFree(device));
}
#else
void references() {}
#endif

int main() {
  planes();
  volumes_and_layers();
  lists_of_handles();
  plain_memory();
  surfaces();
  references();
  OK(cudaDeviceSynchronize());
  return report();
}
