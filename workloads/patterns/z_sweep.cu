// Sweep along z: columns of 32 x `rows` threads advance plane by plane and read their four
// neighbours from global memory. The rows above and below belong to neighbouring warps of the same
// or the next CTA, which need the same lines while they are in the same plane. barriers: 1 for
// none, 2 for one per plane.
#include "../common.h"

using namespace workload;

constexpr int kWide = 32;

__global__ void sweep(const float* in, float* out, int width, int height, int planes,
                      bool barrier) {
  const int x = blockIdx.x * kWide + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1,
            plane = width * height;
  int at = y * width + x;
  float below = in[at], here = in[at + plane];
  at += plane;
#pragma unroll 1
  for (int z = 1; z < planes - 1; ++z) {
    const float above = in[at + plane];
    const float around = in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
    out[at] = below + above + around - 6.0f * here;
    below = here;
    here = above;
    at += plane;
    if (barrier) __syncthreads();
  }
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "z_sweep",
                    {{"blocks_x", 2, 6, 8},
                     {"blocks_y", 3, 8, 8},
                     {"planes", 6, 34, 66},
                     {"barriers", 2, 1, 1},
                     {"rows", 4, 16, 16}});
  const int blocks_x = sizes[0], blocks_y = sizes[1], planes = sizes[2], rows = sizes[4];
  const bool barrier = sizes[3] == 2;
  const int width = blocks_x * kWide + 2, height = blocks_y * rows + 2, plane = width * height;
  Random random(24);
  const std::vector<float> in = random.units(std::size_t(plane) * planes);
  DeviceArray<float> device_in(in), device_out(in.size());
  sweep<<<dim3(blocks_x, blocks_y), dim3(kWide, rows)>>>(device_in.get(), device_out.get(), width,
                                                         height, planes, barrier);
  finish("sweep");

  const std::vector<float> out = device_out.host();
  long wrong = 0, checked = 0;
  for (int z = 0; z < planes; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const bool inside =
            x > 0 && y > 0 && z > 0 && x < width - 1 && y < height - 1 && z < planes - 1;
        const std::size_t at = std::size_t(z) * plane + y * width + x;
        double expected = 0;
        if (inside) {
          expected = double(in[at - plane]) + in[at + plane] + in[at - 1] + in[at + 1] +
                     in[at - width] + in[at + width] - 6.0 * in[at];
        }
        wrong += !near(out[at], expected, 1e-4);
        ++checked;
      }
    }
  }
  return verdict(wrong, checked);
}
