// Every SIMD intrinsic within a word, on edge cases and ordinary words, compared with the host.
#include <cstdio>

constexpr int kWords = 256;

// Name, whether elements are signed, and the result of an element: x and y are elements of the two
// words, `low` and `high` the limits of the type.
#define BINARY(F)                           \
  F(vadd, false, x + y)                     \
  F(vaddss, true, clamp(x + y, low, high))  \
  F(vaddus, false, clamp(x + y, low, high)) \
  F(vsub, false, x - y)                     \
  F(vsubss, true, clamp(x - y, low, high))  \
  F(vsubus, false, clamp(x - y, low, high)) \
  F(vavgs, true, average(x, y))             \
  F(vavgu, false, (x + y + 1) >> 1)         \
  F(vhaddu, false, (x + y) >> 1)            \
  F(vabsdiffs, true, distance(x, y))        \
  F(vabsdiffu, false, distance(x, y))       \
  F(vmaxs, true, x > y ? x : y)             \
  F(vmaxu, false, x > y ? x : y)            \
  F(vmins, true, x < y ? x : y)             \
  F(vminu, false, x < y ? x : y)            \
  F(vcmpeq, false, x == y ? -1 : 0)         \
  F(vcmpne, false, x != y ? -1 : 0)         \
  F(vcmpges, true, x >= y ? -1 : 0)         \
  F(vcmpgeu, false, x >= y ? -1 : 0)        \
  F(vcmpgts, true, x > y ? -1 : 0)          \
  F(vcmpgtu, false, x > y ? -1 : 0)         \
  F(vcmples, true, x <= y ? -1 : 0)         \
  F(vcmpleu, false, x <= y ? -1 : 0)        \
  F(vcmplts, true, x < y ? -1 : 0)          \
  F(vcmpltu, false, x < y ? -1 : 0)         \
  F(vseteq, false, x == y)                  \
  F(vsetne, false, x != y)                  \
  F(vsetges, true, x >= y)                  \
  F(vsetgeu, false, x >= y)                 \
  F(vsetgts, true, x > y)                   \
  F(vsetgtu, false, x > y)                  \
  F(vsetles, true, x <= y)                  \
  F(vsetleu, false, x <= y)                 \
  F(vsetlts, true, x < y)                   \
  F(vsetltu, false, x < y)
#define UNARY(F)                                    \
  F(vabs, true, x < 0 ? -x : x)                     \
  F(vabsss, true, clamp(x < 0 ? -x : x, low, high)) \
  F(vneg, true, -x)                                 \
  F(vnegss, true, clamp(-x, low, high))
#define SUMS(F)                  \
  F(vsads, true, distance(x, y)) \
  F(vsadu, false, distance(x, y))

__global__ void apply(const unsigned* in, unsigned* out) {
  const int t = threadIdx.x;
  const unsigned a = in[t], b = in[(7 * t + 3) % kWords];
  int n = 0;
#define TWO(name, is_signed, lane) \
  out[kWords * n++ + t] = __##name##2(a, b), out[kWords * n++ + t] = __##name##4(a, b);
#define ONE(name, is_signed, lane) \
  out[kWords * n++ + t] = __##name##2(a), out[kWords * n++ + t] = __##name##4(a);
  BINARY(TWO) SUMS(TWO) UNARY(ONE)
}

static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
static int distance(int x, int y) { return x > y ? x - y : y - x; }
// Ties round away from zero.
static int average(int x, int y) { return (x + y + (x + y >= 0)) >> 1; }

template <class F>
unsigned by_lanes(unsigned a, unsigned b, int bits, bool is_signed, bool sums, F f) {
  unsigned result = 0, mask = (1u << bits) - 1;
  for (int shift = 0; shift < 32; shift += bits) {
    int x = static_cast<int>(a >> shift & mask), y = static_cast<int>(b >> shift & mask);
    if (is_signed && x >> (bits - 1)) x -= 1 << bits;
    if (is_signed && y >> (bits - 1)) y -= 1 << bits;
    const int lane = f(x, y, is_signed ? -(1 << (bits - 1)) : 0,
                       is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1);
    if (sums)
      result += static_cast<unsigned>(lane);
    else
      result |= (static_cast<unsigned>(lane) & mask) << shift;
  }
  return result;
}

int main() {
  static unsigned in[kWords], out[128 * kWords];
  const unsigned edges[] = {0,          0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080,
                            0x7f7f7f7f, 0x00ff0100, 0x0001ffff, 0x01020304, 0x8000007f};
  unsigned seed = 3;
  for (int i = 0; i < kWords; ++i) {
    seed = seed * 1664525 + 1013904223;
    in[i] = i < 10   ? edges[i]
            : i < 60 ? edges[i % 10] ^ (seed >> 16 & 0x01010101)
                     : seed ^ seed >> 15;
  }
  unsigned *din, *dout;
  cudaMalloc(&din, sizeof in);
  cudaMalloc(&dout, sizeof out);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  apply<<<1, kWords>>>(din, dout);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  int failures = 0;
  for (int t = 0; t < kWords; ++t) {
    const unsigned a = in[t], b = in[(7 * t + 3) % kWords];
    int n = 0;
    const auto judge = [&](const char* name, unsigned want) {
      const unsigned got = out[kWords * n++ + t];
      if (got != want && ++failures < 20)
        std::printf("%s(%08x, %08x): %08x, not %08x\n", name, a, b, got, want);
    };
#define CHECKED(name, is_signed, lane, sums)                                                 \
  for (int bits = 16; bits >= 8; bits /= 2) {                                                \
    judge(#name,                                                                             \
          by_lanes(a, b, bits, is_signed, sums, [](int x, int y, int low, int high) -> int { \
            (void)y, (void)low, (void)high;                                                  \
            return lane;                                                                     \
          }));                                                                               \
  }
#define LANES(name, is_signed, lane) CHECKED(name, is_signed, lane, false)
#define SUMMED(name, is_signed, lane) CHECKED(name, is_signed, lane, true)
    BINARY(LANES) SUMS(SUMMED) UNARY(LANES)
  }
  std::puts(failures == 0 ? "PASS" : "FAIL");
}
