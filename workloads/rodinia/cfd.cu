// A finite-volume solver of the Euler equations on an unstructured grid, as Rodinia's euler3d: a
// thread per element, CTAs of 192. compute_flux gathers the state of four neighbours, whose lines
// other warps read as well. Each iteration has a kernel for the time step's length and three pairs
// of compute_flux and time_step (a Runge-Kutta method).
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kBlock = 192, kFaces = 4, kVariables = 5;
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
  float speed, pressure, sound;
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
  return {v, sqrtf(square), pressure, sqrtf(kGamma * pressure / s.density)};
}

// Adds the flux of a state along half of a face's normal.
__host__ __device__ inline void add_flux(float (&flux)[kVariables], const State& s,
                                         const Derived& d, const Vector& normal) {
  const float along =
      0.5f * (d.velocity.x * normal.x + d.velocity.y * normal.y + d.velocity.z * normal.z);
  const float half_pressure = 0.5f * d.pressure;
  flux[0] += along * s.density;
  flux[1] += along * s.momentum.x + half_pressure * normal.x;
  flux[2] += along * s.momentum.y + half_pressure * normal.y;
  flux[3] += along * s.momentum.z + half_pressure * normal.z;
  flux[4] += along * (s.energy + d.pressure);
}

// neighbours[i + face * count]; a negative number is the far field. normals[i + (face + 4 * axis) *
// count].
__host__ __device__ inline void element_flux(const int* neighbours, const float* normals,
                                             const float* variables, const State& far_field, int i,
                                             int count, float (&flux)[kVariables]) {
  const State own = state_of(variables, i, count);
  const Derived derived = derived_of(own);
#pragma unroll
  for (int k = 0; k < kVariables; ++k) flux[k] = 0.0f;
#pragma unroll 1
  for (int face = 0; face < kFaces; ++face) {
    const int neighbour = neighbours[i + face * count];
    const Vector normal{normals[i + face * count], normals[i + (face + kFaces) * count],
                        normals[i + (face + 2 * kFaces) * count]};
    const State other = neighbour < 0 ? far_field : state_of(variables, neighbour, count);
    const Derived other_derived = derived_of(other);
    if (neighbour >= 0) {
      const float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
      const float factor =
          -length * kSmoothing * 0.5f *
          (derived.speed + other_derived.speed + derived.sound + other_derived.sound);
      flux[0] += factor * (own.density - other.density);
      flux[1] += factor * (own.momentum.x - other.momentum.x);
      flux[2] += factor * (own.momentum.y - other.momentum.y);
      flux[3] += factor * (own.momentum.z - other.momentum.z);
      flux[4] += factor * (own.energy - other.energy);
    }
    add_flux(flux, other, other_derived, normal);
    add_flux(flux, own, derived, normal);
  }
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
                             float* fluxes, State far_field, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float flux[kVariables];
  element_flux(neighbours, normals, variables, far_field, i, count, flux);
#pragma unroll
  for (int k = 0; k < kVariables; ++k) fluxes[i + k * count] = flux[k];
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
static std::vector<int> mesh(Random& random, int count) {
  const int steps[kFaces] = {-1, 1, 46, -46 * 46};
  std::vector<int> neighbours(std::size_t(kFaces) * count);
  for (int face = 0; face < kFaces; ++face) {
    for (int i = 0; i < count; ++i) {
      const int moved = i + steps[face] + (random.below(10) ? 0 : random.below(400) - 200);
      neighbours[std::size_t(face) * count + i] = moved >= 0 && moved < count ? moved : -2;
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
  const State far_field{1.4f, 2.5f + 0.7f * 1.44f, {1.68f, 0.0f, 0.0f}};
  std::vector<float> normals(std::size_t(3) * kFaces * count), areas(count),
      variables(std::size_t(kVariables) * count);
  for (float& normal : normals) normal = 0.1f * (random.unit() - 0.5f);
  for (float& area : areas) area = 10.0f + random.unit();
  for (int i = 0; i < count; ++i) {
    const float parts[] = {far_field.density, far_field.momentum.x, 0, 0, far_field.energy};
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
                                       fluxes.get(), far_field, count);
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
        float flux[kVariables];
        element_flux(neighbours.data(), normals.data(), variables.data(), far_field, i, count,
                     flux);
        for (int k = 0; k < kVariables; ++k) {
          const std::size_t at = i + std::size_t(k) * count;
          next[at] = old[at] + factor[i] / divisor * flux[k];
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
