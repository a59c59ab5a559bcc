// The inner step of stream clustering: the gain if point `candidate` became a centre. Every thread
// computes the distance of its point to the candidate. All threads read the candidate's
// coordinates, a different line per dimension. The coordinates of the points are streamed,
// dimension by dimension. Version 2 has Rodinia's points of 32 bytes, whose lines a warp reads
// again for each member, and its table from a centre's point to its column.
#include "common.h"

using namespace workload;

constexpr int kBlock = 512;

struct Point {
  float weight, cost;
  int centre;
};  // cost: of its present assignment; centre: an index into the gain table

__device__ float squared_distance(const float* coordinates, int p, int candidate, int points,
                                  int dimensions) {
  float distance = 0.0f;
#pragma unroll 1
  for (int d = 0; d < dimensions; ++d) {
    const float difference = coordinates[d * points + p] - coordinates[d * points + candidate];
    distance += difference * difference;
  }
  return distance;
}

__global__ void centre_cost(const float* coordinates, const Point* point, float* gain,
                            unsigned char* would_switch, int points, int dimensions, int centres,
                            int candidate) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  const float distance = squared_distance(coordinates, p, candidate, points, dimensions);
  const float cost = distance * point[p].weight, present = point[p].cost;
  float* row = gain + p * (centres +
                           1);  // a row per point: one column per centre, and one for the candidate
  if (cost < present) {
    would_switch[p] = 1;
    row[centres] += cost - present;
  } else {
    row[point[p].centre] += present - cost;
  }
}

struct RodiniaPoint {
  float weight;
  const float* coordinates;  // not used on the device
  long centre;               // the number of its centre's point
  float cost;
};

__global__ void centre_cost_by_table(const float* coordinates, const RodiniaPoint* point,
                                     const int* column, float* gain, unsigned char* would_switch,
                                     int points, int dimensions, int centres, int candidate) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  const float distance = squared_distance(coordinates, p, candidate, points, dimensions);
  const float cost = distance * point[p].weight;
  float* row = gain + p * (centres + 1);
  if (cost < point[p].cost) {
    would_switch[p] = 1;
    row[centres] += cost - point[p].cost;
  } else {
    row[column[point[p].centre]] += point[p].cost - cost;
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "streamcluster",
                    {{"dimensions", 16, 64, 256},
                     {"points", 1024, 65536, 65536},
                     {"centres", 4, 4, 10},
                     {"candidates", 2, 1, 4},
                     {"version", 1, 1, 1}});
  const int dimensions = sizes[0], points = sizes[1], centres = sizes[2], candidates = sizes[3],
            version = sizes[4];
  Random random(7);
  const std::vector<float> coordinates = random.units(std::size_t(dimensions) * points);
  std::vector<Point> point(points);
  for (Point& p : point)
    p = {1.0f + random.unit(), dimensions * random.unit() / 2, random.below(centres)};

  // The point with number c x points / centres is centre c.
  std::vector<RodiniaPoint> rodinia_point(points);
  std::vector<int> column(points);
  for (int c = 0; c < centres; ++c) column[long(c) * points / centres] = c;
  for (int p = 0; p < points; ++p)
    rodinia_point[p] = {point[p].weight, nullptr, long(point[p].centre) * points / centres,
                        point[p].cost};

  DeviceArray<float> device_coordinates(coordinates);
  DeviceArray<Point> device_point(point);
  DeviceArray<RodiniaPoint> device_rodinia_point(rodinia_point);
  DeviceArray<int> device_column(column);
  long wrong = 0;
  for (int round = 0; round < candidates; ++round) {
    const int candidate = random.below(points), width = centres + 1;
    DeviceArray<float> device_gain(std::size_t(points) * width);
    DeviceArray<unsigned char> device_switch(points);
    const int blocks = blocks_for(points, kBlock);
    if (version == 2)
      centre_cost_by_table<<<blocks, kBlock>>>(
          device_coordinates.get(), device_rodinia_point.get(), device_column.get(),
          device_gain.get(), device_switch.get(), points, dimensions, centres, candidate);
    else
      centre_cost<<<blocks, kBlock>>>(device_coordinates.get(), device_point.get(),
                                      device_gain.get(), device_switch.get(), points, dimensions,
                                      centres, candidate);
    finish("centre_cost");

    const std::vector<float> gain = device_gain.host();
    const std::vector<unsigned char> would_switch = device_switch.host();
    for (int p = 0; p < points; ++p) {
      double distance = 0;
      for (int d = 0; d < dimensions; ++d) {
        const float* plane = &coordinates[std::size_t(d) * points];
        const double difference = double(plane[p]) - plane[candidate];
        distance += difference * difference;
      }
      const double change = distance * point[p].weight - point[p].cost;
      bool right = true;
      for (int c = 0; c < width; ++c) {
        const bool written = c == (would_switch[p] ? centres : point[p].centre);
        right &= near(gain[std::size_t(p) * width + c],
                      !written          ? 0.0
                      : would_switch[p] ? change
                                        : -change,
                      1e-3);
      }
      if (std::fabs(change) > 1e-2) right &= (change < 0) == (would_switch[p] != 0);
      wrong += !right;
    }
  }
  return verdict(wrong, long(points) * candidates);
}
