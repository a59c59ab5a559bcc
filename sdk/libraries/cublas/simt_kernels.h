// Products of matrices by ordinary arithmetic: tiles of A and B in shared memory, two of each, so
// that the next ones are fetched while these are multiplied. A thread computes TM x TN elements in
// registers.
#pragma once
#include "cublas/product.h"

namespace heddle::blas {

// Reads neighbours, 16 bytes at a time.
template <int N, class T>
__device__ __forceinline__ void read_neighbours(const T* from, T* values) {
#pragma unroll
  for (int i = 0; i < N; ++i) values[i] = from[i];
}
template <int N>
__device__ __forceinline__ void read_neighbours(const float* from, float* values) {
#pragma unroll
  for (int i = 0; i < N; i += 4) {
    const float4 four = *reinterpret_cast<const float4*>(from + i);
    values[i] = four.x, values[i + 1] = four.y, values[i + 2] = four.z, values[i + 3] = four.w;
  }
}
template <int N>
__device__ __forceinline__ void read_neighbours(const int* from, int* values) {
#pragma unroll
  for (int i = 0; i < N; i += 4) {
    const int4 four = *reinterpret_cast<const int4*>(from + i);
    values[i] = four.x, values[i + 1] = four.y, values[i + 2] = four.z, values[i + 3] = four.w;
  }
}
template <int N>
__device__ __forceinline__ void read_neighbours(const float2* from, float2* values) {
#pragma unroll
  for (int i = 0; i < N; i += 2) {
    const float4 two = *reinterpret_cast<const float4*>(from + i);
    values[i] = {two.x, two.y}, values[i + 1] = {two.z, two.w};
  }
}
template <int N>
__device__ __forceinline__ void read_neighbours(const double* from, double* values) {
#pragma unroll
  for (int i = 0; i < N; i += 2) {
    const double2 two = *reinterpret_cast<const double2*>(from + i);
    values[i] = two.x, values[i + 1] = two.y;
  }
}
// The same from a tile in shared memory. The compiler must not move the loads of floats to where
// their values are used, because a thread would wait there.
template <int N, class T>
__device__ __forceinline__ void read_tile(const T* from, T* values) {
  read_neighbours<N>(from, values);
}
template <int N>
__device__ __forceinline__ void read_tile(const float* from, float* values) {
#ifdef __CUDA_ARCH__
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(from));
#pragma unroll
  for (int i = 0; i < N; i += 4)
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(values[i]), "=f"(values[i + 1]), "=f"(values[i + 2]), "=f"(values[i + 3])
                 : "r"(address + i * 4));
#endif
}

// Copies tile after tile of op(A), or of op(B) transposed, to shared memory. Down: neighbours in
// memory are rows of the tile, otherwise they are steps of the sum.
template <class In, class Sum, int Rows, int BK, int Threads, bool Down>
struct TileLoader {
  static constexpr int kChunk = sizeof(In) > 4 ? 16 / sizeof(In) : 4;
  static constexpr int kLength = Down ? Rows : BK, kInLine = kLength / kChunk;
  static constexpr int kEach = Rows * BK / kChunk / Threads, kLineStep = Threads / kInLine;
  static constexpr int kPitch = Rows + 16 / sizeof(Sum);
  static_assert(kEach > 0 && Threads % kInLine == 0);
  using Tile = Sum[BK][kPitch];

  const In* data;       // of this thread's first chunk
  int64_t ld, advance;  // from line to line, from tile to tile
  int64_t rows, left;   // that the operand has from this tile on
  bool whole, conjugates;

  __device__ TileLoader(const In* first, int64_t across, int64_t along, int64_t rows, int64_t k,
                        bool conjugates)
      : data(first + chunk() * kChunk + line() * (Down ? along : across)),
        ld(Down ? along : across),
        advance(BK * along),
        rows(rows),
        left(k),
        whole(reinterpret_cast<uint64_t>(first) % (kChunk * sizeof(In)) == 0 && ld % kChunk == 0 &&
              rows >= Rows),
        conjugates(conjugates) {}

  static __device__ __forceinline__ int line() { return threadIdx.x / kInLine; }
  static __device__ __forceinline__ int chunk() { return threadIdx.x % kInLine; }
  __device__ __forceinline__ bool full() const { return whole && left >= BK; }
  __device__ __forceinline__ Sum sum_of(In value) const {
    Sum sum = convert<Sum>(value);
    if constexpr (kComplex<Sum>)
      if (conjugates) sum.y = -sum.y;
    return sum;
  }
  __device__ __forceinline__ void fetch(In (&values)[kEach][kChunk]) const {
    if (!full()) return;
#pragma unroll
    for (int e = 0; e < kEach; ++e) read_neighbours<kChunk>(data + e * kLineStep * ld, values[e]);
  }
  __device__ __forceinline__ void keep(Tile& tile, const In (&values)[kEach][kChunk]) const {
    if (full()) {
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int at = line() + e * kLineStep, first = chunk() * kChunk;
#pragma unroll
        for (int i = 0; i < kChunk; ++i)
          (Down ? tile[at][first + i] : tile[first + i][at]) = sum_of(values[e][i]);
      }
      return;
    }
    const In* const start = data - chunk() * kChunk - line() * ld;
#pragma unroll 1
    for (int i = threadIdx.x; i < Rows * BK; i += Threads) {
      const int at = i / kLength, n = i % kLength;
      const int row = Down ? n : at, step = Down ? at : n;
      In value{};
      if (row < rows && step < left) value = start[at * ld + n];
      tile[step][row] = sum_of(value);
    }
  }
  __device__ __forceinline__ void next() {
    data += advance;
    left -= BK;
  }
};

template <class In, class Sum, class Out, int BM, int BN, int BK, int TM, int TN, bool ADown,
          bool BDown>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
    multiply_tiles(const Product<In, Sum, Out> p, int64_t first_batch) {
  constexpr int kThreadsOfTile = (BM / TM) * (BN / TN);
  constexpr int G = 4;  // neighbours of a thread
  using ALoader = TileLoader<In, Sum, BM, BK, kThreadsOfTile, ADown>;
  using BLoader = TileLoader<In, Sum, BN, BK, kThreadsOfTile, BDown>;
  __shared__ alignas(16) typename ALoader::Tile a_tiles[2];
  __shared__ alignas(16) typename BLoader::Tile b_tiles[2];
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * BM;
  const int64_t first_column = static_cast<int64_t>(blockIdx.y) * BN;
  if (p.skips(first_row, BM, first_column, BN)) return;
  const int64_t batch = first_batch + blockIdx.z;
  const int tx = threadIdx.x % (BM / TM), ty = threadIdx.x / (BM / TM);

  Sum sums[TM][TN];
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) sums[i][j] = Sum{};

  if (p.k > 0) {
    ALoader a(p.a.at(batch) + first_row * p.a_row, p.a_row, p.a_column, p.m - first_row, p.k,
              p.a_conjugated);
    BLoader b(p.b.at(batch) + first_column * p.b_column, p.b_column, p.b_row, p.n - first_column,
              p.k, p.b_conjugated);
    In a_next[ALoader::kEach][ALoader::kChunk], b_next[BLoader::kEach][BLoader::kChunk];
    Sum a_part[2][TM], b_part[2][TN];
    const auto read = [&](int half, int tile, int l) {
#pragma unroll
      for (int g = 0; g < TM / G; ++g)
        read_tile<G>(&a_tiles[tile][l][g * (BM * G / TM) + tx * G], a_part[half] + g * G);
#pragma unroll
      for (int g = 0; g < TN / G; ++g)
        read_tile<G>(&b_tiles[tile][l][g * (BN * G / TN) + ty * G], b_part[half] + g * G);
    };
    const auto multiply = [&](int half) {
#pragma unroll
      for (int j = 0; j < TN; ++j)
#pragma unroll
        for (int i = 0; i < TM; ++i)
          sums[i][j] = multiply_add(a_part[half][i], b_part[half][j], sums[i][j]);
    };
    a.fetch(a_next);
    b.fetch(b_next);
    int tile = 0;
    while (true) {
      a.keep(a_tiles[tile], a_next);
      b.keep(b_tiles[tile], b_next);
      __syncthreads();
      const bool more = a.left > BK;
      if (more) {
        a.next();
        b.next();
        a.fetch(a_next);
        b.fetch(b_next);
      }
      read(0, tile, 0);
      // Two steps are a loop that small instruction caches hold. The last one reads ahead in vain.
#pragma unroll 1
      for (int l = 0; l < BK; l += 2) {
        read(1, tile, l + 1);
        multiply(0);
        read(0, tile, (l + 2) % BK);
        multiply(1);
      }
      if (!more) break;
      tile = 1 - tile;
    }
  }

  const Sum alpha = p.alpha.get(), beta = p.beta.get();
  const Out* const c = p.c.at(batch);
  Out* const d = p.d.at(batch);
  const int64_t row = first_row + tx * G, column = first_column + ty * G;
  constexpr int kRowStep = BM * G / TM, kColumnStep = BN * G / TN;  // from group to group
  if (p.is_plain() && is_zero(beta) && first_row + BM <= p.m && first_column + BN <= p.n) {
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      Out* const to = d + row + (column + j / G * kColumnStep + j % G) * p.ldd;
#pragma unroll
      for (int i = 0; i < TM; ++i) to[i / G * kRowStep + i % G] = convert<Out>(alpha * sums[i][j]);
    }
    return;
  }
#pragma unroll
  for (int j = 0; j < TN; ++j)
#pragma unroll
    for (int i = 0; i < TM; ++i)
      p.store(row + i / G * kRowStep + i % G, column + j / G * kColumnStep + j % G, sums[i][j],
              alpha, beta, c, d, batch);
}

// Launches the kernel of the operands' layouts for all batches, of which a grid holds 65535.
template <int BM, int BN, int BK, int TM, int TN, class In, class Sum, class Out>
Status launch_tiles(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count) {
  const auto run = [&](auto kernel) {
    constexpr int64_t kMaxBatches = 65535;
    for (int64_t first = 0; first < count; first += kMaxBatches) {
      const dim3 grid(static_cast<unsigned>(ceil_div(p.m, BM)),
                      static_cast<unsigned>(ceil_div(p.n, BN)),
                      static_cast<unsigned>(std::min(kMaxBatches, count - first)));
      kernel<<<grid, (BM / TM) * (BN / TN), 0, h.stream>>>(p, first);
    }
  };
  const bool a_down = p.a_row == 1, b_down = p.b_column == 1;
  if (a_down && b_down) run(multiply_tiles<In, Sum, Out, BM, BN, BK, TM, TN, true, true>);
  if (a_down && !b_down) run(multiply_tiles<In, Sum, Out, BM, BN, BK, TM, TN, true, false>);
  if (!a_down && b_down) run(multiply_tiles<In, Sum, Out, BM, BN, BK, TM, TN, false, true>);
  if (!a_down && !b_down) run(multiply_tiles<In, Sum, Out, BM, BN, BK, TM, TN, false, false>);
  return launched();
}

}  // namespace heddle::blas
