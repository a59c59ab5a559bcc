// Matrices of 4-bit numbers and bits that a warp multiplies (nvcuda::wmma::experimental), compared
// with the host.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;
namespace precision = wmma::experimental::precision;

template <int k, class Element, class Multiply>
__device__ void product(const unsigned* a, const unsigned* b, int* d, int initial,
                        wmma::layout_t layout, Multiply multiply) {
  wmma::fragment<wmma::matrix_a, 8, 8, k, Element, wmma::row_major> rows;
  wmma::fragment<wmma::matrix_b, 8, 8, k, Element, wmma::col_major> columns;
  wmma::fragment<wmma::accumulator, 8, 8, k, int> sums;
  wmma::load_matrix_sync(rows, a, k);
  wmma::load_matrix_sync(columns, b, k);
  wmma::fill_fragment(sums, initial);
  multiply(sums, rows, columns);
  wmma::store_matrix_sync(d, sums, 8, layout);
}

struct Plain {
  template <class C, class A, class B>
  __device__ void operator()(C& c, const A& a, const B& b) const {
    wmma::mma_sync(c, a, b, c);
  }
};
struct Saturated {
  template <class C, class A, class B>
  __device__ void operator()(C& c, const A& a, const B& b) const {
    wmma::mma_sync(c, a, b, c, true);
  }
};
struct Unlike {
  template <class C, class A, class B>
  __device__ void operator()(C& c, const A& a, const B& b) const {
    wmma::bmma_sync(c, a, b, c);
  }
};

__global__ void products(const unsigned* a, const unsigned* b, int* d) {
  product<32, precision::s4>(a, b, d, 5, wmma::mem_row_major, Plain{});
  product<32, precision::u4>(a, b, d + 64, 0x7fffff00, wmma::mem_row_major, Saturated{});
  product<128, precision::b1>(a, b, d + 128, 1, wmma::mem_col_major, Unlike{});
}

int main() {
  unsigned *a = nullptr, *b = nullptr;
  int* d = nullptr;
  cudaMallocManaged(&a, 32 * sizeof *a);
  cudaMallocManaged(&b, 32 * sizeof *b);
  cudaMallocManaged(&d, 192 * sizeof *d);
  for (unsigned i = 0; i < 32; ++i) a[i] = i * 2654435761u, b[i] = ~i * 2654404607u;
  products<<<1, 32>>>(a, b, d);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      long long with_signs = 5, without = 0x7fffff00;
      int unlike = 1;
      for (int l = 0; l < 32; ++l) {
        const int p = a[i * 4 + l / 8] >> (l % 8 * 4) & 15,
                  q = b[j * 4 + l / 8] >> (l % 8 * 4) & 15;
        with_signs += (p > 7 ? p - 16 : p) * (q > 7 ? q - 16 : q);
        without += p * q;
      }
      for (int w = 0; w < 4; ++w) unlike += __builtin_popcount(a[i * 4 + w] ^ b[j * 4 + w]);
      wrong += d[i * 8 + j] != with_signs;
      wrong += d[64 + i * 8 + j] != (without > 0x7fffffff ? 0x7fffffff : without);
      wrong += d[128 + j * 8 + i] != unlike;
    }
  std::printf(wrong ? "FAIL: %d wrong\n" : "PASS\n", wrong);
  return wrong != 0;
}
