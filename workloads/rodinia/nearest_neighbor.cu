// Distances of many places to one, as Rodinia's nearest neighbor: a place per thread, read and
// written coalesced; the host takes the nearest.
#include <algorithm>

#include "../common.h"

using namespace workload;

struct Place {
  float latitude, longitude;
};

__global__ void distances(const Place* places, float* result, int count, Place target) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place own = places[i];
  const float dy = target.latitude - own.latitude, dx = target.longitude - own.longitude;
  result[i] = sqrtf(dy * dy + dx * dx);
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "nearest_neighbor", {{"places", 1000, 42764, 42764}});
  const int count = sizes[0];
  Random random(107);
  std::vector<Place> places(count);  // of hurricanes: the northern Atlantic
  for (Place& place : places) place = {7.0f + 63.0f * random.unit(), 358.0f * random.unit()};
  const Place target{30.0f, 90.0f};
  DeviceArray<Place> device_places(places);
  DeviceArray<float> result(count);
  distances<<<blocks_for(count, 256), 256>>>(device_places.get(), result.get(), count, target);
  finish("distances");
  const std::vector<float> found = result.host();
  long wrong = 0;
  for (int i = 0; i < count; ++i) {
    const double dy = double(target.latitude) - places[i].latitude,
                 dx = double(target.longitude) - places[i].longitude;
    wrong += !near(found[i], std::sqrt(dy * dy + dx * dx), 1e-5);
  }
  const long nearest = std::min_element(found.begin(), found.end()) - found.begin();
  std::printf("nearest: %ld\n", nearest);
  return verdict(wrong, count);
}
