// Matrix product C = A B, blocked: a CTA computes a block of C, a thread one element. In version 1
// the threads read A and B through the L1, as a source-to-source compiler receives the program:
// CTAs along x share the rows of A, CTAs along y the columns of B. Version 2 has the blocks of A
// and B in shared memory.
#include "image.h"

using namespace workload;

__global__ void multiply(const float* a, const float* b, float* c, int columns, int rows, int depth,
                         int pitch) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < depth; ++k) sum += a[row * pitch + k] * b[k * pitch + column];
  c[row * pitch + column] = sum;
}

// The block of A has blockDim.y x blockDim.x elements, that of B blockDim.x x blockDim.x.
__global__ void multiply_shared(const float* a, const float* b, float* c, int depth, int pitch) {
  extern __shared__ float blocks[];
  const int tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float* of_a = blocks;
  float* of_b = blocks + tile * blockDim.y;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < depth; k += tile) {
    of_a[y * tile + x] = a[row * pitch + k + x];
    for (int i = y; i < tile; i += blockDim.y) of_b[i * tile + x] = b[(k + i) * pitch + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += of_a[y * tile + i] * of_b[i * tile + x];
    __syncthreads();
  }
  c[row * pitch + column] = sum;
}

int main(int argc, char** argv) {
  const char* program = "matmul";
  const Sizes sizes(argc, argv, program,
                    {{"columns", 48, 512, 4096},
                     {"rows", 32, 256, 4096},
                     {"depth", 32, 128, 4096},
                     {"pitch", 64, 4096, 4096},
                     {"block_x", 16, 16, 16},
                     {"block_y", 16, 16, 16},
                     {"version", 1, 1, 1}});
  const int columns = sizes[0], rows = sizes[1], depth = sizes[2], pitch = sizes[3];
  const Image a(program, depth, rows, pitch), b(program, columns, depth, pitch),
      c(program, columns, rows, pitch);
  const dim3 block = cta_shape(program, sizes[4], sizes[5]);
  const int tile = int(block.x), version = sizes[6];
  if (version > 2) refuse(program, "version must be 1 (through the L1) or 2 (shared memory)");
  if (version == 2 && (columns % tile || depth % tile || rows % int(block.y)))
    refuse(program, "version 2 needs whole blocks");
  Random random(52);
  const std::vector<float> host_a = random.units(a.elements()), host_b = random.units(b.elements());

  DeviceArray<float> device_a(host_a), device_b(host_b), device_c(c.elements());
  const dim3 grid = grid_for(columns, rows, block);
  if (version == 1) {
    multiply<<<grid, block>>>(device_a.get(), device_b.get(), device_c.get(), columns, rows, depth,
                              pitch);
  } else {
    const std::size_t shared = (std::size_t(block.y) + tile) * tile * sizeof(float);
    multiply_shared<<<grid, block, shared>>>(device_a.get(), device_b.get(), device_c.get(), depth,
                                             pitch);
  }
  finish("multiply");

  const std::vector<float> result = device_c.host();
  std::vector<double> expected(columns);
  long wrong = 0, checked = 0;
  for (const int row : checked_rows(rows, double(columns) * depth)) {
    expected.assign(columns, 0.0);
    for (int k = 0; k < depth; ++k) {
      const double factor = host_a[a.at(k, row)];
      for (int column = 0; column < columns; ++column)
        expected[column] += factor * host_b[b.at(column, k)];
    }
    for (int column = 0; column < columns; ++column, ++checked)
      wrong += !near(result[c.at(column, row)], expected[column], 1e-4);
  }
  return verdict(wrong, checked);
}
