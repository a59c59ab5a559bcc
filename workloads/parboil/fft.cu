// Fourier transforms of many arrays of 256 complex numbers, as Parboil's FFT: a CTA of 128 threads
// per array, radix 2; the arrays are reordered in shared memory after each of the eight steps.
#include <complex>

#include "../common.h"

using namespace workload;

constexpr int kPoints = 256, kBlock = kPoints / 2;
constexpr float kPi = 3.14159265f;

__global__ void transform(const float2* input, float2* output) {
  __shared__ float real[kPoints], imaginary[kPoints];
  const int thread = threadIdx.x;
  const float2* own = input + blockIdx.x * kPoints;
  float2 a = own[thread], b = own[thread + kBlock];
  for (int length = 1; length < kPoints; length *= 2) {
    const int lane = thread % length;
    float sine, cosine;
    sincosf(-kPi * lane / length, &sine, &cosine);
    const float2 turned{b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
    const float2 sum{a.x + turned.x, a.y + turned.y}, difference{a.x - turned.x, a.y - turned.y};
    const int to = thread / length * length * 2 + lane;
    __syncthreads();
    real[to] = sum.x;
    imaginary[to] = sum.y;
    real[to + length] = difference.x;
    imaginary[to + length] = difference.y;
    __syncthreads();
    a = {real[thread], imaginary[thread]};
    b = {real[thread + kBlock], imaginary[thread + kBlock]};
  }
  output[blockIdx.x * kPoints + thread] = a;
  output[blockIdx.x * kPoints + thread + kBlock] = b;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "fft", {{"arrays", 8, 512, 1024}});
  const int arrays = sizes[0];
  Random random(93);
  std::vector<float2> values(std::size_t(arrays) * kPoints);
  for (float2& value : values) value = {random.unit() - 0.5f, random.unit() - 0.5f};
  DeviceArray<float2> input(values), output(values.size());
  transform<<<arrays, kBlock>>>(input.get(), output.get());
  finish("transform");

  // 16 frequencies of each array, from the definition.
  const std::vector<float2> found = output.host();
  long wrong = 0, checked = 0;
  for (int array = 0; array < arrays; ++array) {
    for (int k = array % 16; k < kPoints; k += 16, ++checked) {
      std::complex<double> sum = 0;
      for (int i = 0; i < kPoints; ++i) {
        const float2 value = values[std::size_t(array) * kPoints + i];
        sum += std::complex<double>(value.x, value.y) *
               std::polar(1.0, -2 * 3.14159265358979 * (i * k % kPoints) / kPoints);
      }
      const float2 value = found[std::size_t(array) * kPoints + k];
      wrong += !near(value.x, sum.real(), 1e-4) || !near(value.y, sum.imag(), 1e-4);
    }
  }
  return verdict(wrong, checked);
}
