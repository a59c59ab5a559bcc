// Convolution of an image with a square filter. A thread computes one pixel; pixels whose window
// ends outside the image are not computed. CTAs share the border of their windows along x and y.
// All threads read the same coefficients.
#include "image.h"

using namespace workload;

__global__ void convolve(const float* in, const float* coefficients, float* out, int width,
                         int height, int pitch, int filter) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x + filter > width || y + filter > height) return;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < filter; ++i) {
#pragma unroll 1
    for (int j = 0; j < filter; ++j)
      sum += coefficients[i * filter + j] * in[(y + i) * pitch + x + j];
  }
  out[y * pitch + x] = sum;
}

int main(int argc, char** argv) {
  const char* program = "conv";
  const Sizes sizes(argc, argv, program,
                    {{"width", 72, 512, 4096},
                     {"height", 40, 512, 4096},
                     {"pitch", 96, 4096, 4096},
                     {"block_x", 16, 16, 16},
                     {"block_y", 16, 16, 16},
                     {"filter", 3, 5, 5}});
  const Image image(program, sizes[0], sizes[1], sizes[2]);
  const dim3 block = cta_shape(program, sizes[3], sizes[4]);
  const int filter = sizes[5];
  if (filter > image.width || filter > image.height)
    refuse(program, "the filter must not be larger than the image");
  Random random(53);
  const std::vector<float> in = random.units(image.elements()),
                           coefficients = random.units(std::size_t(filter) * filter);

  DeviceArray<float> device_in(in), device_coefficients(coefficients), device_out(image.elements());
  convolve<<<grid_for(image.width, image.height, block), block>>>(
      device_in.get(), device_coefficients.get(), device_out.get(), image.width, image.height,
      image.pitch, filter);
  finish("convolve");

  const std::vector<float> out = device_out.host();
  const int columns = image.width - filter + 1, rows = image.height - filter + 1;
  long wrong = 0, checked = 0;
  for (const int y : checked_rows(rows, double(columns) * filter * filter)) {
    for (int x = 0; x < columns; ++x, ++checked) {
      double sum = 0;
      for (int i = 0; i < filter; ++i)
        for (int j = 0; j < filter; ++j)
          sum += double(coefficients[i * filter + j]) * in[image.at(x + j, y + i)];
      wrong += !near(out[image.at(x, y)], sum, 1e-5);
    }
  }
  return verdict(wrong, checked);
}
