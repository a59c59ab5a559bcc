// The SIMD intrinsics within a word, as ordinary instructions. Hardware since Maxwell emulates them
// in the same way. Clang's header uses PTX instructions that such hardware lacks, so the names are
// redefined here.
#pragma once

#define HEDDLE_SIMD static __device__ __forceinline__ unsigned int

namespace heddle {

// Applies f to the `bits`-bit elements of a and b, as T, and packs the results.
template <int lane_bits, class T, class Function>
static __device__ __forceinline__ unsigned int by_lane(unsigned int a, unsigned int b, Function f) {
  unsigned int result = 0;
#pragma unroll
  for (int shift = 0; shift < 32; shift += lane_bits) {
    const T x = static_cast<T>(a >> shift), y = static_cast<T>(b >> shift);
    result |= (static_cast<unsigned int>(f(static_cast<int>(x), static_cast<int>(y))) &
               ((1u << lane_bits) - 1))
              << shift;
  }
  return result;
}
static __device__ __forceinline__ int clamp(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

}  // namespace heddle

HEDDLE_SIMD heddle_vadd2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x + y; });
}
HEDDLE_SIMD heddle_vsub2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x - y; });
}
HEDDLE_SIMD heddle_vaddss2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(
      a, b, [](int x, int y) { return heddle::clamp(x + y, -32768, 32767); });
}
HEDDLE_SIMD heddle_vaddus2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(
      a, b, [](int x, int y) { return heddle::clamp(x + y, 0, 65535); });
}
HEDDLE_SIMD heddle_vsubss2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(
      a, b, [](int x, int y) { return heddle::clamp(x - y, -32768, 32767); });
}
HEDDLE_SIMD heddle_vsubus2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(
      a, b, [](int x, int y) { return heddle::clamp(x - y, 0, 65535); });
}
HEDDLE_SIMD heddle_vabsdiffs2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });
}
HEDDLE_SIMD heddle_vabsdiffu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b,
                                             [](int x, int y) { return x > y ? x - y : y - x; });
}
HEDDLE_SIMD heddle_vavgs2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; });
}
HEDDLE_SIMD heddle_vavgu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return (x + y + 1) >> 1; });
}
HEDDLE_SIMD heddle_vhaddu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return (x + y) >> 1; });
}
HEDDLE_SIMD heddle_vmaxs2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x > y ? x : y; });
}
HEDDLE_SIMD heddle_vmaxu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x > y ? x : y; });
}
HEDDLE_SIMD heddle_vmins2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x < y ? x : y; });
}
HEDDLE_SIMD heddle_vminu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x < y ? x : y; });
}
HEDDLE_SIMD heddle_vcmpeq2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x == y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vseteq2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x == y; });
}
HEDDLE_SIMD heddle_vcmpne2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x != y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetne2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x != y; });
}
HEDDLE_SIMD heddle_vcmpgts2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetgts2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x > y; });
}
HEDDLE_SIMD heddle_vcmpgtu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetgtu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x > y; });
}
HEDDLE_SIMD heddle_vcmpges2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetges2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x >= y; });
}
HEDDLE_SIMD heddle_vcmpgeu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetgeu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x >= y; });
}
HEDDLE_SIMD heddle_vcmplts2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetlts2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x < y; });
}
HEDDLE_SIMD heddle_vcmpltu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetltu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x < y; });
}
HEDDLE_SIMD heddle_vcmples2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetles2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, short>(a, b, [](int x, int y) { return x <= y; });
}
HEDDLE_SIMD heddle_vcmpleu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetleu2(unsigned int a, unsigned int b) {
  return heddle::by_lane<16, unsigned short>(a, b, [](int x, int y) { return x <= y; });
}
HEDDLE_SIMD heddle_vabs2(unsigned int a) {
  return heddle::by_lane<16, short>(a, 0, [](int x, int y) {
    (void)y;
    return x < 0 ? -x : x;
  });
}
HEDDLE_SIMD heddle_vabsss2(unsigned int a) {
  return heddle::by_lane<16, short>(a, 0, [](int x, int y) {
    (void)y;
    return heddle::clamp(x < 0 ? -x : x, 0, 32767);
  });
}
HEDDLE_SIMD heddle_vneg2(unsigned int a) {
  return heddle::by_lane<16, short>(a, 0, [](int x, int y) {
    (void)y;
    return -x;
  });
}
HEDDLE_SIMD heddle_vnegss2(unsigned int a) {
  return heddle::by_lane<16, short>(a, 0, [](int x, int y) {
    (void)y;
    return heddle::clamp(-x, -32768, 32767);
  });
}
HEDDLE_SIMD heddle_vsads2(unsigned int a, unsigned int b) {
  const unsigned int d = heddle_vabsdiffs2(a, b);
  return (d >> 0 & 65535u) + (d >> 16 & 65535u);
}
HEDDLE_SIMD heddle_vsadu2(unsigned int a, unsigned int b) {
  const unsigned int d = heddle_vabsdiffu2(a, b);
  return (d >> 0 & 65535u) + (d >> 16 & 65535u);
}
HEDDLE_SIMD heddle_vadd4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x + y; });
}
HEDDLE_SIMD heddle_vsub4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x - y; });
}
HEDDLE_SIMD heddle_vaddss4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(
      a, b, [](int x, int y) { return heddle::clamp(x + y, -128, 127); });
}
HEDDLE_SIMD heddle_vaddus4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(
      a, b, [](int x, int y) { return heddle::clamp(x + y, 0, 255); });
}
HEDDLE_SIMD heddle_vsubss4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(
      a, b, [](int x, int y) { return heddle::clamp(x - y, -128, 127); });
}
HEDDLE_SIMD heddle_vsubus4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(
      a, b, [](int x, int y) { return heddle::clamp(x - y, 0, 255); });
}
HEDDLE_SIMD heddle_vabsdiffs4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });
}
HEDDLE_SIMD heddle_vabsdiffu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b,
                                           [](int x, int y) { return x > y ? x - y : y - x; });
}
HEDDLE_SIMD heddle_vavgs4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b,
                                         [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; });
}
HEDDLE_SIMD heddle_vavgu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return (x + y + 1) >> 1; });
}
HEDDLE_SIMD heddle_vhaddu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return (x + y) >> 1; });
}
HEDDLE_SIMD heddle_vmaxs4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x > y ? x : y; });
}
HEDDLE_SIMD heddle_vmaxu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x > y ? x : y; });
}
HEDDLE_SIMD heddle_vmins4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x < y ? x : y; });
}
HEDDLE_SIMD heddle_vminu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x < y ? x : y; });
}
HEDDLE_SIMD heddle_vcmpeq4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x == y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vseteq4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x == y; });
}
HEDDLE_SIMD heddle_vcmpne4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x != y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetne4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x != y; });
}
HEDDLE_SIMD heddle_vcmpgts4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetgts4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x > y; });
}
HEDDLE_SIMD heddle_vcmpgtu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x > y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetgtu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x > y; });
}
HEDDLE_SIMD heddle_vcmpges4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetges4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x >= y; });
}
HEDDLE_SIMD heddle_vcmpgeu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x >= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetgeu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x >= y; });
}
HEDDLE_SIMD heddle_vcmplts4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetlts4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x < y; });
}
HEDDLE_SIMD heddle_vcmpltu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x < y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetltu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x < y; });
}
HEDDLE_SIMD heddle_vcmples4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetles4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, signed char>(a, b, [](int x, int y) { return x <= y; });
}
HEDDLE_SIMD heddle_vcmpleu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x <= y ? -1 : 0; });
}
HEDDLE_SIMD heddle_vsetleu4(unsigned int a, unsigned int b) {
  return heddle::by_lane<8, unsigned char>(a, b, [](int x, int y) { return x <= y; });
}
HEDDLE_SIMD heddle_vabs4(unsigned int a) {
  return heddle::by_lane<8, signed char>(a, 0, [](int x, int y) {
    (void)y;
    return x < 0 ? -x : x;
  });
}
HEDDLE_SIMD heddle_vabsss4(unsigned int a) {
  return heddle::by_lane<8, signed char>(a, 0, [](int x, int y) {
    (void)y;
    return heddle::clamp(x < 0 ? -x : x, 0, 127);
  });
}
HEDDLE_SIMD heddle_vneg4(unsigned int a) {
  return heddle::by_lane<8, signed char>(a, 0, [](int x, int y) {
    (void)y;
    return -x;
  });
}
HEDDLE_SIMD heddle_vnegss4(unsigned int a) {
  return heddle::by_lane<8, signed char>(a, 0, [](int x, int y) {
    (void)y;
    return heddle::clamp(-x, -128, 127);
  });
}
HEDDLE_SIMD heddle_vsads4(unsigned int a, unsigned int b) {
  const unsigned int d = heddle_vabsdiffs4(a, b);
  return (d >> 0 & 255u) + (d >> 8 & 255u) + (d >> 16 & 255u) + (d >> 24 & 255u);
}
HEDDLE_SIMD heddle_vsadu4(unsigned int a, unsigned int b) {
  const unsigned int d = heddle_vabsdiffu4(a, b);
  return (d >> 0 & 255u) + (d >> 8 & 255u) + (d >> 16 & 255u) + (d >> 24 & 255u);
}
#undef HEDDLE_SIMD

// Dot products of bytes, and of halves with bytes.
#define HEDDLE_DOT(name, form, A, B, C)                              \
  static __device__ __forceinline__ C name(A a, B b, C c) {          \
    C d;                                                             \
    asm(form " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
    return d;                                                        \
  }
HEDDLE_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
HEDDLE_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
HEDDLE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
HEDDLE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
HEDDLE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
HEDDLE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
#undef HEDDLE_DOT
static __device__ __forceinline__ int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(*reinterpret_cast<int*>(&a), *reinterpret_cast<int*>(&b), c);
}
static __device__ __forceinline__ unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(*reinterpret_cast<unsigned int*>(&a), *reinterpret_cast<unsigned int*>(&b), c);
}
#define HEDDLE_DOT(name, A, B, C)                                       \
  static __device__ __forceinline__ C name(A a, B b, C c) {             \
    return name(__builtin_bit_cast(C, a), __builtin_bit_cast(C, b), c); \
  }
HEDDLE_DOT(__dp2a_lo, short2, char4, int)
HEDDLE_DOT(__dp2a_lo, ushort2, uchar4, unsigned int)
HEDDLE_DOT(__dp2a_hi, short2, char4, int)
HEDDLE_DOT(__dp2a_hi, ushort2, uchar4, unsigned int)
#undef HEDDLE_DOT

#define __vabs2 heddle_vabs2
#define __vabs4 heddle_vabs4
#define __vabsdiffs2 heddle_vabsdiffs2
#define __vabsdiffs4 heddle_vabsdiffs4
#define __vabsdiffu2 heddle_vabsdiffu2
#define __vabsdiffu4 heddle_vabsdiffu4
#define __vabsss2 heddle_vabsss2
#define __vabsss4 heddle_vabsss4
#define __vadd2 heddle_vadd2
#define __vadd4 heddle_vadd4
#define __vaddss2 heddle_vaddss2
#define __vaddss4 heddle_vaddss4
#define __vaddus2 heddle_vaddus2
#define __vaddus4 heddle_vaddus4
#define __vavgs2 heddle_vavgs2
#define __vavgs4 heddle_vavgs4
#define __vavgu2 heddle_vavgu2
#define __vavgu4 heddle_vavgu4
#define __vcmpeq2 heddle_vcmpeq2
#define __vcmpeq4 heddle_vcmpeq4
#define __vcmpges2 heddle_vcmpges2
#define __vcmpges4 heddle_vcmpges4
#define __vcmpgeu2 heddle_vcmpgeu2
#define __vcmpgeu4 heddle_vcmpgeu4
#define __vcmpgts2 heddle_vcmpgts2
#define __vcmpgts4 heddle_vcmpgts4
#define __vcmpgtu2 heddle_vcmpgtu2
#define __vcmpgtu4 heddle_vcmpgtu4
#define __vcmples2 heddle_vcmples2
#define __vcmples4 heddle_vcmples4
#define __vcmpleu2 heddle_vcmpleu2
#define __vcmpleu4 heddle_vcmpleu4
#define __vcmplts2 heddle_vcmplts2
#define __vcmplts4 heddle_vcmplts4
#define __vcmpltu2 heddle_vcmpltu2
#define __vcmpltu4 heddle_vcmpltu4
#define __vcmpne2 heddle_vcmpne2
#define __vcmpne4 heddle_vcmpne4
#define __vhaddu2 heddle_vhaddu2
#define __vhaddu4 heddle_vhaddu4
#define __vmaxs2 heddle_vmaxs2
#define __vmaxs4 heddle_vmaxs4
#define __vmaxu2 heddle_vmaxu2
#define __vmaxu4 heddle_vmaxu4
#define __vmins2 heddle_vmins2
#define __vmins4 heddle_vmins4
#define __vminu2 heddle_vminu2
#define __vminu4 heddle_vminu4
#define __vneg2 heddle_vneg2
#define __vneg4 heddle_vneg4
#define __vnegss2 heddle_vnegss2
#define __vnegss4 heddle_vnegss4
#define __vsads2 heddle_vsads2
#define __vsads4 heddle_vsads4
#define __vsadu2 heddle_vsadu2
#define __vsadu4 heddle_vsadu4
#define __vseteq2 heddle_vseteq2
#define __vseteq4 heddle_vseteq4
#define __vsetges2 heddle_vsetges2
#define __vsetges4 heddle_vsetges4
#define __vsetgeu2 heddle_vsetgeu2
#define __vsetgeu4 heddle_vsetgeu4
#define __vsetgts2 heddle_vsetgts2
#define __vsetgts4 heddle_vsetgts4
#define __vsetgtu2 heddle_vsetgtu2
#define __vsetgtu4 heddle_vsetgtu4
#define __vsetles2 heddle_vsetles2
#define __vsetles4 heddle_vsetles4
#define __vsetleu2 heddle_vsetleu2
#define __vsetleu4 heddle_vsetleu4
#define __vsetlts2 heddle_vsetlts2
#define __vsetlts4 heddle_vsetlts4
#define __vsetltu2 heddle_vsetltu2
#define __vsetltu4 heddle_vsetltu4
#define __vsetne2 heddle_vsetne2
#define __vsetne4 heddle_vsetne4
#define __vsub2 heddle_vsub2
#define __vsub4 heddle_vsub4
#define __vsubss2 heddle_vsubss2
#define __vsubss4 heddle_vsubss4
#define __vsubus2 heddle_vsubus2
#define __vsubus4 heddle_vsubus4
