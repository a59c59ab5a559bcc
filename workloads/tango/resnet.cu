// The first layers of ResNet-50 (He et al., 2016) as separate kernels, in the manner of Tango's
// networks: a CTA of 16x16 threads per output channel (64 or 256) loops over the image. 38
// launches: the first convolution with normalization, scale, rectifier and pooling, three
// bottleneck blocks of two convolutions with normalization and rectifier, a third with
// normalization, and the sum; the first block also has a projection with normalization; average
// pooling ends the run.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kSide = 16;

struct Shape {
  int inputs, size, kernel, stride;  // channels, rows and columns of the input; of the filter
  __host__ __device__ int padding() const { return kernel / 2; }
  __host__ __device__ int output() const { return (size + 2 * padding() - kernel) / stride + 1; }
};

__host__ __device__ inline float convolved(const float* input, const float* weights, Shape s,
                                           int channel, int y, int x) {
  float sum = 0.0f;
  const float* weight = weights + channel * s.inputs * s.kernel * s.kernel;
  for (int i = 0; i < s.inputs; ++i) {
    for (int ky = 0; ky < s.kernel; ++ky) {
      for (int kx = 0; kx < s.kernel; ++kx, ++weight) {
        const int row = y * s.stride + ky - s.padding(), column = x * s.stride + kx - s.padding();
        if (row >= 0 && row < s.size && column >= 0 && column < s.size)
          sum += *weight * input[(i * s.size + row) * s.size + column];
      }
    }
  }
  return sum;
}

__host__ __device__ inline float largest(const float* input, int size, int y, int x) {
  float most = -1e30f;
  for (int i = 0; i < 9; ++i) {
    const int row = 2 * y + i / 3 - 1, column = 2 * x + i % 3 - 1;
    if (row >= 0 && row < size && column >= 0 && column < size)
      most = fmaxf(most, input[row * size + column]);
  }
  return most;
}

#define FOR_EACH_PIXEL(size)                        \
  for (int y = threadIdx.y; y < (size); y += kSide) \
    for (int x = threadIdx.x; x < (size); x += kSide)

__global__ void convolution(const float* input, const float* weights, float* output, Shape s) {
  const int size = s.output();
  FOR_EACH_PIXEL(size)
  output[(blockIdx.x * size + y) * size + x] = convolved(input, weights, s, blockIdx.x, y, x);
}

// values * factors[channel] + offsets[channel]: normalization with stored statistics, or scale.
__global__ void scale(float* values, const float* factors, const float* offsets, int size) {
  const float factor = factors[blockIdx.x], offset = offsets[blockIdx.x];
  FOR_EACH_PIXEL(size) {
    float& value = values[(blockIdx.x * size + y) * size + x];
    value = value * factor + offset;
  }
}

__global__ void rectify(float* values, int size) {
  FOR_EACH_PIXEL(size) {
    float& value = values[(blockIdx.x * size + y) * size + x];
    value = fmaxf(value, 0.0f);
  }
}

__global__ void add(float* values, const float* other, int size) {
  FOR_EACH_PIXEL(size) {
    const int at = (blockIdx.x * size + y) * size + x;
    values[at] = fmaxf(values[at] + other[at], 0.0f);
  }
}

__global__ void max_pool(const float* input, float* output, int size) {
  const int half = size / 2;
  FOR_EACH_PIXEL(half)
  output[(blockIdx.x * half + y) * half + x] =
      largest(input + blockIdx.x * size * size, size, y, x);
}

__global__ void average_pool(const float* input, float* output, int size) {
  __shared__ float sums[kSide * kSide];
  const int thread = threadIdx.y * kSide + threadIdx.x;
  float sum = 0.0f;
  FOR_EACH_PIXEL(size) sum += input[(blockIdx.x * size + y) * size + x];
  sums[thread] = sum;
  __syncthreads();
  for (int half = kSide * kSide / 2; half > 0; half /= 2) {
    if (thread < half) sums[thread] += sums[thread + half];
    __syncthreads();
  }
  if (thread == 0) output[blockIdx.x] = sums[0] / (size * size);
}

// A feature map on the device and on the host. Every layer runs on both, from the device's values,
// and is compared within 1e-3.
class Network {
 public:
  explicit Network(Random& random) : random_(random) {}

  struct Map {
    explicit Map(int count, int side)
        : channels(count), size(side), values(std::size_t(count) * side * side) {}
    int channels, size;
    DeviceArray<float> values;
  };

  void convolve(const Map& input, Map& output, int kernel, int stride) {
    const Shape s{input.channels, input.size, kernel, stride};
    std::vector<float> weights =
        random_.units(std::size_t(output.channels) * s.inputs * kernel * kernel);
    for (float& weight : weights) weight -= 0.5f;
    DeviceArray<float> device(weights);
    convolution<<<output.channels, block_>>>(input.values.get(), device.get(), output.values.get(),
                                             s);
    const std::vector<float> from = input.values.host();
    compare("convolution", output, [&](int channel, int y, int x) {
      return convolved(from.data(), weights.data(), s, channel, y, x);
    });
  }
  void normalize(Map& map) {
    const std::vector<float> factors(map.channels, 0.1f), offsets = random_.units(map.channels);
    const std::vector<float> before = map.values.host();
    DeviceArray<float> device_factors(factors), device_offsets(offsets);
    scale<<<map.channels, block_>>>(map.values.get(), device_factors.get(), device_offsets.get(),
                                    map.size);
    compare("scale", map, [&](int channel, int y, int x) {
      return before[place(map, channel, y, x)] * factors[channel] + offsets[channel];
    });
  }
  void rectify_map(Map& map) {
    const std::vector<float> before = map.values.host();
    rectify<<<map.channels, block_>>>(map.values.get(), map.size);
    compare("rectify", map, [&](int channel, int y, int x) {
      return std::fmax(before[place(map, channel, y, x)], 0.0f);
    });
  }
  void add_map(Map& map, const Map& other) {
    const std::vector<float> before = map.values.host(), more = other.values.host();
    add<<<map.channels, block_>>>(map.values.get(), other.values.get(), map.size);
    compare("add", map, [&](int channel, int y, int x) {
      const std::size_t at = place(map, channel, y, x);
      return std::fmax(before[at] + more[at], 0.0f);
    });
  }
  void pool(const Map& input, Map& output) {
    max_pool<<<input.channels, block_>>>(input.values.get(), output.values.get(), input.size);
    const std::vector<float> from = input.values.host();
    compare("max_pool", output, [&](int channel, int y, int x) {
      return largest(&from[place(input, channel, 0, 0)], input.size, y, x);
    });
  }
  void pool_all(const Map& input) {
    Map output(input.channels, 1);
    average_pool<<<input.channels, block_>>>(input.values.get(), output.values.get(), input.size);
    const std::vector<float> from = input.values.host();
    compare("average_pool", output, [&](int channel, int, int) {
      double sum = 0;
      for (int i = 0; i < input.size * input.size; ++i)
        sum += from[place(input, channel, 0, 0) + i];
      return float(sum / (input.size * input.size));
    });
  }
  int result() const { return verdict(wrong_, checked_); }

 private:
  static std::size_t place(const Map& map, int channel, int y, int x) {
    return (std::size_t(channel) * map.size + y) * map.size + x;
  }
  // Every seventh value, because the host is slow.
  template <class Value>
  void compare(const char* layer, const Map& map, Value expected) {
    finish(layer);
    const std::vector<float> found = map.values.host();
    for (std::size_t at = 0; at < found.size(); at += 7, ++checked_) {
      const int pixel = int(at % (std::size_t(map.size) * map.size)),
                channel = int(at / (std::size_t(map.size) * map.size));
      wrong_ += !near(found[at], expected(channel, pixel / map.size, pixel % map.size), 1e-3);
    }
  }

  Random& random_;
  const dim3 block_{kSide, kSide};
  long wrong_ = 0, checked_ = 0;
};

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "resnet",
                    {{"image", 8, 32, 224}, {"narrow", 4, 16, 64}, {"wide", 8, 64, 256}});
  const int image = std::max(sizes[0] / 4, 1) * 4, narrow = sizes[1], wide = sizes[2];
  Random random(105);
  Network network(random);
  Network::Map input(3, image), first(narrow, image / 2), pooled(narrow, image / 4),
      a(narrow, image / 4), b(narrow, image / 4), now(wide, image / 4), next(wide, image / 4);
  input.values.assign(random.units(3 * std::size_t(image) * image));
  network.convolve(input, first, 7, 2);
  network.normalize(first);
  network.normalize(first);
  network.rectify_map(first);
  network.pool(first, pooled);
  for (int block = 0; block < 3; ++block) {
    Network::Map &source = block == 0 ? pooled : now, &result = block == 0 ? now : next;
    network.convolve(source, a, 1, 1);
    network.normalize(a);
    network.rectify_map(a);
    network.convolve(a, b, 3, 1);
    network.normalize(b);
    network.rectify_map(b);
    network.convolve(b, result, 1, 1);
    network.normalize(result);
    if (block == 0) {  // the projection of the pooled map has the channels of the result
      network.convolve(pooled, next, 1, 1);
      network.normalize(next);
      network.add_map(now, next);
    } else {
      network.add_map(now, next);
    }
    network.rectify_map(now);
  }
  network.pool_all(now);
  return network.result();
}
