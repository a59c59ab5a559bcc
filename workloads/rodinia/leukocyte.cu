// Detects and tracks white blood cells in a video, as Rodinia's leukocyte. gicov scores circles of
// seven radii around each pixel by the image's gradient (textures), dilate takes the greatest score
// near each pixel, and track_cells evolves a field per cell, a CTA of 320 threads for each, until
// its mean change is below 1e-5: cells need different numbers of iterations. An iteration moves 320
// pixels at a time, with a barrier after each such step. Constants are doubles where the original's
// are, so that parts of the arithmetic are in double precision.
#include "../texture.h"

using namespace workload;

constexpr int kPoints = 150, kRadii = 7, kMargin = 22;  // of circles
constexpr int kElement = 12, kSide = 2 * kElement + 1;  // of dilate
constexpr int kRows = 41, kColumns = 81, kCell = kRows * kColumns, kBlock = 320;
constexpr int kSteps = (kCell + kBlock - 1) / kBlock;
constexpr double kPi = 3.14159265358979323846, kPull = 0.5 / 5, kImage = 1.0 / 5;
constexpr float kSteepness = 1e10f, kEnough = 1e-5f;

__constant__ float cosine[kPoints], sine[kPoints], element[kSide * kSide];
__constant__ int offset_x[kRadii * kPoints], offset_y[kRadii * kPoints];

// Pixels are numbered down the columns. A CTA has a column, a thread a pixel.
__global__ void gicov(cudaTextureObject_t gradient_x, cudaTextureObject_t gradient_y, float* scores,
                      int height) {
  const int x = blockIdx.x + kMargin, y = threadIdx.x + kMargin;
  float best = 0.0f;
#pragma unroll 1
  for (int radius = 0; radius < kRadii; ++radius) {
    float sum = 0.0f, running = 0.0f, squares = 0.0f;
#pragma unroll 1
    for (int i = 0; i < kPoints; ++i) {
      const int at =
          (x + offset_x[radius * kPoints + i]) * height + y + offset_y[radius * kPoints + i];
      const float along = tex1Dfetch<float>(gradient_x, at) * cosine[i] +
                          tex1Dfetch<float>(gradient_y, at) * sine[i];
      sum += along;
      const float distance = along - running;
      running += distance / (i + 1);
      squares += distance * (along - running);
    }
    const float mean = sum / kPoints, variance = squares / (kPoints - 1);
    best = fmaxf(best, mean * mean / variance);
  }
  scores[x * height + y] = best;
}

// A thread has a pixel; the result is numbered along the rows.
__global__ void dilate(cudaTextureObject_t scores, float* dilated, int width, int height,
                       int side) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x, x = pixel / height, y = pixel % height;
  if (x >= width) return;
  float best = 0.0f;
  for (int row = 0; row < side; ++row) {
    const int near_y = y - side / 2 + row;
    if (near_y < 0 || near_y >= height) continue;
    for (int column = 0; column < side; ++column) {
      const int near_x = x - side / 2 + column;
      if (near_x < 0 || near_x >= width || element[row * side + column] == 0) continue;
      const float score = tex1Dfetch<float>(scores, near_x * height + near_y);
      if (score > best) best = score;
    }
  }
  dilated[y * width + x] = best;
}

// A reciprocal and a polynomial of eight terms, to 1e-7: as many operations as nvcc's atanf has.
__host__ __device__ inline float arctangent(float x) {
  const float size = fabsf(x), inverse = 1.0f / size, y = size > 1.0f ? inverse : size, z = y * y;
  float sum = 3.86673891e-3f;
  sum = sum * z - 2.00267476e-2f;
  sum = sum * z + 4.89143215e-2f;
  sum = sum * z - 8.00968172e-2f;
  sum = sum * z + 0.108657591f;
  sum = sum * z - 0.142570449f;
  sum = sum * z + 0.199986812f;
  sum = sum * z - 0.333333231f;
  const float angle = y + y * (z * sum);
  return copysignf(size > 1.0f ? float(kPi / 2) - angle : angle, x);
}

struct Velocity {
  float x, y;
};

// The value of a pixel after an iteration: neighbours against the direction of motion attract it
// when they are darker, those along it when they are brighter, and the image attracts it where it
// is bright.
template <class Field>
__host__ __device__ inline float value_after(const Field& field, float own, int rows, int columns,
                                             int row, int column, Velocity velocity) {
  const float here = field[row * columns + column];
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    if (i == 4) continue;
    const int dy = i / 3 - 1, dx = i % 3 - 1;
    const int y = dy < 0   ? (row == 0 ? 0 : row - 1)
                  : dy > 0 ? (row == rows - 1 ? rows - 1 : row + 1)
                           : row;
    const int x = dx < 0   ? (column == 0 ? 0 : column - 1)
                  : dx > 0 ? (column == columns - 1 ? columns - 1 : column + 1)
                           : column;
    const float difference = field[y * columns + x] - here;
    const float along = difference * (dx * velocity.x + dy * velocity.y);
    const float weight = arctangent(along * kSteepness) * (1.0 / kPi) + 0.5;
    sum += weight * difference;
  }
  float value = here + kPull * sum;
  value -= kImage * own * (value - own);
  return value;
}

__global__ void track_cells(const float* images, float* fields, const int* all_rows,
                            const int* all_columns, int* iterations, Velocity velocity, int most,
                            float enough) {
  __shared__ float field[kCell], waiting[2][kBlock];
  __shared__ int rests;
  const int thread = threadIdx.x;
  const int rows = all_rows[blockIdx.x], columns = all_columns[blockIdx.x];
  const int steps = (rows * columns + kBlock - 1) / kBlock;
  const float* image = images + blockIdx.x * kCell;
  for (int i = thread; i < rows * columns; i += kBlock) field[i] = image[i];
  if (thread == 0) rests = 0;
  __syncthreads();
  const float row_of = 1.0f / columns;
  int iteration = 0;
  while (!rests && iteration < most) {
    float sum = 0.0f;
    int column = thread % columns - kBlock % columns;
    // Neighbours of a step's pixels are in the step before and after, so that a new value may be
    // stored two steps later.
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      const int first = step * kBlock, row = (thread + first) * row_of;
      column += kBlock % columns;
      if (column >= columns) column -= columns;
      float value = 0.0f, old = 0.0f;
      if (row < rows) {
        old = field[row * columns + column];
        value =
            value_after(field, image[row * columns + column], rows, columns, row, column, velocity);
      }
      if (step >= 2) field[first - 2 * kBlock + thread] = waiting[step & 1][thread];
      waiting[step & 1][thread] = value;
      sum += fabsf(value - old);
      __syncthreads();
    }
    field[(steps - 2) * kBlock + thread] = waiting[steps & 1][thread];
    const int last = (steps - 1) * kBlock + thread;
    if (last < rows * columns) field[last] = waiting[(steps - 1) & 1][thread];
    waiting[0][thread] = sum;
    __syncthreads();
    if (thread >= 256) waiting[0][thread - 256] += waiting[0][thread];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      if (thread < half) waiting[0][thread] += waiting[0][thread + half];
      __syncthreads();
    }
    if (thread == 0) rests = waiting[0][0] / (rows * columns) < enough;
    __syncthreads();
    ++iteration;
  }
  for (int i = thread; i < rows * columns; i += kBlock) fields[blockIdx.x * kCell + i] = field[i];
  if (thread == 0) iterations[blockIdx.x] = iteration;
}

// Cells whose field the host cannot confirm with the same number of iterations.
static long wrong_cells(const std::vector<float>& images, const std::vector<float>& fields,
                        const std::vector<int>& iterations, Velocity velocity, int most) {
  long wrong = 0;
  for (std::size_t cell = 0; cell < iterations.size(); ++cell) {
    const float* image = &images[cell * kCell];
    std::vector<float> field(image, image + kCell), next(kCell);
    double moved = 0;
    bool early = false;
    for (int iteration = 0; iteration < iterations[cell]; ++iteration) {
      moved = 0;
      for (int i = 0; i < kCell; ++i) {
        next[i] =
            value_after(field, image[i], kRows, kColumns, i / kColumns, i % kColumns, velocity);
        moved += std::fabs(next[i] - field[i]);
      }
      early |= iteration + 1 < iterations[cell] && moved / kCell < kEnough * 0.99;
      std::swap(field, next);
    }
    bool right = !early && (iterations[cell] == most || moved / kCell < kEnough * 1.01);
    for (int i = 0; i < kCell; ++i) right &= near(fields[cell * kCell + i], field[i], 1e-3);
    wrong += !right;
  }
  return wrong;
}

// The part of a frame near a cell, a bright disc of radius 10 whose contrast differs from cell to
// cell: the magnitude of its gradient, from 0 to 1.
static std::vector<float> cell_image(Random& random) {
  const float contrast = 0.2f + random.unit();
  std::vector<float> frame(kCell), image(kCell);
  for (int i = 0; i < kCell; ++i) {
    const int y = i / kColumns - kRows / 2, x = i % kColumns - kColumns / 2;
    frame[i] = contrast * (x * x + y * y <= 100 ? 0.8f : 0.1f) + 0.2f * random.unit();
  }
  float least = 1e9f, most = 0.0f;
  for (int i = 0; i < kCell; ++i) {
    const int row = i / kColumns, column = i % kColumns;
    const int left = column > 0, right = column < kColumns - 1, up = row > 0,
              down = row < kRows - 1;
    const float x = (frame[i + right] - frame[i - left]) / (left + right);
    const float y = (frame[i + down * kColumns] - frame[i - up * kColumns]) / (up + down);
    image[i] = std::sqrt(x * x + y * y);
    least = std::fmin(least, image[i]), most = std::fmax(most, image[i]);
  }
  for (float& value : image) value = (value - least) / (most - least);
  return image;
}

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "leukocyte",
                    {{"width", 49, 64, 640},
                     {"height", 49, 120, 219},
                     {"cells", 1, 36, 36},
                     {"iterations", 1, 8, 500}});
  const int width = sizes[0], height = sizes[1], cells = sizes[2], most = sizes[3],
            pixels = width * height;
  if (width <= 2 * kMargin || height <= 2 * kMargin) return verdict(1, 1);
  Random random(87);
  const std::vector<float> gradient_x = random.units(pixels), gradient_y = random.units(pixels);
  std::vector<float> images;
  for (int cell = 0; cell < cells; ++cell) {
    const std::vector<float> image = cell_image(random);
    images.insert(images.end(), image.begin(), image.end());
  }
  float points[2][kPoints];
  float discs[kSide * kSide];
  for (int i = 0; i < kSide * kSide; ++i) {
    const int y = i / kSide - kElement, x = i % kSide - kElement;
    discs[i] = x * x + y * y <= kElement * kElement;
  }
  int offsets[2][kRadii * kPoints];
  for (int i = 0; i < kPoints; ++i) {
    const double angle = 2 * kPi * i / kPoints;
    points[0][i] = std::cos(angle), points[1][i] = std::sin(angle);
    for (int radius = 0; radius < kRadii; ++radius)
      for (int axis = 0; axis < 2; ++axis)
        offsets[axis][radius * kPoints + i] = int((8 + 2 * radius) * points[axis][i]);
  }
  check(cudaMemcpyToSymbol(cosine, points[0], sizeof points[0]), "cosine");
  check(cudaMemcpyToSymbol(sine, points[1], sizeof points[1]), "sine");
  check(cudaMemcpyToSymbol(element, discs, sizeof discs), "element");
  check(cudaMemcpyToSymbol(offset_x, offsets[0], sizeof offsets[0]), "offsets");
  check(cudaMemcpyToSymbol(offset_y, offsets[1], sizeof offsets[1]), "offsets");

  DeviceArray<float> device_x(gradient_x), device_y(gradient_y), scores(pixels), dilated(pixels),
      device_images(images), fields(images.size());
  const DeviceArray<int> rows(std::vector<int>(cells, kRows));
  const DeviceArray<int> columns(std::vector<int>(cells, kColumns));
  DeviceArray<int> iterations(cells);
  const Velocity velocity{1, 1};
  gicov<<<width - 2 * kMargin, height - 2 * kMargin>>>(linear_texture(device_x.get(), pixels),
                                                       linear_texture(device_y.get(), pixels),
                                                       scores.get(), height);
  finish("gicov");
  dilate<<<blocks_for(pixels, 176), 176>>>(linear_texture(scores.get(), pixels), dilated.get(),
                                           width, height, kSide);
  track_cells<<<cells, kBlock>>>(device_images.get(), fields.get(), rows.get(), columns.get(),
                                 iterations.get(), velocity, most, kEnough);
  finish("track_cells");

  long wrong = wrong_cells(images, fields.host(), iterations.host(), velocity, most);
  const std::vector<float> found = scores.host(), greatest = dilated.host();
  for (int pixel = 0; pixel < pixels; ++pixel) {
    const int x = pixel / height, y = pixel % height;
    double best = 0;
    if (x >= kMargin && x < width - kMargin && y >= kMargin && y < height - kMargin) {
      for (int radius = 0; radius < kRadii; ++radius) {
        double sum = 0, squares = 0;
        for (int i = 0; i < kPoints; ++i) {
          const int k = radius * kPoints + i, at = pixel + offsets[0][k] * height + offsets[1][k];
          const double along =
              double(gradient_x[at]) * points[0][i] + double(gradient_y[at]) * points[1][i];
          sum += along, squares += along * along;
        }
        const double mean = sum / kPoints;
        const double variance = (squares - kPoints * mean * mean) / (kPoints - 1);
        best = std::fmax(best, mean * mean / variance);
      }
    }
    wrong += !near(found[pixel], best, 1e-3);
    float most_near = 0;
    for (int dx = -kElement; dx <= kElement; ++dx) {
      for (int dy = -kElement; dy <= kElement; ++dy) {
        if (dx * dx + dy * dy > kElement * kElement) continue;
        if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
          most_near = std::fmax(most_near, found[(x + dx) * height + y + dy]);
      }
    }
    wrong += greatest[y * width + x] != most_near;
  }
  return verdict(wrong, cells + 2L * pixels);
}
