// Speckle-reducing anisotropic diffusion of an image (Yu and Acton, 2002), as Rodinia's SRAD.
// Version 1: a thread per pixel, neighbours by tables of row and column numbers, a sum of the image
// and its squares per iteration, then diffusion coefficients and the update.
// Version 2: CTAs of 16x16 threads, tiles of the image and of the rows and columns beside them in
// shared memory, with barriers between their loads; the host computes the sums. Rows and columns
// are multiples of 16.
#include <algorithm>

#include "../common.h"

using namespace workload;

constexpr int kMaxBlock = 512, kTile = 16;

struct Neighbours {
  const int *north, *south, *west, *east;  // row above, row below, column left, column right
};

__global__ void square(const float* image, float* sums, float* squares, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  sums[i] = image[i];
  squares[i] = image[i] * image[i];
}

// Sums of each CTA's part of the two arrays.
__global__ void reduce(const float* sums, const float* squares, float* part_sums,
                       float* part_squares, int count) {
  __shared__ float sum[kMaxBlock], sum_of_squares[kMaxBlock];
  const int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  sum[thread] = i < count ? sums[i] : 0.0f;
  sum_of_squares[thread] = i < count ? squares[i] : 0.0f;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (thread < half) {
      sum[thread] += sum[thread + half];
      sum_of_squares[thread] += sum_of_squares[thread + half];
    }
    __syncthreads();
  }
  if (thread == 0) {
    part_sums[blockIdx.x] = sum[0];
    part_squares[blockIdx.x] = sum_of_squares[0];
  }
}

// `variation`: the squared coefficient of variation of the whole image. Pixels are numbered down
// the columns.
__global__ void diffusion(const float* image, Neighbours at, float* dn, float* ds, float* dw,
                          float* de, float* coefficient, float variation, int rows, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const int row = i % rows, column = i / rows;
  const float here = image[i];
  const float n = image[at.north[row] + rows * column] - here,
              s = image[at.south[row] + rows * column] - here,
              w = image[row + rows * at.west[column]] - here,
              e = image[row + rows * at.east[column]] - here;
  const float gradient = (n * n + s * s + w * w + e * e) / (here * here);
  const float laplacian = (n + s + w + e) / here, scaled = 1.0f + 0.25f * laplacian;
  const float local = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scaled * scaled);
  const float c = 1.0f / (1.0f + (local - variation) / (variation * (1.0f + variation)));
  coefficient[i] = fminf(fmaxf(c, 0.0f), 1.0f);
  dn[i] = n;
  ds[i] = s;
  dw[i] = w;
  de[i] = e;
}

__global__ void update(float* image, Neighbours at, const float* dn, const float* ds,
                       const float* dw, const float* de, const float* coefficient, float step,
                       int rows, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const int row = i % rows, column = i / rows;
  const float here = coefficient[i], south = coefficient[at.south[row] + rows * column],
              east = coefficient[row + rows * at.east[column]];
  const float divergence = here * dn[i] + south * ds[i] + here * dw[i] + east * de[i];
  image[i] += 0.25f * step * divergence;
}

// A thread's pixel in version 2, where pixels are numbered along the rows. Rows below and columns
// to the right of a tile are numbered as if it were another tile; at the edge they are the tile's
// own.
struct TilePixel {
  int x, y, own, below, right, columns;
  bool is_last_row, is_last_column;
  __device__ explicit TilePixel(int columns) : x(threadIdx.x), y(threadIdx.y), columns(columns) {
    const int first = columns * kTile * blockIdx.y + kTile * blockIdx.x;
    own = first + columns * y + x;
    is_last_row = blockIdx.y == gridDim.y - 1;
    is_last_column = blockIdx.x == gridDim.x - 1;
    below = first + columns * (is_last_row ? kTile - 1 : kTile) + x;
    right = first + columns * y + (is_last_column ? kTile - 1 : kTile);
  }
  __device__ int above() const { return own - columns * (blockIdx.y == 0 ? y : y + 1); }
  __device__ int left() const { return own - (blockIdx.x == 0 ? x : x + 1); }
};

__global__ void tile_diffusion(const float* image, float* dn, float* ds, float* dw, float* de,
                               float* coefficient, int columns, float variation) {
  __shared__ float here[kTile][kTile], result[kTile][kTile], north[kTile][kTile],
      south[kTile][kTile], west[kTile][kTile], east[kTile][kTile];
  const TilePixel at(columns);
  const int x = at.x, y = at.y;
  north[y][x] = image[at.above()];
  south[y][x] = image[at.below];
  __syncthreads();
  west[y][x] = image[at.left()];
  east[y][x] = image[at.right];
  __syncthreads();
  here[y][x] = image[at.own];
  __syncthreads();

  const float centre = here[y][x];
  // Corners, edges and the rest of a tile are branches of their own, as in the original.
  float n = 0, s = 0, w = 0, e = 0;
  constexpr int kLast = kTile - 1;
  if (y == 0 && x == 0) {
    n = north[y][x], s = here[y + 1][x], w = west[y][x], e = here[y][x + 1];
  } else if (y == 0 && x == kLast) {
    n = north[y][x], s = here[y + 1][x], w = here[y][x - 1], e = east[y][x];
  } else if (y == kLast && x == kLast) {
    n = here[y - 1][x], s = south[y][x], w = here[y][x - 1], e = east[y][x];
  } else if (y == kLast && x == 0) {
    n = here[y - 1][x], s = south[y][x], w = west[y][x], e = here[y][x + 1];
  } else if (y == 0) {
    n = north[y][x], s = here[y + 1][x], w = here[y][x - 1], e = here[y][x + 1];
  } else if (x == kLast) {
    n = here[y - 1][x], s = here[y + 1][x], w = here[y][x - 1], e = east[y][x];
  } else if (y == kLast) {
    n = here[y - 1][x], s = south[y][x], w = here[y][x - 1], e = here[y][x + 1];
  } else if (x == 0) {
    n = here[y - 1][x], s = here[y + 1][x], w = west[y][x], e = here[y][x + 1];
  } else {
    n = here[y - 1][x], s = here[y + 1][x], w = here[y][x - 1], e = here[y][x + 1];
  }
  n -= centre, s -= centre, w -= centre, e -= centre;
  const float gradient = (n * n + s * s + w * w + e * e) / (centre * centre);
  const float laplacian = (n + s + w + e) / centre;
  // In double precision, as the original's constants.
  const float above = 0.5 * gradient - 1.0 / 16.0 * (laplacian * laplacian);
  const float scaled = 1 + 0.25 * laplacian;
  const float local = above / (scaled * scaled);
  const float c = 1.0 / (1.0 + (local - variation) / (variation * (1 + variation)));
  if (c < 0)
    result[y][x] = 0;
  else if (c > 1)
    result[y][x] = 1;
  else
    result[y][x] = c;
  __syncthreads();
  coefficient[at.own] = result[y][x];
  de[at.own] = e;
  dw[at.own] = w;
  ds[at.own] = s;
  dn[at.own] = n;
}

__global__ void tile_update(float* image, const float* dn, const float* ds, const float* dw,
                            const float* de, const float* coefficient, int columns, float step) {
  __shared__ float pixels[kTile][kTile], here[kTile][kTile], south[kTile][kTile],
      east[kTile][kTile], result[kTile][kTile];
  const TilePixel at(columns);
  const int x = at.x, y = at.y;
  pixels[y][x] = image[at.own];
  __syncthreads();
  south[y][x] = coefficient[at.below];
  __syncthreads();
  east[y][x] = coefficient[at.right];
  __syncthreads();
  here[y][x] = coefficient[at.own];
  __syncthreads();
  const float centre = here[y][x];
  float below = 0, right = 0;
  if (y == kTile - 1 && x == kTile - 1) {
    below = south[y][x], right = east[y][x];
  } else if (x == kTile - 1) {
    below = here[y + 1][x], right = east[y][x];
  } else if (y == kTile - 1) {
    below = south[y][x], right = here[y][x + 1];
  } else {
    below = here[y + 1][x], right = here[y][x + 1];
  }
  const float divergence =
      centre * dn[at.own] + below * ds[at.own] + centre * dw[at.own] + right * de[at.own];
  result[y][x] = pixels[y][x] + 0.25 * step * divergence;
  __syncthreads();
  image[at.own] = result[y][x];
}

static std::vector<int> moved(int count, int by) {
  std::vector<int> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = std::min(std::max(i + by, 0), count - 1);
  return numbers;
}

static double squared_variation(double sum, double squares, int pixels) {
  const double mean = sum / pixels;
  return (squares / pixels - mean * mean) / (mean * mean);
}

// The same iterations on the host.
static void diffuse(std::vector<double>& image, int rows, int columns, int iterations,
                    double step) {
  const int pixels = rows * columns;
  std::vector<double> coefficient(pixels), d(4 * std::size_t(pixels));
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double sum = 0, squares = 0;
    for (double value : image) sum += value, squares += value * value;
    const double variation = squared_variation(sum, squares, pixels);
    for (int i = 0; i < pixels; ++i) {
      const int row = i % rows, column = i / rows;
      double* part = &d[4 * std::size_t(i)];
      const double here = image[i];
      part[0] = image[std::max(row - 1, 0) + rows * column] - here;
      part[1] = image[std::min(row + 1, rows - 1) + rows * column] - here;
      part[2] = image[row + rows * std::max(column - 1, 0)] - here;
      part[3] = image[row + rows * std::min(column + 1, columns - 1)] - here;
      double gradient = 0, laplacian = 0;
      for (int k = 0; k < 4; ++k) gradient += part[k] * part[k], laplacian += part[k];
      gradient /= here * here;
      laplacian /= here;
      const double scaled = 1 + 0.25 * laplacian,
                   local = (0.5 * gradient - 0.0625 * laplacian * laplacian) / (scaled * scaled);
      const double c = 1 / (1 + (local - variation) / (variation * (1 + variation)));
      coefficient[i] = std::fmin(std::fmax(c, 0.0), 1.0);
    }
    for (int i = 0; i < pixels; ++i) {
      const int row = i % rows, column = i / rows;
      const double* part = &d[4 * std::size_t(i)];
      image[i] += 0.25 * step *
                  (coefficient[i] * (part[0] + part[2]) +
                   coefficient[std::min(row + 1, rows - 1) + rows * column] * part[1] +
                   coefficient[row + rows * std::min(column + 1, columns - 1)] * part[3]);
    }
  }
}

struct Arrays {
  explicit Arrays(std::size_t pixels)
      : dn(pixels), ds(pixels), dw(pixels), de(pixels), coefficient(pixels) {}
  DeviceArray<float> dn, ds, dw, de, coefficient;
};

static void run_by_tables(DeviceArray<float>& image, Arrays& a, int rows, int columns,
                          int iterations, int block, float step) {
  const int pixels = rows * columns, grid = blocks_for(pixels, block);
  DeviceArray<int> north(moved(rows, -1)), south(moved(rows, 1)), west(moved(columns, -1)),
      east(moved(columns, 1));
  const Neighbours at{north.get(), south.get(), west.get(), east.get()};
  DeviceArray<float> sums(pixels), squares(pixels), more_sums(grid), more_squares(grid);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    square<<<grid, block>>>(image.get(), sums.get(), squares.get(), pixels);
    float *from = sums.get(), *from_squares = squares.get(), *to = more_sums.get(),
          *to_squares = more_squares.get();
    for (int left = pixels; left > 1; left = blocks_for(left, block)) {
      reduce<<<blocks_for(left, block), block>>>(from, from_squares, to, to_squares, left);
      std::swap(from, to);
      std::swap(from_squares, to_squares);
    }
    float sum = 0, sum_of_squares = 0;
    check(cudaMemcpy(&sum, from, sizeof sum, cudaMemcpyDeviceToHost), "sum");
    check(cudaMemcpy(&sum_of_squares, from_squares, sizeof sum, cudaMemcpyDeviceToHost), "squares");
    const float mean = sum / pixels,
                variation = (sum_of_squares / pixels - mean * mean) / (mean * mean);
    diffusion<<<grid, block>>>(image.get(), at, a.dn.get(), a.ds.get(), a.dw.get(), a.de.get(),
                               a.coefficient.get(), variation, rows, pixels);
    update<<<grid, block>>>(image.get(), at, a.dn.get(), a.ds.get(), a.dw.get(), a.de.get(),
                            a.coefficient.get(), step, rows, pixels);
  }
  finish("update");
}

static void run_by_tiles(DeviceArray<float>& image, Arrays& a, int rows, int columns,
                         int iterations, float step) {
  const dim3 grid(columns / kTile, rows / kTile), block(kTile, kTile);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double sum = 0, squares = 0;
    for (const float value : image.host()) sum += value, squares += double(value) * value;
    const auto variation = static_cast<float>(squared_variation(sum, squares, rows * columns));
    tile_diffusion<<<grid, block>>>(image.get(), a.dn.get(), a.ds.get(), a.dw.get(), a.de.get(),
                                    a.coefficient.get(), columns, variation);
    tile_update<<<grid, block>>>(image.get(), a.dn.get(), a.ds.get(), a.dw.get(), a.de.get(),
                                 a.coefficient.get(), columns, step);
  }
  finish("tile_update");
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "srad",
                    {{"rows", 40, 256, 502},
                     {"columns", 30, 229, 458},
                     {"iterations", 1, 1, 10},
                     {"block", 64, 256, 256},
                     {"version", 1, 1, 1}});
  const int rows = sizes[0], columns = sizes[1], iterations = sizes[2],
            block = std::min(sizes[3], kMaxBlock), version = sizes[4], pixels = rows * columns;
  if (version == 2 && (rows % kTile || columns % kTile)) return verdict(1, 1);
  const float step = 0.5f;
  Random random(74);
  std::vector<float> image(pixels);
  for (float& value : image) value = std::exp(random.unit());
  DeviceArray<float> device_image(image);
  Arrays arrays(pixels);
  if (version == 2)
    run_by_tiles(device_image, arrays, rows, columns, iterations, step);
  else
    run_by_tables(device_image, arrays, rows, columns, iterations, block, step);

  std::vector<double> expected(image.begin(), image.end());
  if (version == 2)  // pixels are numbered along the rows
    diffuse(expected, columns, rows, iterations, step);
  else
    diffuse(expected, rows, columns, iterations, step);
  const std::vector<float> found = device_image.host();
  long wrong = 0;
  for (int i = 0; i < pixels; ++i) wrong += !near(found[i], expected[i], 1e-3);
  return verdict(wrong, pixels);
}
