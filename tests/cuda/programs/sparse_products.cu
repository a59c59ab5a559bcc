// Products of sparse matrices and of 8-bit floats by a warp, compared with the host's.
#include <cstdint>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "check.h"

constexpr int kRows = 16, kColumns = 8, kLanes = 32;

// The registers of every lane: of A, B and the metadata; then of the sums.
struct Operands {
  unsigned a[4][kLanes], b[4][kLanes], metadata[kLanes];
  float sums[4][kLanes];
};

namespace {

int element_a(int row, int k) { return (row * 5 + k * 3) % 7 - 3; }
int element_b(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }
// Two of each four elements of a row are stored.
int place(int row, int group, int n) {
  static const int places[4][2] = {{0, 1}, {0, 3}, {1, 2}, {2, 3}};
  return places[(row + group) % 4][n];
}

unsigned as_half(int x) {
  const __half h = __float2half(static_cast<float>(x));
  unsigned short bits;
  std::memcpy(&bits, &h, sizeof bits);
  return bits;
}
unsigned as_byte(int x) { return static_cast<std::uint8_t>(x); }
unsigned as_e4m3(int x) {  // -3 to 3
  static const unsigned codes[] = {0xc4, 0xc0, 0xb8, 0x00, 0x38, 0x40, 0x44};
  return codes[x + 3];
}

// `packed` elements in a register; the rows of A have `depth` elements.
template <class Encode>
void fill(Operands& x, bool sparse, int packed, int depth, Encode encode) {
  std::memset(&x, 0, sizeof x);
  const int bits = 32 / packed, stored = sparse ? depth / 2 : depth;
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int reg = 0; reg < kRows * stored / kLanes / packed; ++reg)
      for (int e = 0; e < packed; ++e) {
        const int row = lane / 4 + reg % 2 * 8, n = reg / 2 * 4 * packed + lane % 4 * packed + e;
        const int k = sparse ? n / 2 * 4 + place(row, n / 2, n % 2) : n;
        x.a[reg][lane] |= encode(element_a(row, k)) << (e * bits);
      }
    for (int reg = 0; reg < kColumns * depth / kLanes / packed; ++reg)
      for (int e = 0; e < packed; ++e)
        x.b[reg][lane] |= encode(element_b(reg * 4 * packed + lane % 4 * packed + e, lane / 4))
                          << (e * bits);
  }
}

bool is_product(const Operands& x, bool sparse, int depth) {
  for (int lane = 0; lane < kLanes; ++lane)
    for (int reg = 0; reg < 4; ++reg) {
      const int row = lane / 4 + reg / 2 * 8, column = lane % 4 * 2 + reg % 2;
      float sum = 1;
      for (int k = 0; k < depth; ++k) {
        const bool kept = !sparse || k % 4 == place(row, k / 4, 0) || k % 4 == place(row, k / 4, 1);
        if (kept) sum += static_cast<float>(element_a(row, k) * element_b(k, column));
      }
      if (x.sums[reg][lane] != sum) return false;
    }
  return true;
}

unsigned fields(int row, int first_group, int groups) {
  unsigned bits = 0;
  for (int g = 0; g < groups; ++g)
    for (int n = 0; n < 2; ++n)
      bits |= static_cast<unsigned>(place(row, first_group + g, n)) << (4 * g + 2 * n);
  return bits;
}

}  // namespace

#define SUMS "{%0, %1, %2, %3}"
// Adds a product to sums of one. `rest` names the registers of B and of the metadata.
#define PRODUCT(kernel, Sum, sum, instruction, rest)                                   \
  __global__ void kernel(Operands* x) {                                                \
    const unsigned t = threadIdx.x;                                                    \
    Sum d[4] = {1, 1, 1, 1};                                                           \
    asm volatile(instruction " " SUMS ", {%4, %5, %6, %7}, " rest ";"                  \
                 : sum(d[0]), sum(d[1]), sum(d[2]), sum(d[3])                          \
                 : "r"(x->a[0][t]), "r"(x->a[1][t]), "r"(x->a[2][t]), "r"(x->a[3][t]), \
                   "r"(x->b[0][t]), "r"(x->b[1][t]), "r"(x->b[2][t]), "r"(x->b[3][t]), \
                   "r"(x->metadata[t]));                                               \
    for (int i = 0; i < 4; ++i) x->sums[i][t] = static_cast<float>(d[i]);              \
  }
// The second pair of lanes of each four has the metadata.
PRODUCT(sparse_halves, float, "+f", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        "{%8, %9, %10, %11}, " SUMS ", %12, 1")
PRODUCT(sparse_bytes, int, "+r", "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
        "{%8, %9, %10, %11}, " SUMS ", %12, 0")
PRODUCT(eighths, float, "+f", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "{%8, %9}, " SUMS)

int main() {
  Operands* x;
  cudaMallocManaged(&x, sizeof *x);

  fill(*x, true, 2, 32, as_half);
  for (int lane = 0; lane < kLanes; ++lane)
    if (lane % 4 >= 2)
      x->metadata[lane] = fields(lane / 4, lane % 2 * 4, 4) | fields(lane / 4 + 8, lane % 2 * 4, 4)
                                                                  << 16;
  sparse_halves<<<1, kLanes>>>(x);
  check(cudaDeviceSynchronize() == cudaSuccess, "halves are multiplied");
  check(is_product(*x, true, 32), "the product of sparse halves");

  fill(*x, true, 4, 64, as_byte);
  for (int lane = 0; lane < kLanes; ++lane)
    x->metadata[lane] = fields(lane / 4 + lane % 2 * 8, lane % 4 / 2 * 8, 8);
  sparse_bytes<<<1, kLanes>>>(x);
  check(cudaDeviceSynchronize() == cudaSuccess, "bytes are multiplied");
  check(is_product(*x, true, 64), "the product of sparse bytes");

  fill(*x, false, 4, 32, as_e4m3);
  eighths<<<1, kLanes>>>(x);
  check(cudaDeviceSynchronize() == cudaSuccess, "8-bit floats are multiplied");
  check(is_product(*x, false, 32), "the product of 8-bit floats");

  return report();
}
