// Matrix transpose without shared memory. Version 1 reads columns and writes rows: the lines of a
// column are read by the CTAs next to each other along y. Version 2 reads rows and writes columns.
// A store does not allocate a line in the L1, so only version 1 has much to reuse there.
#include "image.h"

using namespace workload;

__global__ void read_columns(const float* in, float* out, int width, int height, int in_pitch,
                             int out_pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width) out[y * out_pitch + x] = in[x * in_pitch + y];
}

__global__ void read_rows(const float* in, float* out, int width, int height, int in_pitch,
                          int out_pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * out_pitch + y] = in[y * in_pitch + x];
}

int main(int argc, char** argv) {
  const char* program = "tr";
  const Sizes sizes(argc, argv, program,
                    {{"width", 72, 512, 4096},
                     {"height", 40, 512, 4096},
                     {"pitch", 96, 4096, 4096},
                     {"block_x", 16, 16, 16},
                     {"block_y", 16, 16, 16},
                     {"version", 1, 1, 1}});
  const Image in(program, sizes[0], sizes[1], sizes[2]), out(program, sizes[1], sizes[0], sizes[2]);
  const dim3 block = cta_shape(program, sizes[3], sizes[4]);
  const int version = sizes[5];
  if (version > 2) refuse(program, "version must be 1 (columns are read) or 2 (rows are read)");
  Random random(56);
  const std::vector<float> matrix = random.units(in.elements());

  DeviceArray<float> device_in(matrix), device_out(out.elements());
  const auto transpose = version == 1 ? read_columns : read_rows;
  const dim3 grid =
      version == 1 ? grid_for(in.height, in.width, block) : grid_for(in.width, in.height, block);
  transpose<<<grid, block>>>(device_in.get(), device_out.get(), in.width, in.height, in.pitch,
                             out.pitch);
  finish("transpose");

  const std::vector<float> result = device_out.host();
  long wrong = 0;
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) wrong += result[out.at(y, x)] != matrix[in.at(x, y)];
  return verdict(wrong, long(in.width) * in.height);
}
