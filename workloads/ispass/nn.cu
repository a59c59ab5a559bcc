// Recognition of handwritten digits by a convolutional network, as NN of the ISPASS 2009
// benchmarks: four kernels, a layer each, for 28 images. A CTA computes a feature map of an image:
// 13x13 threads in the first layer, 5x5 in the second; a single thread computes a unit of the last
// two layers.
#include "../common.h"

using namespace workload;

constexpr int kInput = 29, kMaps1 = 6, kSide1 = 13, kSide2 = 5, kDigits = 10, kFilter = 5;

__host__ __device__ inline float activation(float x) { return 1.7159f * tanhf(0.6666667f * x); }

// A map of `side` x `side` from `inputs` maps of `size` x `size`, with a stride of two.
__host__ __device__ inline float convolved(const float* maps, const float* weights, int inputs,
                                           int size, int y, int x) {
  float sum = weights[0];
  for (int map = 0; map < inputs; ++map) {
    for (int i = 0; i < kFilter; ++i) {
#pragma unroll 1
      for (int k = 0; k < kFilter; ++k) {
        sum += weights[1 + (map * kFilter + i) * kFilter + k] *
               maps[(map * size + 2 * y + i) * size + 2 * x + k];
      }
    }
  }
  return activation(sum);
}

__host__ __device__ inline float connected(const float* inputs, const float* weights, int count) {
  float sum = weights[0];
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum += inputs[i] * weights[1 + i];
  return activation(sum);
}

__global__ void layer_1(const float* images, const float* weights, float* maps) {
  const int map = blockIdx.x, image = blockIdx.y, y = threadIdx.y, x = threadIdx.x;
  maps[((image * kMaps1 + map) * kSide1 + y) * kSide1 + x] = convolved(
      images + image * kInput * kInput, weights + map * (1 + kFilter * kFilter), 1, kInput, y, x);
}

__global__ void layer_2(const float* maps, const float* weights, float* features) {
  const int map = blockIdx.x, image = blockIdx.y, y = threadIdx.y, x = threadIdx.x;
  features[image * int(gridDim.x) * kSide2 * kSide2 + (map * kSide2 + y) * kSide2 + x] =
      convolved(maps + image * kMaps1 * kSide1 * kSide1,
                weights + map * (1 + kMaps1 * kFilter * kFilter), kMaps1, kSide1, y, x);
}

__global__ void connect(const float* inputs, const float* weights, float* outputs, int count) {
  outputs[blockIdx.y * gridDim.x + blockIdx.x] =
      connected(inputs + blockIdx.y * count, weights + blockIdx.x * (1 + count), count);
}

static std::vector<float> random_weights(Random& random, int units, int inputs) {
  std::vector<float> weights = random.units(std::size_t(units) * (1 + inputs));
  for (float& weight : weights) weight = (2 * weight - 1) / std::sqrt(float(inputs));
  return weights;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "nn",
                    {{"images", 1, 6, 28}, {"maps", 3, 50, 50}, {"units", 4, 20, 100}});
  const int images = sizes[0], maps2 = sizes[1], units3 = sizes[2],
            features2 = maps2 * kSide2 * kSide2;
  Random random(111);
  const std::vector<float> pixels = random.units(std::size_t(images) * kInput * kInput),
                           w1 = random_weights(random, kMaps1, kFilter * kFilter),
                           w2 = random_weights(random, maps2, kMaps1 * kFilter * kFilter),
                           w3 = random_weights(random, units3, features2),
                           w4 = random_weights(random, kDigits, units3);
  DeviceArray<float> device_pixels(pixels), device_w1(w1), device_w2(w2), device_w3(w3),
      device_w4(w4), maps(std::size_t(images) * kMaps1 * kSide1 * kSide1),
      features(std::size_t(images) * features2), units(std::size_t(images) * units3),
      digits(std::size_t(images) * kDigits);
  layer_1<<<dim3(kMaps1, images), dim3(kSide1, kSide1)>>>(device_pixels.get(), device_w1.get(),
                                                          maps.get());
  layer_2<<<dim3(maps2, images), dim3(kSide2, kSide2)>>>(maps.get(), device_w2.get(),
                                                         features.get());
  connect<<<dim3(units3, images), 1>>>(features.get(), device_w3.get(), units.get(), features2);
  connect<<<dim3(kDigits, images), 1>>>(units.get(), device_w4.get(), digits.get(), units3);
  finish("connect");

  // Every layer is compared within 1e-4, from the device's values of the layer before.
  const std::vector<float> first = maps.host(), second = features.host(), third = units.host(),
                           last = digits.host();
  long wrong = 0, checked = 0;
  const auto compare = [&](float found, float expected) {
    wrong += !near(found, expected, 1e-4);
    ++checked;
  };
  for (int image = 0; image < images; ++image) {
    for (int i = 0; i < kMaps1 * kSide1 * kSide1; ++i)
      compare(first[std::size_t(image) * kMaps1 * kSide1 * kSide1 + i],
              convolved(&pixels[std::size_t(image) * kInput * kInput],
                        &w1[i / (kSide1 * kSide1) * (1 + kFilter * kFilter)], 1, kInput,
                        i / kSide1 % kSide1, i % kSide1));
    for (int i = 0; i < features2; ++i)
      compare(second[std::size_t(image) * features2 + i],
              convolved(&first[std::size_t(image) * kMaps1 * kSide1 * kSide1],
                        &w2[i / (kSide2 * kSide2) * (1 + kMaps1 * kFilter * kFilter)], kMaps1,
                        kSide1, i / kSide2 % kSide2, i % kSide2));
    for (int i = 0; i < units3; ++i)
      compare(third[std::size_t(image) * units3 + i],
              connected(&second[std::size_t(image) * features2],
                        &w3[std::size_t(i) * (1 + features2)], features2));
    for (int i = 0; i < kDigits; ++i)
      compare(last[std::size_t(image) * kDigits + i],
              connected(&third[std::size_t(image) * units3], &w4[std::size_t(i) * (1 + units3)],
                        units3));
  }
  return verdict(wrong, checked);
}
