// Long and short operations: a coalesced load, then arithmetic that depends on it, repeated. The
// earlier a warp issues its load, the more of the other warps' arithmetic hides it.
#include "../common.h"

using namespace workload;

constexpr int kBlock = 256;

__global__ void mix(const unsigned* values, unsigned* results, int trips, int shorts, int table) {
  const int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = thread;
  int at = thread % table;
#pragma unroll 1
  for (int i = 0; i < trips; ++i) {
    x ^= values[at];
    at = (at + threads) % table;
#pragma unroll 1
    for (int s = 0; s < shorts; ++s) x = x * 1664525u + 1013904223u;
  }
  results[thread] = x;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "long_short_mix",
                    {{"blocks", 4, 24, 360},
                     {"trips", 4, 24, 32},
                     {"shorts", 3, 16, 4},
                     {"table_kib", 4, 256, 4096}});
  const int blocks = sizes[0], trips = sizes[1], shorts = sizes[2], threads = blocks * kBlock,
            table = sizes[3] * 256;
  Random random(27);
  std::vector<unsigned> values(table);
  for (unsigned& value : values) value = random.next();
  DeviceArray<unsigned> device_values(values), device_results(threads);
  mix<<<blocks, kBlock>>>(device_values.get(), device_results.get(), trips, shorts, table);
  finish("mix");

  const std::vector<unsigned> results = device_results.host();
  long wrong = 0;
  for (int thread = 0; thread < threads; ++thread) {
    unsigned x = thread;
    for (int i = 0; i < trips; ++i) {
      x ^= values[(thread % table + (long long)i * threads) % table];
      for (int s = 0; s < shorts; ++s) x = x * 1664525u + 1013904223u;
    }
    wrong += x != results[thread];
  }
  return verdict(wrong, threads);
}
