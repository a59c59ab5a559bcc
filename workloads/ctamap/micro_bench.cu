// Adds neighbouring blocks: a CTA adds its own block of the input and the blocks of the `reach`
// CTAs on either side. Consecutive CTAs along x read each other's block. CTAs along y share
// nothing.
#include "image.h"

using namespace workload;

__global__ void add_neighbours(const float* in, float* out, int width, int height, int pitch,
                               int reach) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int first = max(int(blockIdx.x) - reach, 0);
  const int last = min(int(blockIdx.x) + reach, int(gridDim.x) - 1);
  float sum = 0.0f;
#pragma unroll 1
  for (int block = first; block <= last; ++block)
    sum += in[y * pitch + block * int(blockDim.x) + int(threadIdx.x)];
  out[y * pitch + x] = sum;
}

int main(int argc, char** argv) {
  const char* program = "micro_bench";
  const Sizes sizes(argc, argv, program,
                    {{"width", 128, 512, 4096},
                     {"height", 32, 512, 4096},
                     {"pitch", 128, 4096, 4096},
                     {"block_x", 16, 16, 16},
                     {"block_y", 16, 16, 16},
                     {"reach", 1, 1, 1}});
  const Image image(program, sizes[0], sizes[1], sizes[2]);
  const dim3 block = cta_shape(program, sizes[3], sizes[4]);
  const int reach = sizes[5], block_x = int(block.x), blocks = image.width / block_x;
  if (image.width % block_x) refuse(program, "width must be a multiple of block_x");
  Random random(51);
  const std::vector<float> in = random.units(image.elements());

  DeviceArray<float> device_in(in), device_out(image.elements());
  add_neighbours<<<grid_for(image.width, image.height, block), block>>>(
      device_in.get(), device_out.get(), image.width, image.height, image.pitch, reach);
  finish("add_neighbours");

  const std::vector<float> out = device_out.host();
  long wrong = 0, checked = 0;
  for (const int y : checked_rows(image.height, double(image.width) * (2 * reach + 1))) {
    for (int x = 0; x < image.width; ++x, ++checked) {
      double sum = 0;
      for (int b = x / block_x - reach; b <= x / block_x + reach; ++b)
        if (b >= 0 && b < blocks) sum += in[image.at(b * block_x + x % block_x, y)];
      wrong += !near(out[image.at(x, y)], sum, 1e-5);
    }
  }
  return verdict(wrong, checked);
}
