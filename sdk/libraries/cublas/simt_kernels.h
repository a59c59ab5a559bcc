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
// The compiler would merge the stores of both cases, and store each number alone.
template <class T>
__device__ __forceinline__ void write_neighbours(T* to, const T (&values)[4], bool aligned) {
  if constexpr (std::is_same_v<T, float>) {
    if (aligned) {
      asm volatile("st.v4.f32 [%0], {%1, %2, %3, %4};"
                   :
                   : "l"(to), "f"(values[0]), "f"(values[1]), "f"(values[2]), "f"(values[3])
                   : "memory");
      return;
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) to[i] = values[i];
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
// The factors of a step of the sum that a thread has: groups of four neighbours, Step apart.
template <class Sum, int TM, int TN, int AStep, int BStep>
struct Factors {
  Sum a[TM], b[TN];
  template <int Group, int AOffset, int BOffset>
  __device__ __forceinline__ void read(const TileCursor<Sum>& a_at, const TileCursor<Sum>& b_at) {
    if constexpr (Group < TM / 4) {
      a_at.template read<AOffset + Group * AStep, 4>(a + Group * 4);
    } else {
      constexpr int group = Group - TM / 4;
      b_at.template read<BOffset + group * BStep, 4>(b + group * 4);
    }
  }
  template <int Group>
  __device__ __forceinline__ void read_all(const TileCursor<Sum>& a_at,
                                           const TileCursor<Sum>& b_at) {
    read<Group, 0, 0>(a_at, b_at);
    if constexpr (Group + 1 < (TM + TN) / 4) read_all<Group + 1>(a_at, b_at);
  }
};
// Column after column of sums. The groups of another step are read between the columns, so that
// they neither wait for each other nor keep the multiplications waiting. Each column begins one row
// later, so that a sum and its factors are seldom in one bank of the register file.
template <int AOffset, int BOffset, int Column = 0, class Sum, int TM, int TN, int AStep, int BStep>
__device__ __forceinline__ void multiply_and_read(Sum (&sums)[TM][TN],
                                                  const Factors<Sum, TM, TN, AStep, BStep>& now,
                                                  Factors<Sum, TM, TN, AStep, BStep>& next,
                                                  const TileCursor<Sum>& a_at,
                                                  const TileCursor<Sum>& b_at) {
  constexpr int kGroups = (TM + TN) / 4, kBefore = Column * kGroups / TN;
  if constexpr ((Column + 1) * kGroups / TN > kBefore)
    next.template read<kBefore, AOffset, BOffset>(a_at, b_at);
#pragma unroll
  for (int r = 0; r < TM; ++r) {
    const int i = (r + Column) % TM;
    sums[i][Column] = multiply_add(now.a[i], now.b[Column], sums[i][Column]);
  }
  if constexpr (Column + 1 < TN)
    multiply_and_read<AOffset, BOffset, Column + 1>(sums, now, next, a_at, b_at);
}

// How the next tile is copied while this one is multiplied. whole: fetched before the first step
// and kept after the last one. pieces: between the steps, a piece at a time, which does not keep
// other instructions from the operand collectors while the load/store unit is busy. async:
// likewise, without registers, whose writes would wait for those of the sums.
enum class Copies { whole, pieces, async };

// Copies tile after tile of op(A), or of op(B) transposed, to shared memory, in pieces of which
// each thread copies a chunk. Down: neighbours in memory are rows of the tile, otherwise they are
// steps of the sum, and two threads share a line, so that stores of a warp do not conflict. Where
// they are copied asynchronously, a chunk is then one element.
template <class In, class Sum, int Rows, int BK, int Threads, bool Down, Copies How, int Stages>
struct TileLoader {
  static constexpr bool kAsync = How == Copies::async;
  static constexpr int kChunk = kAsync && !Down ? 1 : sizeof(In) > 4 ? 16 / sizeof(In) : 4;
  static constexpr int kLength = Down ? Rows : BK, kLines = Down ? BK : Rows;
  static constexpr int kInLine = kLength / kChunk, kWidth = Down || kAsync ? kInLine : 2;
  static constexpr int kEach = Rows * BK / kChunk / Threads;
  static constexpr int kPitch = Rows + 16 / sizeof(Sum);
  static_assert(kEach > 0 && Threads % kInLine == 0 && kInLine % kWidth == 0);
  using Row = Sum[kPitch];
  // Each tile has a row of zeros that is read ahead in vain.
  using Tiles = Row[Stages * (BK + 1)];

  using Values = In[kEach][kChunk];

  const In* data;  // of this thread's first chunk
  int64_t ld;      // from line to line
  int rows;        // of this tile
  bool whole, conjugates;

  __device__ TileLoader(const In* first, int64_t ld, int64_t rows, bool conjugates)
      : data(first + chunk() * kChunk + line() * ld),
        ld(ld),
        rows(static_cast<int>(rows < Rows ? rows : Rows)),
        whole(reinterpret_cast<uint64_t>(first) % (kChunk * sizeof(In)) == 0 && ld % kChunk == 0 &&
              rows >= Rows),
        conjugates(conjugates) {}

  // The place of a thread's first chunk, and that of another piece relative to it.
  static __device__ __forceinline__ int line() { return threadIdx.x / kWidth % kLines; }
  static __device__ __forceinline__ int chunk() {
    return threadIdx.x % kWidth + threadIdx.x / (kWidth * kLines) * kWidth;
  }
  static constexpr int line_of(int piece) { return piece * Threads / kWidth % kLines; }
  static constexpr int chunk_of(int piece) { return piece * Threads / (kWidth * kLines) * kWidth; }
  static __device__ __forceinline__ Sum sum_of(In value, bool conjugates) {
    Sum sum = convert<Sum>(value);
    if constexpr (kComplex<Sum>)
      if (conjugates) sum.y = -sum.y;
    return sum;
  }
  // What a thread does for a piece before and after the time in which the data arrive.
  __device__ __forceinline__ void fetch_piece(int piece, Row* tile, Values& values) const {
    const In* const from = data + chunk_of(piece) * kChunk + line_of(piece) * ld;
    if constexpr (kAsync) {
      copy_async(place(piece, tile), from);
    } else if constexpr (std::is_same_v<In, float>) {
      // A block reads an element once, so the L1 would only wait for lines to become free. Loads of
      // another type need copies, which would wait for them.
      In(&to)[kChunk] = values[piece];
      asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                   : "l"(__cvta_generic_to_global(from)));
    } else {
      read_neighbours<kChunk>(from, values[piece]);
    }
  }
  __device__ __forceinline__ void keep_piece(int piece, Row* tile, const Values& values) const {
    if constexpr (kAsync) return;
    const In(&kept)[kChunk] = values[piece];
    Sum* const to = place(piece, tile);
    if constexpr (Down && std::is_same_v<In, float>) {
      *reinterpret_cast<float4*>(to) = make_float4(kept[0], kept[1], kept[2], kept[3]);
    } else {
#pragma unroll
      for (int i = 0; i < kChunk; ++i) to[Down ? i : i * kPitch] = sum_of(kept[i], conjugates);
    }
  }
  static __device__ __forceinline__ Sum* place(int piece, Row* tile) {
    const int at = line() + line_of(piece), first = (chunk() + chunk_of(piece)) * kChunk;
    return Down ? &tile[at][first] : &tile[first][at];
  }
  static __device__ __forceinline__ void copy_async(Sum* to, const In* from) {
    constexpr int kBytes = kChunk * sizeof(In);
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const size_t global = __cvta_generic_to_global(from);
    if constexpr (kBytes == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global)
                   : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(global),
                   "n"(kBytes)
                   : "memory");
  }
  // `left`: steps of the sum from this tile on.
  __device__ __forceinline__ void fetch(Row* tile, Values& values, int64_t left) const {
    if (!whole || left < BK) return;
#pragma unroll
    for (int e = 0; e < kEach; ++e) fetch_piece(e, tile, values);
  }
  __device__ __forceinline__ void keep(Row* tile, const Values& values, int64_t left) const {
    if (whole && left >= BK) {
#pragma unroll
      for (int e = 0; e < kEach; ++e) keep_piece(e, tile, values);
      return;
    }
    keep_cut(tile, data, ld, rows, left, conjugates);
  }
  // Not inlined: its addresses would take registers of the loop around it.
  static __device__ __noinline__ void keep_cut(Row* tile, const In* data, int64_t ld, int rows,
                                               int64_t left, bool conjugates) {
    const In* const start = data - chunk() * kChunk - line() * ld;
#pragma unroll 1
    for (int i = threadIdx.x; i < Rows * BK; i += Threads) {
      const int at = i / kLength, n = i % kLength;
      const int row = Down ? n : at, step = Down ? at : n;
      In value{};
      if (row < rows && step < left) value = start[at * ld + n];
      tile[step][row] = sum_of(value, conjugates);
    }
  }
  __device__ __forceinline__ void next() { data += Down ? BK * ld : BK; }
};

// The steps of a tile, with the pieces of the next one between them: fetched in the first half,
// kept in the last steps.
template <int BK, int Step = 0, class Sum, int TM, int TN, int AStep, int BStep, class ALoader,
          class BLoader>
__device__ __forceinline__ void multiply_and_copy(
    Sum (&sums)[TM][TN], Factors<Sum, TM, TN, AStep, BStep>& now,
    Factors<Sum, TM, TN, AStep, BStep>& next, const TileCursor<Sum>& a_at,
    const TileCursor<Sum>& b_at, const ALoader& a, const BLoader& b,
    typename ALoader::Values& a_next, typename BLoader::Values& b_next,
    typename ALoader::Row* a_tile, typename BLoader::Row* b_tile) {
  constexpr int kOfA = ALoader::kEach, kPieces = kOfA + BLoader::kEach, kHalf = BK / 2;
  constexpr int kFetched = Step < kHalf ? (Step * kPieces + kHalf - 1) / kHalf : kPieces;
  constexpr int kThen = Step < kHalf ? ((Step + 1) * kPieces + kHalf - 1) / kHalf : kPieces;
#pragma unroll
  for (int i = kFetched; i < kThen; ++i) {
    if (i < kOfA)
      a.fetch_piece(i, a_tile, a_next);
    else
      b.fetch_piece(i - kOfA, b_tile, b_next);
  }
  constexpr int kKept = Step - (BK - kPieces);
  if constexpr (kKept >= 0) {
    if constexpr (kKept < kOfA)
      a.keep_piece(kKept, a_tile, a_next);
    else
      b.keep_piece(kKept - kOfA, b_tile, b_next);
  }
  multiply_and_read<(Step + 1) * ALoader::kPitch, (Step + 1) * BLoader::kPitch>(sums, now, next,
                                                                                a_at, b_at);
  if constexpr (Step + 1 < BK)
    multiply_and_copy<BK, Step + 1>(sums, next, now, a_at, b_at, a, b, a_next, b_next, a_tile,
                                    b_tile);
}

template <class In, class Sum, class Out, int BM, int BN, int BK, int TM, int TN, bool ADown,
          bool BDown, Copies How, int Stages>
__global__ void __maxnreg__(168)  // three blocks of 128 threads on an SM
    multiply_tiles(const Product<In, Sum, Out> p, int64_t first_batch) {
  constexpr int kThreadsOfTile = (BM / TM) * (BN / TN);
  constexpr int G = 4;  // neighbours of a thread
  using ALoader = TileLoader<In, Sum, BM, BK, kThreadsOfTile, ADown, How, Stages>;
  using BLoader = TileLoader<In, Sum, BN, BK, kThreadsOfTile, BDown, How, Stages>;
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
    ALoader a(p.a.at(batch) + first_row * p.a_row, ADown ? p.a_column : p.a_row, p.m - first_row,
              p.a_conjugated);
    BLoader b(p.b.at(batch) + first_column * p.b_column, BDown ? p.b_row : p.b_column,
              p.n - first_column, p.b_conjugated);
    typename ALoader::Values a_next;
    typename BLoader::Values b_next;
    int64_t left = p.k;     // steps of the sum from the tile on that is copied next
    int now = 0, then = 0;  // rows of the tiles that are multiplied and copied next
    const auto advance = [](int row) { return row == (Stages - 1) * (BK + 1) ? 0 : row + BK + 1; };
    const auto end_copy = [&] {
      if constexpr (How == Copies::async) asm volatile("cp.async.commit_group;" ::: "memory");
      then = advance(then);
      left -= BK;
      a.next();
      b.next();
    };
    constexpr int kAPitch = ALoader::kPitch, kBPitch = BLoader::kPitch;
    Factors<Sum, TM, TN, BM * G / TM, BN * G / TN> even, odd;
    for (int s = 0; s < Stages - 1; ++s) {
      if (left > 0) {
        a.fetch(a_tiles + then, a_next, left);
        b.fetch(b_tiles + then, b_next, left);
        a.keep(a_tiles + then, a_next, left);
        b.keep(b_tiles + then, b_next, left);
      }
      end_copy();
    }
    for (int i = threadIdx.x; i < kAPitch; i += kThreadsOfTile)
      for (int s = 0; s < Stages; ++s) a_tiles[s * (BK + 1) + BK][i] = Sum{};
    for (int i = threadIdx.x; i < kBPitch; i += kThreadsOfTile)
      for (int s = 0; s < Stages; ++s) b_tiles[s * (BK + 1) + BK][i] = Sum{};
    const bool spreads = How != Copies::whole && a.whole && b.whole;
    while (true) {
      if constexpr (How == Copies::async)
        asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2) : "memory");
      __syncthreads();
      TileCursor<Sum> a_at(&a_tiles[now][tx * G]), b_at(&b_tiles[now][ty * G]);
      even.template read_all<0>(a_at, b_at);
      now = advance(now);
      if constexpr (How != Copies::whole) {
        if (spreads && left >= BK) {
          typename ALoader::Values a_pieces;
          typename BLoader::Values b_pieces;
          multiply_and_copy<BK>(sums, even, odd, a_at, b_at, a, b, a_pieces, b_pieces,
                                a_tiles + then, b_tiles + then);
          end_copy();
          continue;
        }
      }
      if (left > 0) {
        a.fetch(a_tiles + then, a_next, left);
        b.fetch(b_tiles + then, b_next, left);
      }
      // Two steps are a loop that small instruction caches hold.
#pragma unroll 1
      for (int l = 0; l < BK; l += 2) {
        multiply_and_read<kAPitch, kBPitch>(sums, even, odd, a_at, b_at);
        a_at.advance(2 * kAPitch);
        b_at.advance(2 * kBPitch);
        multiply_and_read<0, 0>(sums, odd, even, a_at, b_at);
      }
      if (left > 0) {
        a.keep(a_tiles + then, a_next, left);
        b.keep(b_tiles + then, b_next, left);
      }
      end_copy();
      if (left <= -(Stages - 1) * BK) break;
    }
  }

  const Sum alpha = p.alpha.get(), beta = p.beta.get();
  const Out* const c = p.c.at(batch);
  Out* const d = p.d.at(batch);
  const int64_t row = first_row + tx * G, column = first_column + ty * G;
  constexpr int kRowStep = BM * G / TM, kColumnStep = BN * G / TN;  // from group to group
  if (p.is_plain() && is_zero(beta) && first_row + BM <= p.m && first_column + BN <= p.n) {
    const bool aligned = reinterpret_cast<uint64_t>(d) % (G * sizeof(Out)) == 0 && p.ldd % G == 0;
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      Out* const to = d + row + (column + j / G * kColumnStep + j % G) * p.ldd;
#pragma unroll
      for (int g = 0; g < TM / G; ++g) {
        Out values[G];
#pragma unroll
        for (int i = 0; i < G; ++i) values[i] = convert<Out>(alpha * sums[g * G + i][j]);
        write_neighbours(to + g * kRowStep, values, aligned);
      }
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
template <int BM, int BN, int BK, int TM, int TN, Copies How = Copies::whole, int Stages = 2,
          class In, class Sum, class Out>
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
  const auto run_b = [&]<bool ADown>() {
    if (p.b_column == 1)
      run(multiply_tiles<In, Sum, Out, BM, BN, BK, TM, TN, ADown, true, How, Stages>);
    else
      run(multiply_tiles<In, Sum, Out, BM, BN, BK, TM, TN, ADown, false, How, Stages>);
  };
  if (p.a_row == 1)
    run_b.template operator()<true>();
  else
    run_b.template operator()<false>();
  return launched();
}

// Large tiles of floats where they keep the SMs about as busy as small ones.
template <Copies How, class Out>
Status launch_float_tiles(const cublasContext& h, const Product<float, float, Out>& p,
                          int64_t count) {
  const int64_t large = ceil_div(p.m, 128) * ceil_div(p.n, 64) * count;
  const int64_t small = ceil_div(p.m, 64) * ceil_div(p.n, 64) * count;
  const bool is_large = ceil_div(large, h.sms) * 8 <= ceil_div(small, h.sms) * 5;
  // A block that is alone on its SM copies two tiles ahead.
  if constexpr (How == Copies::async)
    if ((is_large ? large : small) <= h.sms)
      return is_large ? launch_tiles<128, 64, 16, 8, 8, How, 3>(h, p, count)
                      : launch_tiles<64, 64, 16, 8, 4, How, 3>(h, p, count);
  return is_large ? launch_tiles<128, 64, 16, 8, 8, How>(h, p, count)
                  : launch_tiles<64, 64, 16, 8, 4, How>(h, p, count);
}

}  // namespace heddle::blas
