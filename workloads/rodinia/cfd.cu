// A finite-volume solver of the Euler equations on an unstructured grid, as Rodinia's euler3d: a
// thread per element, CTAs of 192. compute_flux gathers the state of four neighbours, whose lines
// other warps read as well. Each iteration has a kernel for the time step's length and three pairs
// of compute_flux and time_step (a Runge-Kutta method).
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 192, kFaces = 4, kVariables = 5, kWing = -1, kFar = -2;
constexpr float kGamma = 1.4f, kSmoothing = 0.2f;

struct Vector {
  float x, y, z;
};
struct State {
  float density, energy;
  Vector momentum;
};
struct Derived {
  Vector velocity;
  float square, speed, pressure, sound;
};

// What a state carries through a face: the flux of each momentum (symmetric) and of the energy.
struct Flux {
  float xx, xy, xz, yy, yz, zz;
  Vector energy;
};

struct FarField {
  State state;
  Flux flux;
};

static FarField far_of_host;
__constant__ FarField far_of_device;

__host__ __device__ inline const FarField& far_field() {
#ifdef __CUDA_ARCH__
  return far_of_device;
#else
  return far_of_host;
#endif
}

// A change of the state.
struct Change {
  float density, x, y, z, energy;
};

__host__ __device__ inline State state_of(const float* variables, int i, int count) {
  return {variables[i],
          variables[i + 4 * count],
          {variables[i + count], variables[i + 2 * count], variables[i + 3 * count]}};
}

__host__ __device__ inline Derived derived_of(const State& s) {
  const Vector v{s.momentum.x / s.density, s.momentum.y / s.density, s.momentum.z / s.density};
  const float square = v.x * v.x + v.y * v.y + v.z * v.z;
  const float pressure = (kGamma - 1.0f) * (s.energy - 0.5f * s.density * square);
  return {v, square, sqrtf(square), pressure, sqrtf(kGamma * pressure / s.density)};
}

__host__ __device__ inline Flux flux_of(const State& s, const Derived& d) {
  const Vector &v = d.velocity, &m = s.momentum;
  const float energy = s.energy + d.pressure;
  return {v.x * m.x + d.pressure,
          v.x * m.y,
          v.x * m.z,
          v.y * m.y + d.pressure,
          v.y * m.z,
          v.z * m.z + d.pressure,
          {v.x * energy, v.y * energy, v.z * energy}};
}

// Adds the mean flux of the states on both sides of a face, along its normal.
__host__ __device__ inline void add_mean(Change& sum, const Vector& normal, State a, Flux from_a,
                                         State b, Flux from_b) {
  const float x = 0.5f * normal.x, y = 0.5f * normal.y, z = 0.5f * normal.z;
  sum.density += x * (a.momentum.x + b.momentum.x);
  sum.energy += x * (from_a.energy.x + from_b.energy.x);
  sum.x += x * (from_a.xx + from_b.xx);
  sum.y += x * (from_a.xy + from_b.xy);
  sum.z += x * (from_a.xz + from_b.xz);
  sum.density += y * (a.momentum.y + b.momentum.y);
  sum.energy += y * (from_a.energy.y + from_b.energy.y);
  sum.x += y * (from_a.xy + from_b.xy);
  sum.y += y * (from_a.yy + from_b.yy);
  sum.z += y * (from_a.yz + from_b.yz);
  sum.density += z * (a.momentum.z + b.momentum.z);
  sum.energy += z * (from_a.energy.z + from_b.energy.z);
  sum.x += z * (from_a.xz + from_b.xz);
  sum.y += z * (from_a.yz + from_b.yz);
  sum.z += z * (from_a.zz + from_b.zz);
}

// neighbours[i + face * count]; kWing and kFar are boundaries. normals[i + (face + 4 * axis) *
// count].
__host__ __device__ inline Change element_flux(const int* neighbours, const float* normals,
                                               const float* variables, int i, int count) {
  const State own = state_of(variables, i, count);
  const Derived derived = derived_of(own);
  const Flux flux = flux_of(own, derived);
  Change sum{};
#pragma unroll
  for (int face = 0; face < kFaces; ++face) {
    const int neighbour = neighbours[i + face * count];
    const Vector normal{normals[i + face * count], normals[i + (face + kFaces) * count],
                        normals[i + (face + 2 * kFaces) * count]};
    const float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    if (neighbour >= 0) {
      const State other = state_of(variables, neighbour, count);
      const Derived other_derived = derived_of(other);
      const Flux other_flux = flux_of(other, other_derived);
      const float factor =
          -length * kSmoothing * 0.5f *
          (derived.speed + other_derived.speed + derived.sound + other_derived.sound);
      sum.density += factor * (own.density - other.density);
      sum.energy += factor * (own.energy - other.energy);
      sum.x += factor * (own.momentum.x - other.momentum.x);
      sum.y += factor * (own.momentum.y - other.momentum.y);
      sum.z += factor * (own.momentum.z - other.momentum.z);
      add_mean(sum, normal, other, other_flux, own, flux);
    } else if (neighbour == kWing) {
      sum.x += normal.x * derived.pressure;
      sum.y += normal.y * derived.pressure;
      sum.z += normal.z * derived.pressure;
    } else {
      add_mean(sum, normal, far_field().state, far_field().flux, own, flux);
    }
  }
  return sum;
}

__host__ __device__ inline float step_factor(const float* variables, const float* areas, int i,
                                             int count) {
  const Derived derived = derived_of(state_of(variables, i, count));
  return 0.5f / (sqrtf(areas[i]) * (derived.speed + derived.sound));
}

__global__ void compute_step_factor(const float* variables, const float* areas, float* factors,
                                    int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  factors[i] = step_factor(variables, areas, i, count);
}

__global__ void compute_flux(const int* neighbours, const float* normals, const float* variables,
                             float* fluxes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Change flux = element_flux(neighbours, normals, variables, i, count);
  fluxes[i] = flux.density;
  fluxes[i + count] = flux.x;
  fluxes[i + 2 * count] = flux.y;
  fluxes[i + 3 * count] = flux.z;
  fluxes[i + 4 * count] = flux.energy;
}

__global__ void time_step(int divisor, const float* old_variables, float* variables,
                          const float* factors, const float* fluxes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = factors[i] / divisor;
#pragma unroll
  for (int k = 0; k < kVariables; ++k)
    variables[i + k * count] = old_variables[i + k * count] + factor * fluxes[i + k * count];
}

// Elements lie on a grid whose rows are 46 long. Each has faces to both elements next to it along
// one axis, and to one along each other axis. One neighbour of ten is in another place nearby.
// Before the first element is the wing, after the last one the far field.
static std::vector<int> mesh(Random& random, int count) {
  const int steps[kFaces] = {-1, 1, 46, -46 * 46};
  std::vector<int> neighbours(std::size_t(kFaces) * count);
  for (int face = 0; face < kFaces; ++face) {
    for (int i = 0; i < count; ++i) {
      const int moved = i + steps[face] + (random.below(10) ? 0 : random.below(400) - 200);
      neighbours[std::size_t(face) * count + i] = moved < 0 ? kWing : moved < count ? moved : kFar;
    }
  }
  return neighbours;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "cfd",
                    {{"elements", 1000, 17280, 97046}, {"iterations", 1, 1, 10}});
  const int blocks = blocks_for(sizes[0], kBlock), count = blocks * kBlock, iterations = sizes[1];
  Random random(86);
  const std::vector<int> neighbours = mesh(random, count);
  const State far_state{1.4f, 2.5f + 0.7f * 1.44f, {1.68f, 0.0f, 0.0f}};
  far_of_host = {far_state, flux_of(far_state, derived_of(far_state))};
  check(cudaMemcpyToSymbol(far_of_device, &far_of_host, sizeof far_of_host), "far field");
  std::vector<float> normals(std::size_t(3) * kFaces * count), areas(count),
      variables(std::size_t(kVariables) * count);
  for (float& normal : normals) normal = 0.1f * (random.unit() - 0.5f);
  for (float& area : areas) area = 10.0f + random.unit();
  for (int i = 0; i < count; ++i) {
    const float parts[] = {far_state.density, far_state.momentum.x, 0, 0, far_state.energy};
    for (int k = 0; k < kVariables; ++k)
      variables[i + std::size_t(k) * count] = parts[k] * (1.0f + 0.05f * random.unit());
  }
  DeviceArray<int> device_neighbours(neighbours);
  DeviceArray<float> device_normals(normals), device_areas(areas), from(variables), now(variables),
      factors(count), fluxes(variables.size());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    check(cudaMemcpy(from.get(), now.get(), variables.size() * sizeof(float),
                     cudaMemcpyDeviceToDevice),
          "copy");
    compute_step_factor<<<blocks, kBlock>>>(now.get(), device_areas.get(), factors.get(), count);
    for (int divisor = 3; divisor > 0; --divisor) {
      compute_flux<<<blocks, kBlock>>>(device_neighbours.get(), device_normals.get(), now.get(),
                                       fluxes.get(), count);
      time_step<<<blocks, kBlock>>>(divisor, from.get(), now.get(), factors.get(), fluxes.get(),
                                    count);
    }
  }
  finish("time_step");

  std::vector<float> old(variables), next(variables), factor(count);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    old = variables;
    for (int i = 0; i < count; ++i) factor[i] = step_factor(old.data(), areas.data(), i, count);
    for (int divisor = 3; divisor > 0; --divisor) {
      for (int i = 0; i < count; ++i) {
        const Change flux =
            element_flux(neighbours.data(), normals.data(), variables.data(), i, count);
        const float changes[kVariables] = {flux.density, flux.x, flux.y, flux.z, flux.energy};
        for (int k = 0; k < kVariables; ++k) {
          const std::size_t at = i + std::size_t(k) * count;
          next[at] = old[at] + factor[i] / divisor * changes[k];
        }
      }
      std::swap(variables, next);
    }
  }
  const std::vector<float> found = now.host();
  long wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) wrong += !near(found[i], variables[i], 1e-3);
  return verdict(wrong, static_cast<long>(found.size()));
}
