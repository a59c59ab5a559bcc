// Bilinear interpolation of a Bayer image (red at even columns of even rows, blue at odd columns of
// odd rows). A thread computes the three colours of one pixel from its 3x3 neighbourhood; border
// pixels are not computed. CTAs share the border of their neighbourhoods along x and y.
#include "image.h"

using namespace workload;

__global__ void interpolate(const float* raw, float* red, float* green, float* blue, int width,
                            int height, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  float centre = 0.0f, horizontal = 0.0f, vertical = 0.0f, diagonal = 0.0f;
#pragma unroll 1
  for (int dy = -1; dy <= 1; ++dy) {
    const float* row = raw + (y + dy) * pitch + x;
    const float middle = row[0], sides = row[-1] + row[1];
    if (dy == 0) {
      centre = middle;
      horizontal = sides * 0.5f;
    } else {
      vertical += middle * 0.5f;
      diagonal += sides * 0.25f;
    }
  }
  const int at = y * pitch + x;
  const bool odd_row = y & 1, odd_column = x & 1;
  const float of_row = odd_column == odd_row ? centre : horizontal;
  const float of_other_row = odd_column == odd_row ? diagonal : vertical;
  red[at] = odd_row ? of_other_row : of_row;
  blue[at] = odd_row ? of_row : of_other_row;
  green[at] = odd_column == odd_row ? (horizontal + vertical) * 0.5f : centre;
}

enum Colour { kRed, kGreen, kBlue };

Colour colour_at(int x, int y) { return x % 2 != y % 2 ? kGreen : x % 2 ? kBlue : kRed; }

// The mean of the neighbours that have the colour; the pixel itself if it has it.
double expected(const std::vector<float>& raw, const Image& image, int x, int y, Colour colour) {
  if (colour_at(x, y) == colour) return raw[image.at(x, y)];
  double sum = 0;
  int count = 0;
  for (int i = y - 1; i <= y + 1; ++i) {
    for (int j = x - 1; j <= x + 1; ++j) {
      if (colour_at(j, i) != colour) continue;
      sum += raw[image.at(j, i)];
      ++count;
    }
  }
  return sum / count;
}

int main(int argc, char** argv) {
  const char* program = "demosaic";
  const Sizes sizes(argc, argv, program,
                    {{"width", 72, 512, 8192},
                     {"height", 40, 512, 8192},
                     {"pitch", 96, 8192, 8192},
                     {"block_x", 16, 16, 16},
                     {"block_y", 16, 16, 16}});
  const Image image(program, sizes[0], sizes[1], sizes[2]);
  const dim3 block = cta_shape(program, sizes[3], sizes[4]);
  if (image.width < 3 || image.height < 3) refuse(program, "the image needs 3 x 3 pixels");
  Random random(54);
  const std::vector<float> raw = random.units(image.elements());

  DeviceArray<float> device_raw(raw), red(image.elements()), green(image.elements()),
      blue(image.elements());
  interpolate<<<grid_for(image.width, image.height, block), block>>>(
      device_raw.get(), red.get(), green.get(), blue.get(), image.width, image.height, image.pitch);
  finish("interpolate");

  const std::vector<int> rows = checked_rows(image.height - 2, 27.0 * image.width);
  const DeviceArray<float>* planes[] = {&red, &green, &blue};
  long wrong = 0, checked = 0;
  for (const Colour colour : {kRed, kGreen, kBlue}) {
    const std::vector<float> plane = planes[colour]->host();
    for (const int row : rows) {
      for (int x = 1; x < image.width - 1; ++x, ++checked)
        wrong += !near(plane[image.at(x, row + 1)], expected(raw, image, x, row + 1, colour), 1e-5);
    }
  }
  return verdict(wrong, checked);
}
