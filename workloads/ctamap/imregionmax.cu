// Regional maxima of an image: connected pixels of equal value without a greater neighbour (eight
// neighbours). The first kernel marks the pixels that have no greater neighbour. The second one
// removes the mark of a pixel next to an unmarked pixel of equal value; the host launches it until
// no mark changes. CTAs share the border of their 3x3 neighbourhoods along x and y.
#include <utility>

#include "image.h"

using namespace workload;

// A column outside the image stands for one inside that is a neighbour or the pixel itself.
__global__ void mark_candidates(const float* image, int* marks, int width, int height, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int left = max(x - 1, 0), right = min(x + 1, width - 1), last = min(y + 1, height - 1);
  const float own = image[y * pitch + x];
  bool highest = true;
#pragma unroll 1
  for (int row = max(y - 1, 0); row <= last; ++row) {
    const float a = image[row * pitch + left], b = image[row * pitch + x],
                c = image[row * pitch + right];
    highest = highest & (a <= own) & (b <= own) & (c <= own);
  }
  marks[y * pitch + x] = highest;
}

__global__ void remove_marks(const float* image, const int* marks, int* next, int* changed,
                             int width, int height, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int left = max(x - 1, 0), right = min(x + 1, width - 1), last = min(y + 1, height - 1);
  const float own = image[y * pitch + x];
  const int mark = marks[y * pitch + x];
  bool spoiled = false;
#pragma unroll 1
  for (int row = max(y - 1, 0); row <= last; ++row) {
    const int base = row * pitch;
    spoiled |= (image[base + left] == own) & !marks[base + left];
    spoiled |= (image[base + x] == own) & !marks[base + x];
    spoiled |= (image[base + right] == own) & !marks[base + right];
  }
  next[y * pitch + x] = mark & !spoiled;
  if (mark && spoiled) atomicExch(changed, 1);
}

// Fills every plateau once and marks it if no pixel around it is greater.
std::vector<int> regional_maxima(const std::vector<float>& values, const Image& image) {
  std::vector<int> marks(values.size(), 0);
  std::vector<char> seen(values.size(), 0);
  std::vector<std::pair<int, int>> plateau;
  for (int y0 = 0; y0 < image.height; ++y0) {
    for (int x0 = 0; x0 < image.width; ++x0) {
      if (seen[image.at(x0, y0)]) continue;
      const float value = values[image.at(x0, y0)];
      bool highest = true;
      plateau.assign(1, {x0, y0});
      seen[image.at(x0, y0)] = 1;
      for (std::size_t i = 0; i < plateau.size(); ++i) {
        const auto [x, y] = plateau[i];
        for (int ny = y - 1; ny <= y + 1; ++ny) {
          for (int nx = x - 1; nx <= x + 1; ++nx) {
            if (nx < 0 || ny < 0 || nx >= image.width || ny >= image.height) continue;
            const std::size_t at = image.at(nx, ny);
            highest &= values[at] <= value;
            if (values[at] != value || seen[at]) continue;
            seen[at] = 1;
            plateau.emplace_back(nx, ny);
          }
        }
      }
      for (const auto& [x, y] : plateau) marks[image.at(x, y)] = highest;
    }
  }
  return marks;
}

int main(int argc, char** argv) {
  const char* program = "imregionmax";
  const Sizes sizes(argc, argv, program,
                    {{"width", 72, 512, 4096},
                     {"height", 40, 512, 4096},
                     {"pitch", 96, 4096, 4096},
                     {"block_x", 16, 16, 16},
                     {"block_y", 16, 16, 16},
                     {"levels", 16, 64, 64}});
  const Image image(program, sizes[0], sizes[1], sizes[2]);
  const dim3 block = cta_shape(program, sizes[3], sizes[4]);
  Random random(55);
  std::vector<float> values(image.elements());
  for (float& value : values) value = static_cast<float>(random.below(sizes[5]));

  DeviceArray<float> device_values(values);
  DeviceArray<int> first(image.elements()), second(image.elements()), changed(1);
  const dim3 grid = grid_for(image.width, image.height, block);
  mark_candidates<<<grid, block>>>(device_values.get(), first.get(), image.width, image.height,
                                   image.pitch);
  finish("mark_candidates");
  int* marks = first.get();
  int* next = second.get();
  do {
    changed.assign({0});
    remove_marks<<<grid, block>>>(device_values.get(), marks, next, changed.get(), image.width,
                                  image.height, image.pitch);
    finish("remove_marks");
    std::swap(marks, next);
  } while (changed.host()[0]);

  const std::vector<int> result = (marks == first.get() ? first : second).host(),
                         expected = regional_maxima(values, image);
  long wrong = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      wrong += result[image.at(x, y)] != expected[image.at(x, y)];
  return verdict(wrong, long(image.width) * image.height);
}
