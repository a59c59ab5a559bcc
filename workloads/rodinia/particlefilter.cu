// Tracks a disc in a video with a particle filter, as Rodinia's particlefilter: CTAs of 512
// threads. Per frame, likelihood moves the particles at random, compares the pixels around each
// with the disc and adds the weights in shared memory; normalize divides them by their sum;
// find_index searches the cumulative weights for the particle that each particle becomes.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 512, kRadius = 5, kMaxPoints = 128;
constexpr float kPi = 3.14159265f;

__constant__ int disc[2 * kMaxPoints];

struct Particle {
  float x, y;
  unsigned seed;
};

__host__ __device__ inline float uniform(unsigned& seed) {
  seed = seed * 1103515245u + 12345u;
  return ((seed >> 8) + 1) / 16777216.0f;
}

__host__ __device__ inline float normal(unsigned& seed) {
  const float u = uniform(seed), v = uniform(seed);
  return sqrtf(-2.0f * logf(u)) * cosf(2.0f * kPi * v);
}

__host__ __device__ inline int pixel_at(float x, float y, int dx, int dy, int size) {
  const int column = int(floorf(x + 0.5f)) + dx, row = int(floorf(y + 0.5f)) + dy;
  return column < 0 || column >= size || row < 0 || row >= size ? 0 : row * size + column;
}

__global__ void likelihood(Particle* particles, const unsigned char* image, float* weights,
                           float* sums, int count, int size, int points) {
  __shared__ float partial[kBlock];
  const int thread = threadIdx.x, i = blockIdx.x * kBlock + thread;
  float weight = 0.0f;
  if (i < count) {
    Particle own = particles[i];
    own.x += 1.0f + 2.0f * normal(own.seed);
    own.y += -2.0f + 2.0f * normal(own.seed);
    particles[i] = own;
    float sum = 0.0f;
    for (int k = 0; k < points; ++k) {
      const float pixel = image[pixel_at(own.x, own.y, disc[2 * k], disc[2 * k + 1], size)];
      sum += ((pixel - 100.0f) * (pixel - 100.0f) - (pixel - 228.0f) * (pixel - 228.0f)) / 50.0f;
    }
    weight = expf(sum / points / 20.0f) / count;
    weights[i] = weight;
  }
  partial[thread] = weight;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}

__global__ void normalize(float* weights, const float* sums, int count, int parts) {
  __shared__ float total;
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < parts; ++i) sum += sums[i];
    total = sum;
  }
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) weights[i] /= total;
}

__global__ void find_index(const Particle* from, const float* cumulative, float first, Particle* to,
                           int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) {
    const float wanted = first + i / float(count);
    int index = count - 1;
    for (int k = 0; k < count; ++k) {
      if (cumulative[k] >= wanted) {
        index = k;
        break;
      }
    }
    to[i] = {from[index].x, from[index].y, from[i].seed};
  }
  __syncthreads();
}

int main(int argc, char** argv) {
  const Sizes sizes(
      argc, argv, "particlefilter",
      {{"particles", 100, 2048, 16384}, {"frames", 1, 1, 10}, {"size", 64, 128, 128}});
  const int count = sizes[0], frames = sizes[1], size = sizes[2], parts = blocks_for(count, kBlock);
  Random random(96);
  std::vector<int> offsets;
  for (int dy = -kRadius; dy <= kRadius; ++dy)
    for (int dx = -kRadius; dx <= kRadius; ++dx)
      if (dx * dx + dy * dy <= kRadius * kRadius) offsets.insert(offsets.end(), {dx, dy});
  const int points = int(offsets.size()) / 2;
  check(cudaMemcpyToSymbol(disc, offsets.data(), offsets.size() * sizeof(int)), "disc");
  std::vector<Particle> start(count);
  for (Particle& particle : start) particle = {size / 2.0f, size / 2.0f, random.next()};
  DeviceArray<Particle> particles(start), moved(count);
  DeviceArray<unsigned char> image(std::size_t(size) * size);
  DeviceArray<float> weights(count), sums(parts), cumulative(count);
  long wrong = 0;
  for (int frame = 1; frame <= frames; ++frame) {
    const std::vector<Particle> before = particles.host();
    std::vector<unsigned char> pixels(std::size_t(size) * size);
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const int dx = x - size / 2 - frame, dy = y - size / 2 + 2 * frame;
        pixels[std::size_t(y) * size + x] =
            (unsigned char)((dx * dx + dy * dy <= kRadius * kRadius ? 228 : 100) +
                            random.below(11) - 5);
      }
    }
    image.assign(pixels);
    likelihood<<<parts, kBlock>>>(particles.get(), image.get(), weights.get(), sums.get(), count,
                                  size, points);
    normalize<<<parts, kBlock>>>(weights.get(), sums.get(), count, parts);
    finish("normalize");
    const std::vector<float> found = weights.host();
    std::vector<float> running(count);
    double sum = 0;
    for (int i = 0; i < count; ++i) running[i] = float(sum += found[i]);
    cumulative.assign(running);
    const float first = random.unit() / count;
    find_index<<<parts, kBlock>>>(particles.get(), cumulative.get(), first, moved.get(), count);
    finish("find_index");

    // The particles move as on the host within 1e-3; weights and indices follow from the device's
    // particles, because a pixel more or less changes a weight.
    const std::vector<Particle> now = particles.host(), chosen = moved.host();
    std::vector<double> expected(count);
    double total = 0;
    for (int i = 0; i < count; ++i) {
      Particle own = before[i];
      own.x += 1.0f + 2.0f * normal(own.seed);
      own.y += -2.0f + 2.0f * normal(own.seed);
      wrong +=
          !near(now[i].x, own.x, 1e-3) || !near(now[i].y, own.y, 1e-3) || now[i].seed != own.seed;
      double score = 0;
      for (int k = 0; k < points; ++k) {
        const double pixel =
            pixels[pixel_at(now[i].x, now[i].y, offsets[2 * k], offsets[2 * k + 1], size)];
        score += ((pixel - 100) * (pixel - 100) - (pixel - 228) * (pixel - 228)) / 50;
      }
      total += expected[i] = std::exp(score / points / 20);
    }
    int index = 0;
    for (int i = 0; i < count; ++i) {
      wrong += !near(found[i] * double(count), expected[i] / total * count, 1e-3);
      const float wanted = first + i / float(count);
      while (index < count - 1 && running[index] < wanted) ++index;
      wrong += chosen[i].x != now[index].x || chosen[i].y != now[index].y;
    }
    check(cudaMemcpy(particles.get(), moved.get(), count * sizeof(Particle),
                     cudaMemcpyDeviceToDevice),
          "copy");
  }
  return verdict(wrong, 3L * count * frames);
}
