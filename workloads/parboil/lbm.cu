// Flow in a cavity with a moving lid around a body, by the lattice-Boltzmann method with 19
// directions (D3Q19), as Parboil's LBM: a thread per cell, a CTA per row, a launch per time step. A
// thread reads the 19 values of its cell, collides them and writes each to the next cell in its
// direction. In layout 1 the 20 entries of a cell are adjacent: a load touches a line per one or
// two lanes, and the warp's other 18 loads need the same lines again. In layout 2 each entry is an
// array over the cells, and all loads are coalesced. Rows have eight cells of padding, and begin
// with a line of 128 bytes, as in Parboil.
#include <utility>

#include "../common.h"

using namespace workload;

constexpr int kDirections = 19, kFlags = 19, kEntries = 20;
constexpr float kOmega = 1.95f, kBody = 0.304f;  // the radius for a lattice of side 1
constexpr int kObstacle = 1, kLid = 2, kPadding = 8;

// Direction i; 2k - 1 and 2k are opposite.
__host__ __device__ constexpr int toward(int axis, int i) {
  const int vectors[3][kDirections] = {
      {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0},
      {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1},
      {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1}};
  return vectors[axis][i];
}
__host__ __device__ constexpr int opposite(int i) { return i == 0 ? 0 : ((i - 1) ^ 1) + 1; }
__host__ __device__ constexpr float weight(int i) {
  return i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
}

template <int kLayout>
__host__ __device__ int place(int cell, int entry, int cells) {
  return kLayout == 1 ? cell * kEntries + entry : entry * cells + cell;
}

// Flags are an integer in an entry of a cell.
__host__ __device__ inline int flags_in(float entry) {
  int flags = 0;
  memcpy(&flags, &entry, sizeof flags);
  return flags;
}

// Relaxes the values of a cell to their equilibrium. The lid imposes its velocity.
__host__ __device__ inline void collide(float (&f)[kDirections], bool lid) {
  float density = 0.0f, u = 0.0f, v = 0.0f, w = 0.0f;
#pragma unroll
  for (int i = 0; i < kDirections; ++i) {
    density += f[i];
    u += toward(0, i) * f[i];
    v += toward(1, i) * f[i];
    w += toward(2, i) * f[i];
  }
  u = lid ? 0.005f : u / density;
  v = lid ? 0.002f : v / density;
  w = lid ? 0.0f : w / density;
  const float square = 1.0f - 1.5f * (u * u + v * v + w * w);
#pragma unroll
  for (int i = 0; i < kDirections; ++i) {
    const float along = toward(0, i) * u + toward(1, i) * v + toward(2, i) * w;
    const float equilibrium = weight(i) * density * (square + along * (3.0f + 4.5f * along));
    f[i] = (1.0f - kOmega) * f[i] + kOmega * equilibrium;
  }
}

template <int kLayout>
__host__ __device__ inline void stream(const float* source, float* result, int cell, int pitch,
                                       int ny, int cells) {
  float f[kDirections];
#pragma unroll
  for (int i = 0; i < kDirections; ++i) f[i] = source[place<kLayout>(cell, i, cells)];
  const int flags = flags_in(source[place<kLayout>(cell, kFlags, cells)]);
  if (flags & kObstacle) {
#pragma unroll
    for (int i = 1; i < kDirections; i += 2) {
      const float value = f[i];
      f[i] = f[i + 1];
      f[i + 1] = value;
    }
  } else {
    collide(f, (flags & kLid) != 0);
  }
#pragma unroll
  for (int i = 0; i < kDirections; ++i) {
    const int next = cell + toward(0, i) + pitch * (toward(1, i) + ny * toward(2, i));
    result[place<kLayout>(next, i, cells)] = f[i];
  }
}

// Cells start after a margin, because the cells of the border write outside of the lattice.
template <int kLayout>
__global__ void time_step(const float* source, float* result, int margin, int cells) {
  const int pitch = blockDim.x + kPadding, ny = gridDim.x;
  const int cell = margin + threadIdx.x + pitch * (blockIdx.x + ny * blockIdx.y);
  stream<kLayout>(source, result, cell, pitch, ny, cells);
}

template <int kLayout>
long simulate(int nx, int ny, int nz, int steps) {
  const int pitch = nx + kPadding, margin = 2 * pitch * ny, cells = pitch * ny * nz + 2 * margin;
  std::vector<float> source(std::size_t(cells) * kEntries);
  for (int cell = 0; cell < cells; ++cell) {
    for (int i = 0; i < kDirections; ++i) source[place<kLayout>(cell, i, cells)] = weight(i);
  }
  std::vector<int> inside;  // the cells of the lattice
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const int cell = margin + x + pitch * (y + ny * z);
        inside.push_back(cell);
        const bool wall = x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1;
        // The obstacle is one body, 11.8 % of the cells inside the walls.
        const float dx = (x + 0.5f) / nx - 0.5f, dy = (y + 0.5f) / ny - 0.5f,
                    dz = (z + 0.5f) / nz - 0.5f;
        const bool body = dx * dx + dy * dy + dz * dz < kBody * kBody;
        const bool lid = (z == 1 || z == nz - 2) && x > 1 && x < nx - 2 && y > 1 && y < ny - 2;
        const int flags = wall || body ? kObstacle : lid ? kLid : 0;
        memcpy(&source[place<kLayout>(cell, kFlags, cells)], &flags, sizeof flags);
      }
    }
  }
  std::vector<float> result = source;
  DeviceArray<float> from(source), to(result);
  float *now = from.get(), *next = to.get();
  for (int step = 0; step < steps; ++step) {
    time_step<kLayout><<<dim3(ny, nz), nx>>>(now, next, margin, cells);
    std::swap(now, next);
  }
  finish("time_step");

  for (int step = 0; step < steps; ++step) {
    for (const int cell : inside)
      stream<kLayout>(source.data(), result.data(), cell, pitch, ny, cells);
    std::swap(source, result);
  }
  const std::vector<float> found = (steps % 2 ? to : from).host();
  long wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) wrong += !near(found[i], source[i], 1e-4);
  return verdict(wrong, static_cast<long>(found.size()));
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "lbm",
                    {{"nx", 40, 120, 120},
                     {"ny", 4, 24, 120},
                     {"nz", 4, 15, 150},
                     {"steps", 2, 2, 10},
                     {"layout", 1, 1, 1}});
  return sizes[4] == 1 ? int(simulate<1>(sizes[0], sizes[1], sizes[2], sizes[3]))
                       : int(simulate<2>(sizes[0], sizes[1], sizes[2], sizes[3]));
}
