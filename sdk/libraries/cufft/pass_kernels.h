// The kernel of a pass: Stockham's algorithm of mixed radices in shared memory.
#pragma once
#include "cufft/pass.h"

namespace heddle::fft {

template <int radix, class T>
struct Angles;  // cosine and sine of 2 pi k / radix
template <class T>
struct Angles<3, T> {
  static constexpr T cosine[] = {1, T(-0.5), T(-0.5)};
  static constexpr T sine[] = {0, T(0.8660254037844386), T(-0.8660254037844386)};
};
template <class T>
struct Angles<5, T> {
  static constexpr T c1 = T(0.30901699437494745), c2 = T(-0.8090169943749475);
  static constexpr T s1 = T(0.9510565162951535), s2 = T(0.5877852522924731);
  static constexpr T cosine[] = {1, c1, c2, c2, c1};
  static constexpr T sine[] = {0, s1, s2, -s2, -s1};
};
template <class T>
struct Angles<7, T> {
  static constexpr T c1 = T(0.6234898018587336), c2 = T(-0.2225209339563144),
                     c3 = T(-0.9009688679024191);
  static constexpr T s1 = T(0.7818314824680298), s2 = T(0.9749279121818236),
                     s3 = T(0.4338837391175582);
  static constexpr T cosine[] = {1, c1, c2, c3, c3, c2, c1};
  static constexpr T sine[] = {0, s1, s2, s3, -s3, -s2, -s1};
};

template <class C>
__device__ __forceinline__ C turned(C a) {  // -i a
  return {a.y, -a.x};
}
template <class C>
__device__ __forceinline__ void dft2(C& a, C& b) {
  const C difference = a - b;
  a = a + b;
  b = difference;
}
template <class C>
__device__ __forceinline__ void dft4(C& a, C& b, C& c, C& d) {
  dft2(a, c);
  dft2(b, d);
  d = turned(d);
  dft2(a, b);
  dft2(c, d);
  const C third = b;
  b = c;
  c = third;
}
template <int radix, class C>
__device__ __forceinline__ void dft(C (&v)[radix]) {
  using T = Real<C>;
  if constexpr (radix == 2) {
    dft2(v[0], v[1]);
  } else if constexpr (radix == 4) {
    dft4(v[0], v[1], v[2], v[3]);
  } else if constexpr (radix == 8) {
    dft4(v[0], v[2], v[4], v[6]);
    dft4(v[1], v[3], v[5], v[7]);
    constexpr T half = T(0.7071067811865476);
    v[3] = C{half, -half} * v[3];
    v[5] = turned(v[5]);
    v[7] = C{-half, -half} * v[7];
    C out[8];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      out[k] = v[2 * k] + v[2 * k + 1];
      out[k + 4] = v[2 * k] - v[2 * k + 1];
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = out[k];
  } else {
    constexpr int kHalf = radix / 2;
    C sum[kHalf + 1], difference[kHalf + 1];
    C first = v[0];
#pragma unroll
    for (int k = 1; k <= kHalf; ++k) {
      sum[k] = v[k] + v[radix - k];
      difference[k] = turned(v[k] - v[radix - k]);
      first = first + sum[k];
    }
#pragma unroll
    for (int q = 1; q <= kHalf; ++q) {
      C even = v[0], odd{0, 0};
#pragma unroll
      for (int k = 1; k <= kHalf; ++k) {
        even = even + Angles<radix, T>::cosine[k * q % radix] * sum[k];
        odd = odd + Angles<radix, T>::sine[k * q % radix] * difference[k];
      }
      v[q] = even + odd;
      v[radix - q] = even - odd;
    }
    v[0] = first;
  }
}

// One stage of all lines of the block; `done` is the product of the radices before.
template <int radix, class C>
__device__ __forceinline__ void run_stage(const C* x, C* y, int n, int lines, int done,
                                          const C* roots, int root_step) {
  const int m = n / radix;
  const int step = m / done * root_step;
  for (int i = threadIdx.x; i < lines * m; i += kThreads) {
    const int line = lines == 1 ? 0 : i / m;
    const int j = i - line * m;
    const int k = j % done;
    C v[radix];
#pragma unroll
    for (int q = 0; q < radix; ++q) v[q] = x[line * n + j + q * m];
    if (k) {
#pragma unroll
      for (int q = 1; q < radix; ++q) v[q] = roots[q * k * step] * v[q];
    }
    dft<radix>(v);
    C* to = y + line * n + (j - k) * radix + k;
#pragma unroll
    for (int q = 0; q < radix; ++q) to[q * done] = v[q];
  }
}

template <class C>
__device__ __forceinline__ C load(const Side& side, const void* from, int64_t base, int index,
                                  int full_length) {
  if (index >= side.valid) return C{0, 0};
  if (side.form == Form::real)
    return {static_cast<const Real<C>*>(from)[base + index * side.strides.axis], 0};
  const bool mirrored = side.form == Form::hermitian && index > full_length / 2;
  if (mirrored) index = full_length - index;
  const C value = static_cast<const C*>(from)[base + index * side.strides.axis];
  return mirrored ? conjugate(value) : value;
}
template <class C>
__device__ __forceinline__ void store(const Side& side, void* to, int64_t base, int index,
                                      C value) {
  if (index >= side.valid) return;
  const int64_t at = base + index * side.strides.axis;
  if (side.form == Form::real)
    static_cast<Real<C>*>(to)[at] = value.x;
  else
    static_cast<C*>(to)[at] = value;
}
// Whether consecutive threads take consecutive elements of a line, or the same one of lines.
__device__ __forceinline__ bool goes_along_lines(const Side& side, int parts) {
  const int64_t beside = parts > 1 ? side.part_step * side.strides.axis : side.strides.others[2];
  return side.step * side.strides.axis <= beside;
}

template <class C>
__global__ void __launch_bounds__(kThreads)
    transform(Pass p, const void* in, void* out, Tables<C> t, int64_t all_lines,
              int lines_per_block) {
  extern __shared__ double2 shared[];
  C* x = reinterpret_cast<C*>(shared);
  C* y = x + p.n * lines_per_block;
  __shared__ int64_t in_base[kMaxLines], out_base[kMaxLines];
  __shared__ int part_of[kMaxLines];
  const int64_t first = static_cast<int64_t>(blockIdx.x) * lines_per_block;
  const int lines = static_cast<int>(min(static_cast<int64_t>(lines_per_block), all_lines - first));
  if (threadIdx.x < lines) {
    auto rest = static_cast<uint32_t>(first + threadIdx.x);
    part_of[threadIdx.x] = static_cast<int>(rest % p.parts);
    rest /= p.parts;
    int64_t in_at = 0, out_at = 0;
    for (int k = 2; k >= 0; --k) {
      const uint32_t index = rest % p.other_sizes[k];
      rest /= p.other_sizes[k];
      in_at += index * p.in.strides.others[k];
      out_at += index * p.out.strides.others[k];
    }
    in_base[threadIdx.x] = in_at;
    out_base[threadIdx.x] = out_at;
  }
  __syncthreads();

  const int elements = p.n * lines;
  const bool loads_along = goes_along_lines(p.in, p.parts);
  for (int i = threadIdx.x; i < elements; i += kThreads) {
    const int line = loads_along ? i / p.n : i % lines;
    const int k = loads_along ? i % p.n : i / lines;
    const int index = k * p.in.step + part_of[line] * p.in.part_step;
    C value = load<C>(p.in, in, in_base[line], index, p.full_length);
    if (p.conjugates_in) value = conjugate(value);
    if (t.pre && index < p.in.valid) value = t.pre[index] * value;
    x[line * p.n + k] = value;
  }
  __syncthreads();

  const int root_step = p.length / p.n;
  for (int stage = 0, done = 1; stage < p.stages; ++stage) {
    const int radix = p.radices[stage];
    switch (radix) {
      case 2: run_stage<2>(x, y, p.n, lines, done, t.roots, root_step); break;
      case 3: run_stage<3>(x, y, p.n, lines, done, t.roots, root_step); break;
      case 4: run_stage<4>(x, y, p.n, lines, done, t.roots, root_step); break;
      case 5: run_stage<5>(x, y, p.n, lines, done, t.roots, root_step); break;
      case 7: run_stage<7>(x, y, p.n, lines, done, t.roots, root_step); break;
      default: run_stage<8>(x, y, p.n, lines, done, t.roots, root_step);
    }
    done *= radix;
    C* const kept = x;
    x = y;
    y = kept;
    __syncthreads();
  }

  const bool stores_along = goes_along_lines(p.out, p.parts);
  for (int i = threadIdx.x; i < elements; i += kThreads) {
    const int line = stores_along ? i / p.n : i % lines;
    const int k = stores_along ? i % p.n : i / lines;
    const int index = k * p.out.step + part_of[line] * p.out.part_step;
    C value = x[line * p.n + k];
    if (p.twiddles) value = t.roots[k * part_of[line]] * value;
    if (p.conjugates_out) value = conjugate(value);
    if (t.post && index < p.out.valid) value = t.post[index] * value;
    if (p.conjugates_end) value = conjugate(value);
    store(p.out, out, out_base[line], index, value);
  }
}

template <class C>
void launch(Pass pass, const void* in, void* out, const Tables<C>& tables, cudaStream_t stream) {
  pass.stages = 0;
  int rest = pass.n;
  for (const int radix : {8, 4, 2, 7, 5, 3})
    for (; rest % radix == 0; rest /= radix) pass.radices[pass.stages++] = radix;
  const int64_t lines = static_cast<int64_t>(pass.parts) * lines_of(pass.other_sizes);
  // Many short lines for a block; of long ones eight, if they fit, so that lines side by side in
  // memory fill sectors.
  const int fitting = kElements<C> / pass.n;
  const int wanted = std::max(1024 / pass.n, std::min(fitting, 8));
  const int per_block = static_cast<int>(std::min<int64_t>({wanted, fitting, kMaxLines, lines}));
  const size_t bytes = 2 * sizeof(C) * pass.n * per_block;
  transform<<<static_cast<unsigned>(ceil_div(lines, per_block)), kThreads, bytes, stream>>>(
      pass, in, out, tables, lines, per_block);
}

}  // namespace heddle::fft
