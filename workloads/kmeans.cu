// k-means. First the points, stored row by row, are transposed so that the values of a dimension
// are adjacent: each thread reads its own row, whose lines it needs again in its next iterations.
// Then, in each round, each thread finds the nearest centre of its point. All threads read the
// centres in global memory.
#include "texture.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void transpose(const float* rows, float* columns, int points, int dimensions) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
#pragma unroll 1
  for (int d = 0; d < dimensions; ++d) columns[d * points + point] = rows[point * dimensions + d];
}

__global__ void assign_nearest(const float* columns, const float* centres, int* nearest, int points,
                               int dimensions, int clusters) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  int best = -1;
  float best_distance = 3.402823e38f;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
#pragma unroll 1
    for (int d = 0; d < dimensions; ++d) {
      const float difference = columns[d * points + point] - centres[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best_distance) {
      best_distance = distance;
      best = c;
    }
  }
  nearest[point] = best;
}

// Version 2, as in Rodinia: the points are in a texture, the centres in constant memory. Version 1,
// above, is that of the CCWS and DAWS papers. Version 3 is the transposition alone.
constexpr int kMaxCoordinates = 8192;
__constant__ float constant_centres[kMaxCoordinates];

__global__ void assign_nearest_texture(cudaTextureObject_t columns, int* nearest, int points,
                                       int dimensions, int clusters) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  int best = -1;
  float best_distance = 3.402823e38f;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
#pragma unroll 1
    for (int d = 0; d < dimensions; ++d) {
      const float difference =
          tex1Dfetch<float>(columns, d * points + point) - constant_centres[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best_distance) {
      best_distance = distance;
      best = c;
    }
  }
  nearest[point] = best;
}

static double squared_distance(const float* a, const float* b, int dimensions) {
  double sum = 0;
  for (int d = 0; d < dimensions; ++d) sum += (double(a[d]) - b[d]) * (double(a[d]) - b[d]);
  return sum;
}

// A point is wrong when another centre is clearly nearer than the assigned one. Ties may be
// resolved either way.
static long wrong_points(const std::vector<float>& rows, const std::vector<float>& centres,
                         const std::vector<int>& nearest, int dimensions) {
  const int clusters = static_cast<int>(centres.size()) / dimensions;
  long wrong = 0;
  for (std::size_t p = 0; p < nearest.size(); ++p) {
    if (nearest[p] < 0 || nearest[p] >= clusters) {
      ++wrong;
      continue;
    }
    const float* point = &rows[p * dimensions];
    const double own =
        squared_distance(point, &centres[std::size_t(nearest[p]) * dimensions], dimensions);
    bool nearer = false;
    for (int c = 0; c < clusters; ++c) {
      nearer |= squared_distance(point, &centres[std::size_t(c) * dimensions], dimensions) <
                own * (1 - 1e-4);
    }
    wrong += nearer;
  }
  return wrong;
}

static void move_centres(const std::vector<float>& rows, const std::vector<int>& nearest,
                         std::vector<float>& centres, int dimensions) {
  std::vector<double> sums(centres.size());
  std::vector<int> members(centres.size() / dimensions);
  for (std::size_t p = 0; p < nearest.size(); ++p) {
    ++members[nearest[p]];
    for (int d = 0; d < dimensions; ++d)
      sums[std::size_t(nearest[p]) * dimensions + d] += rows[p * dimensions + d];
  }
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (!members[c]) continue;
    for (int d = 0; d < dimensions; ++d)
      centres[c * dimensions + d] = static_cast<float>(sums[c * dimensions + d] / members[c]);
  }
}

long wrong_columns(const std::vector<float>& rows, const std::vector<float>& columns, int points) {
  const std::size_t dimensions = rows.size() / points;
  long wrong = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    wrong += rows[i] != columns[i % dimensions * points + i / dimensions];
  return wrong;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "kmeans",
                    {{"dimensions", 8, 34, 34},
                     {"points", 512, 23040, 494020},
                     {"clusters", 3, 5, 5},
                     {"rounds", 2, 1, 2},
                     {"version", 1, 1, 1}});
  const int dimensions = sizes[0], points = sizes[1], clusters = sizes[2], rounds = sizes[3],
            blocks = blocks_for(points, kBlock), version = sizes[4];
  if (version == 2 && clusters * dimensions > kMaxCoordinates) return verdict(1, 1);
  Random random(6);
  const std::vector<float> rows = random.units(std::size_t(points) * dimensions);
  std::vector<float> centres(std::size_t(clusters) * dimensions);
  for (std::size_t i = 0; i < centres.size(); ++i) centres[i] = rows[i % rows.size()];

  DeviceArray<float> device_rows(rows), columns(rows.size()), device_centres(centres);
  DeviceArray<int> nearest(points);
  transpose<<<blocks, kBlock>>>(device_rows.get(), columns.get(), points, dimensions);
  finish("transpose");
  if (version == 3) return verdict(wrong_columns(rows, columns.host(), points), long(rows.size()));
  const cudaTextureObject_t texture = linear_texture(columns.get(), rows.size());
  long wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    if (version == 2) {
      check(cudaMemcpyToSymbol(constant_centres, centres.data(), centres.size() * sizeof(float)),
            "centres");
      assign_nearest_texture<<<blocks, kBlock>>>(texture, nearest.get(), points, dimensions,
                                                 clusters);
    } else {
      device_centres.assign(centres);
      assign_nearest<<<blocks, kBlock>>>(columns.get(), device_centres.get(), nearest.get(), points,
                                         dimensions, clusters);
    }
    finish("assign_nearest");
    const std::vector<int> found = nearest.host();
    wrong += wrong_points(rows, centres, found, dimensions);
    if (wrong) break;
    move_centres(rows, found, centres, dimensions);
  }
  return verdict(wrong, long(points) * rounds);
}
