// Laplace's equation in three dimensions, the paper's lps: the kernel of ../laplace3d.cu with the
// paper's size and three CTA shapes. The original program, from the benchmarks of Bakhoda et al.,
// ISPASS 2009, has 32x4.
#include "../laplace3d.h"
#include "image.h"

using namespace workload;

template <int kX, int kY>
__global__ void sweep(const float* u, float* result, int nx, int ny, int nz) {
  sweep_column<kX, kY>(u, result, nx, ny, nz);
}

int main(int argc, char** argv) {
  const char* program = "lps";
  const Sizes sizes(argc, argv, program,
                    {{"nx", 72, 256, 256},
                     {"ny", 20, 256, 256},
                     {"nz", 6, 16, 64},
                     {"block_x", 32, 32, 32},
                     {"block_y", 4, 4, 4}});
  const dim3 block = cta_shape(program, sizes[3], sizes[4]);
  const auto kernel = block.x == 32 && block.y == 4    ? sweep<32, 4>
                      : block.x == 32 && block.y == 8  ? sweep<32, 8>
                      : block.x == 16 && block.y == 16 ? sweep<16, 16>
                                                       : nullptr;
  if (!kernel) refuse(program, "the CTA shape must be 32 4, 32 8 or 16 16");
  return run_step(sizes, kernel, block, 58);
}
