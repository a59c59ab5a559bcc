// The matrix Q for the reconstruction of magnetic resonance images, as Parboil's MRI-Q: a voxel per
// thread, CTAs of 256. All threads read the same samples of k-space from constant memory, 1024 per
// launch, in a long loop of two samples per trip with a sine and a cosine each, which are those of
// the special function unit as Parboil's build has them.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 256, kSamples = 1024;
constexpr float kTwoPi = 6.28318531f;

struct Sample {
  float x, y, z, magnitude;
};
__constant__ Sample samples[kSamples];

__global__ void magnitudes(const float* real, const float* imaginary, float* magnitude, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) magnitude[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
}

__global__ void compute_q(const float* x, const float* y, const float* z, float* real,
                          float* imaginary, int voxels, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels) return;
  const float own_x = x[i], own_y = y[i], own_z = z[i];
  float sum = real[i], other = imaginary[i];
  const auto add = [&](const Sample& sample) {
    const float angle = kTwoPi * (sample.x * own_x + sample.y * own_y + sample.z * own_z);
    sum += sample.magnitude * __cosf(angle);
    other += sample.magnitude * __sinf(angle);
  };
  int k = 0;
  if (count % 2 != 0) add(samples[k++]);
#pragma unroll 1
  for (; k < count; k += 2) {
    add(samples[k]);
    add(samples[k + 1]);
  }
  real[i] = sum;
  imaginary[i] = other;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "mri_q",
                    {{"voxels", 300, 7680, 32768}, {"samples", 40, 128, 3072}});
  const int voxels = sizes[0], count = sizes[1];
  Random random(103);
  const std::vector<float> x = random.units(voxels), y = random.units(voxels),
                           z = random.units(voxels), phi_real = random.units(count),
                           phi_imaginary = random.units(count);
  std::vector<Sample> k_space(count);
  for (Sample& sample : k_space)
    sample = {random.unit() - 0.5f, random.unit() - 0.5f, random.unit() - 0.5f, 0.0f};
  DeviceArray<float> device_x(x), device_y(y), device_z(z), real(voxels), imaginary(voxels),
      device_phi_real(phi_real), device_phi_imaginary(phi_imaginary), magnitude(count);
  magnitudes<<<blocks_for(count, 512), 512>>>(device_phi_real.get(), device_phi_imaginary.get(),
                                              magnitude.get(), count);
  finish("magnitudes");
  const std::vector<float> found_magnitudes = magnitude.host();
  long wrong = 0;
  for (int k = 0; k < count; ++k) {
    k_space[k].magnitude = found_magnitudes[k];
    wrong += !near(found_magnitudes[k],
                   phi_real[k] * phi_real[k] + phi_imaginary[k] * phi_imaginary[k], 1e-5);
  }
  for (int from = 0; from < count; from += kSamples) {
    const int part = std::min(kSamples, count - from);
    check(cudaMemcpyToSymbol(samples, &k_space[from], part * sizeof(Sample)), "samples");
    compute_q<<<blocks_for(voxels, kBlock), kBlock>>>(
        device_x.get(), device_y.get(), device_z.get(), real.get(), imaginary.get(), voxels, part);
    finish("compute_q");
  }

  const std::vector<float> found = real.host(), other = imaginary.host();
  for (int i = 0; i < voxels; ++i) {
    double sum = 0, of_sines = 0;
    for (const Sample& sample : k_space) {
      const double angle =
          kTwoPi * (double(sample.x) * x[i] + double(sample.y) * y[i] + double(sample.z) * z[i]);
      sum += sample.magnitude * std::cos(angle);
      of_sines += sample.magnitude * std::sin(angle);
    }
    wrong += !near(found[i], sum, 2e-3) || !near(other[i], of_sines, 2e-3);
  }
  return verdict(wrong, count + long(voxels));
}
