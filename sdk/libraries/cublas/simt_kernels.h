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
// Where a thread reads in a tile. The loads of floats stay where they are written, because the
// compiler would move them to where their values are used, and a thread would wait there; they have
// constant offsets, so that no thread waits for addresses.
template <class Sum>
struct TileCursor {
  const Sum* at;
  __device__ explicit TileCursor(const Sum* from) : at(from) {}
  template <int Offset, int N>
  __device__ __forceinline__ void read(Sum* values) const {
    read_neighbours<N>(at + Offset, values);
  }
  __device__ __forceinline__ void advance(int n) { at += n; }
};
template <>
struct TileCursor<float> {
  unsigned at;
  __device__ explicit TileCursor(const float* from)
      : at(static_cast<unsigned>(__cvta_generic_to_shared(from))) {}
  template <int Offset, int N>
  __device__ __forceinline__ void read(float* values) const {
    static_assert(N == 4);
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4+%5];"
                 : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
                 : "r"(at), "n"(Offset * 4));
  }
  __device__ __forceinline__ void advance(int n) { at += n * 4; }
};
// Groups of four neighbours, Step apart.
template <int Groups, int Step, int Offset, class Sum>
__device__ __forceinline__ void read_groups(const TileCursor<Sum>& cursor, Sum* values) {
  cursor.template read<Offset, 4>(values);
  if constexpr (Groups > 1) read_groups<Groups - 1, Step, Offset + Step>(cursor, values + 4);
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
  using Row = Sum[kPitch];
  // Two tiles, each with a row of zeros that is read ahead in vain.
  using Tiles = Row[2 * (BK + 1)];

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
  __device__ __forceinline__ void keep(Row* tile, const In (&values)[kEach][kChunk]) const {
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
  __shared__ alignas(16) typename ALoader::Tiles a_tiles;
  __shared__ alignas(16) typename BLoader::Tiles b_tiles;
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
    // Each column begins one row later, so that a sum and its factors are seldom in one bank of the
    // register file.
    const auto multiply = [&](int half) {
#pragma unroll
      for (int j = 0; j < TN; ++j)
#pragma unroll
        for (int r = 0; r < TM; ++r) {
          const int i = (r + j) % TM;
          sums[i][j] = multiply_add(a_part[half][i], b_part[half][j], sums[i][j]);
        }
    };
    a.fetch(a_next);
    b.fetch(b_next);
    constexpr int kAPitch = ALoader::kPitch, kBPitch = BLoader::kPitch;
    constexpr int kAStep = BM * G / TM, kBStep = BN * G / TN;
    for (int i = threadIdx.x; i < kAPitch; i += kThreadsOfTile)
      a_tiles[BK][i] = a_tiles[2 * BK + 1][i] = Sum{};
    for (int i = threadIdx.x; i < kBPitch; i += kThreadsOfTile)
      b_tiles[BK][i] = b_tiles[2 * BK + 1][i] = Sum{};
    int first = 0;  // row of this tile
    while (true) {
      a.keep(a_tiles + first, a_next);
      b.keep(b_tiles + first, b_next);
      TileCursor<Sum> a_at(&a_tiles[first][tx * G]), b_at(&b_tiles[first][ty * G]);
      __syncthreads();
      read_groups<TM / G, kAStep, 0>(a_at, a_part[0]);
      read_groups<TN / G, kBStep, 0>(b_at, b_part[0]);
      const bool more = a.left > BK;
      if (more) {
        a.next();
        b.next();
        a.fetch(a_next);
        b.fetch(b_next);
      }
      // Two steps are a loop that small instruction caches hold.
#pragma unroll 1
      for (int l = 0; l < BK; l += 2) {
        read_groups<TM / G, kAStep, kAPitch>(a_at, a_part[1]);
        read_groups<TN / G, kBStep, kBPitch>(b_at, b_part[1]);
        multiply(0);
        read_groups<TM / G, kAStep, 2 * kAPitch>(a_at, a_part[0]);
        read_groups<TN / G, kBStep, 2 * kBPitch>(b_at, b_part[0]);
        a_at.advance(2 * kAPitch);
        b_at.advance(2 * kBPitch);
        multiply(1);
      }
      if (!more) break;
      first = BK + 1 - first;
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
  // One copy of the code, which is large, for all sums.
  Sum in_order[TN * TM];
#pragma unroll
  for (int j = 0; j < TN; ++j)
#pragma unroll
    for (int i = 0; i < TM; ++i) in_order[j * TM + i] = sums[i][j];
#pragma unroll 1
  for (int e = 0; e < TN * TM; ++e) {
    const int i = e % TM, j = e / TM;
    p.store(row + i / G * kRowStep + i % G, column + j / G * kColumnStep + j % G, in_order[e],
            alpha, beta, c, d, batch);
  }
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
