// Detects and tracks white blood cells in a video, as Rodinia's leukocyte. gicov scores circles of
// seven radii around each pixel by the image's gradient (textures), dilate takes the greatest score
// near each pixel, and track_cells evolves a field per cell, a CTA of 320 threads for each, until
// its mean change is small: cells need different numbers of iterations. An iteration moves 320
// pixels at a time, with a barrier after each such step.
#include "../texture.h"

using namespace workload;

constexpr int kPoints = 150, kRadii = 7, kMargin = 24, kElement = 12;  // of circles; of dilate
constexpr int kRows = 41, kColumns = 81, kCell = kRows * kColumns, kBlock = 320;
constexpr int kLastStep = (kCell - 1) / kBlock * kBlock;  // its first pixel
constexpr float kPi = 3.14159265f, kStep = 0.5f / 8, kPull = 0.2f, kEnough = 0.02f;

__constant__ float cosine[kPoints], sine[kPoints];
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

__global__ void dilate(cudaTextureObject_t scores, float* dilated, int width, int height) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x, x = pixel / height, y = pixel % height;
  if (x >= width) return;
  float best = 0.0f;
  for (int dx = -kElement; dx <= kElement; ++dx) {
    for (int dy = -kElement; dy <= kElement; ++dy) {
      const bool disc = dx * dx + dy * dy <= kElement * kElement;
      if (disc && x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
        best = fmaxf(best, tex1Dfetch<float>(scores, (x + dx) * height + y + dy));
    }
  }
  dilated[pixel] = best;
}

// The change of a pixel in an iteration: neighbours attract it the more, the brighter they are.
template <class Field>
__host__ __device__ inline float change_of(const Field& field, const float* image, int row,
                                           int column) {
  const float here = field[row * kColumns + column];
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    if (i == 4) continue;
    const int y = row + i / 3 - 1, x = column + i % 3 - 1;
    const int at = (y < 0        ? 0
                    : y >= kRows ? kRows - 1
                                 : y) *
                       kColumns +
                   (x < 0           ? 0
                    : x >= kColumns ? kColumns - 1
                                    : x);
    const float difference = field[at] - here;
    sum += difference * (0.5f + atanf(difference * 10.0f) / kPi);
  }
  const float own = image[row * kColumns + column];
  return kStep * sum - kPull * own * (here - own);
}

__global__ void track_cells(const float* images, float* fields, int* iterations, int most) {
  __shared__ float field[kCell], moved[kBlock];
  __shared__ int rests;
  const int thread = threadIdx.x;
  const float* image = images + blockIdx.x * kCell;
  for (int i = thread; i < kCell; i += kBlock) field[i] = image[i];
  if (thread == 0) rests = 0;
  __syncthreads();
  int iteration = 0;
  while (!rests && iteration < most) {
    float sum = 0.0f, last = 0.0f, next_to_last = 0.0f;
    // Neighbours of a step's pixels are in the step before and after, so that a new value may be
    // stored two steps later.
#pragma unroll 1
    for (int i = thread; i < kCell + thread; i += kBlock) {
      float value = 0.0f;
      if (i < kCell) {
        const float change = change_of(field, image, i / kColumns, i % kColumns);
        value = field[i] + change;
        sum += fabsf(change);
      }
      if (i >= 2 * kBlock) field[i - 2 * kBlock] = next_to_last;
      next_to_last = last;
      last = value;
      __syncthreads();
    }
    field[kLastStep - kBlock + thread] = next_to_last;
    if (kLastStep + thread < kCell) field[kLastStep + thread] = last;
    moved[thread] = sum;
    __syncthreads();
    if (thread >= 256) moved[thread - 256] += moved[thread];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      if (thread < half) moved[thread] += moved[thread + half];
      __syncthreads();
    }
    if (thread == 0) rests = moved[0] / kCell < kEnough;
    __syncthreads();
    ++iteration;
  }
  for (int i = thread; i < kCell; i += kBlock) fields[blockIdx.x * kCell + i] = field[i];
  if (thread == 0) iterations[blockIdx.x] = iteration;
}

// Cells whose field the host cannot confirm with the same number of iterations.
static long wrong_cells(const std::vector<float>& images, const std::vector<float>& fields,
                        const std::vector<int>& iterations, int most) {
  long wrong = 0;
  for (std::size_t cell = 0; cell < iterations.size(); ++cell) {
    const float* image = &images[cell * kCell];
    std::vector<float> field(image, image + kCell), next(kCell);
    double moved = 0;
    bool early = false;
    for (int iteration = 0; iteration < iterations[cell]; ++iteration) {
      moved = 0;
      for (int i = 0; i < kCell; ++i) {
        const float change = change_of(field, image, i / kColumns, i % kColumns);
        next[i] = field[i] + change;
        moved += std::fabs(change);
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

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv, "leukocyte",
                    {{"width", 49, 64, 640},
                     {"height", 49, 120, 219},
                     {"cells", 1, 36, 36},
                     {"iterations", 1, 8, 100}});
  const int width = sizes[0], height = sizes[1], cells = sizes[2], most = sizes[3],
            pixels = width * height;
  if (width <= 2 * kMargin || height <= 2 * kMargin) return verdict(1, 1);
  Random random(87);
  const std::vector<float> gradient_x = random.units(pixels), gradient_y = random.units(pixels);
  std::vector<float> images(std::size_t(cells) * kCell);
  for (int cell = 0; cell < cells; ++cell) {  // a bright disc; contrast differs from cell to cell
    const float contrast = 0.2f + random.unit();
    for (int i = 0; i < kCell; ++i) {
      const int y = i / kColumns - kRows / 2, x = i % kColumns - kColumns / 2;
      images[std::size_t(cell) * kCell + i] =
          contrast * (x * x + y * y < 200 ? 0.8f : 0.1f) + 0.2f * random.unit();
    }
  }
  float points[2][kPoints];
  int offsets[2][kRadii * kPoints];
  for (int i = 0; i < kPoints; ++i) {
    const float angle = 2 * kPi * i / kPoints;
    points[0][i] = std::cos(angle), points[1][i] = std::sin(angle);
    for (int radius = 0; radius < kRadii; ++radius)
      for (int axis = 0; axis < 2; ++axis)
        offsets[axis][radius * kPoints + i] = int((8 + 2 * radius) * points[axis][i]);
  }
  check(cudaMemcpyToSymbol(cosine, points[0], sizeof points[0]), "cosine");
  check(cudaMemcpyToSymbol(sine, points[1], sizeof points[1]), "sine");
  check(cudaMemcpyToSymbol(offset_x, offsets[0], sizeof offsets[0]), "offsets");
  check(cudaMemcpyToSymbol(offset_y, offsets[1], sizeof offsets[1]), "offsets");

  DeviceArray<float> device_x(gradient_x), device_y(gradient_y), scores(pixels), dilated(pixels),
      device_images(images), fields(images.size());
  DeviceArray<int> iterations(cells);
  gicov<<<width - 2 * kMargin, height - 2 * kMargin>>>(linear_texture(device_x.get(), pixels),
                                                       linear_texture(device_y.get(), pixels),
                                                       scores.get(), height);
  finish("gicov");
  dilate<<<blocks_for(pixels, 176), 176>>>(linear_texture(scores.get(), pixels), dilated.get(),
                                           width, height);
  track_cells<<<cells, kBlock>>>(device_images.get(), fields.get(), iterations.get(), most);
  finish("track_cells");

  long wrong = wrong_cells(images, fields.host(), iterations.host(), most);
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
    wrong += greatest[pixel] != most_near;
  }
  return verdict(wrong, cells + 2L * pixels);
}
