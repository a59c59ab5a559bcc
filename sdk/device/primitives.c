// Arithmetic with a chosen rounding, conversions, and integer functions: one instruction each.
#include "device.h"

// Rounding modes: CUDA's suffix and the suffix of the instruction's builtin.
#define EACH_ROUNDING(DO) DO(rn, rn) DO(rz, rz) DO(rd, rm) DO(ru, rp)

#define FLOAT_ARITHMETIC(cuda, mode)                                                      \
  DEVICE float __nv_fadd_##cuda(float a, float b) {                                       \
    return FLUSHES ? __nvvm_add_##mode##_ftz_f(a, b) : __nvvm_add_##mode##_f(a, b);       \
  }                                                                                       \
  DEVICE float __nv_fsub_##cuda(float a, float b) {                                       \
    return FLUSHES ? __nvvm_add_##mode##_ftz_f(a, -b) : __nvvm_add_##mode##_f(a, -b);     \
  }                                                                                       \
  DEVICE float __nv_fmul_##cuda(float a, float b) {                                       \
    return FLUSHES ? __nvvm_mul_##mode##_ftz_f(a, b) : __nvvm_mul_##mode##_f(a, b);       \
  }                                                                                       \
  DEVICE float __nv_fmaf_##cuda(float a, float b, float c) {                              \
    return FLUSHES ? __nvvm_fma_##mode##_ftz_f(a, b, c) : __nvvm_fma_##mode##_f(a, b, c); \
  }                                                                                       \
  DEVICE float __nv_fmaf_ieee_##cuda(float a, float b, float c) {                         \
    return __nvvm_fma_##mode##_f(a, b, c);                                                \
  }                                                                                       \
  DEVICE float __nv_fdiv_##cuda(float a, float b) {                                       \
    return FLUSHES ? __nvvm_div_##mode##_ftz_f(a, b) : __nvvm_div_##mode##_f(a, b);       \
  }                                                                                       \
  DEVICE float __nv_frcp_##cuda(float a) {                                                \
    return FLUSHES ? __nvvm_rcp_##mode##_ftz_f(a) : __nvvm_rcp_##mode##_f(a);             \
  }                                                                                       \
  DEVICE float __nv_fsqrt_##cuda(float a) {                                               \
    return FLUSHES ? __nvvm_sqrt_##mode##_ftz_f(a) : __nvvm_sqrt_##mode##_f(a);           \
  }
EACH_ROUNDING(FLOAT_ARITHMETIC)

#define DOUBLE_ARITHMETIC(cuda, mode)                                                         \
  DEVICE double __nv_dadd_##cuda(double a, double b) { return __nvvm_add_##mode##_d(a, b); }  \
  DEVICE double __nv_dsub_##cuda(double a, double b) { return __nvvm_add_##mode##_d(a, -b); } \
  DEVICE double __nv_dmul_##cuda(double a, double b) { return __nvvm_mul_##mode##_d(a, b); }  \
  DEVICE double __nv_fma_##cuda(double a, double b, double c) {                               \
    return __nvvm_fma_##mode##_d(a, b, c);                                                    \
  }                                                                                           \
  DEVICE double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##mode##_d(a, b); }  \
  DEVICE double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##mode##_d(a); }               \
  DEVICE double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##mode##_d(a); }
EACH_ROUNDING(DOUBLE_ARITHMETIC)

DEVICE float __nv_frsqrt_rn(float a) { return (float)(1.0 / __nvvm_sqrt_rn_d((double)a)); }
DEVICE float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }

#define CONVERSIONS(cuda, mode)                                                     \
  DEVICE int __nv_float2int_##cuda(float a) {                                       \
    return FLUSHES ? __nvvm_f2i_##mode##_ftz(a) : __nvvm_f2i_##mode(a);             \
  }                                                                                 \
  DEVICE uint __nv_float2uint_##cuda(float a) {                                     \
    return FLUSHES ? __nvvm_f2ui_##mode##_ftz(a) : __nvvm_f2ui_##mode(a);           \
  }                                                                                 \
  DEVICE int64 __nv_float2ll_##cuda(float a) {                                      \
    return FLUSHES ? __nvvm_f2ll_##mode##_ftz(a) : __nvvm_f2ll_##mode(a);           \
  }                                                                                 \
  DEVICE uint64 __nv_float2ull_##cuda(float a) {                                    \
    return FLUSHES ? __nvvm_f2ull_##mode##_ftz(a) : __nvvm_f2ull_##mode(a);         \
  }                                                                                 \
  DEVICE int __nv_double2int_##cuda(double a) { return __nvvm_d2i_##mode(a); }      \
  DEVICE uint __nv_double2uint_##cuda(double a) { return __nvvm_d2ui_##mode(a); }   \
  DEVICE int64 __nv_double2ll_##cuda(double a) { return __nvvm_d2ll_##mode(a); }    \
  DEVICE uint64 __nv_double2ull_##cuda(double a) { return __nvvm_d2ull_##mode(a); } \
  DEVICE float __nv_double2float_##cuda(double a) {                                 \
    return FLUSHES ? __nvvm_d2f_##mode##_ftz(a) : __nvvm_d2f_##mode(a);             \
  }
EACH_ROUNDING(CONVERSIONS)

// Written as asm: LLVM treats conversions of integers toward zero as conversions to nearest.
#define CONVERSION(name, to, from, types, result, operand)             \
  DEVICE to name(from a) {                                             \
    to converted;                                                      \
    __asm__("cvt." types " %0, %1;" : result(converted) : operand(a)); \
    return converted;                                                  \
  }
#define CONVERSIONS_OF_INTEGERS(cuda, mode)                                     \
  CONVERSION(__nv_int2float_##cuda, float, int, #mode ".f32.s32", "=f", "r")    \
  CONVERSION(__nv_uint2float_##cuda, float, uint, #mode ".f32.u32", "=f", "r")  \
  CONVERSION(__nv_ll2float_##cuda, float, int64, #mode ".f32.s64", "=f", "l")   \
  CONVERSION(__nv_ull2float_##cuda, float, uint64, #mode ".f32.u64", "=f", "l") \
  CONVERSION(__nv_ll2double_##cuda, double, int64, #mode ".f64.s64", "=d", "l") \
  CONVERSION(__nv_ull2double_##cuda, double, uint64, #mode ".f64.u64", "=d", "l")
EACH_ROUNDING(CONVERSIONS_OF_INTEGERS)
DEVICE double __nv_int2double_rn(int a) { return (double)a; }
DEVICE double __nv_uint2double_rn(uint a) { return (double)a; }

DEVICE int __nv_float_as_int(float a) { return (int)bits_of(a); }
DEVICE uint __nv_float_as_uint(float a) { return bits_of(a); }
DEVICE float __nv_int_as_float(int a) { return float_of((uint)a); }
DEVICE float __nv_uint_as_float(uint a) { return float_of(a); }
DEVICE int64 __nv_double_as_longlong(double a) { return (int64)bits_of_double(a); }
DEVICE double __nv_longlong_as_double(int64 a) { return double_of((uint64)a); }
DEVICE int __nv_double2loint(double a) { return (int)(uint)bits_of_double(a); }
DEVICE int __nv_double2hiint(double a) { return (int)(bits_of_double(a) >> 32); }
DEVICE double __nv_hiloint2double(int high, int low) {
  return double_of(((uint64)(uint)high << 32) | (uint)low);
}

DEVICE int __nv_abs(int a) { return a < 0 ? -a : a; }
DEVICE int64 __nv_llabs(int64 a) { return a < 0 ? -a : a; }
DEVICE int __nv_min(int a, int b) { return b < a ? b : a; }
DEVICE int __nv_max(int a, int b) { return a < b ? b : a; }
DEVICE uint __nv_umin(uint a, uint b) { return b < a ? b : a; }
DEVICE uint __nv_umax(uint a, uint b) { return a < b ? b : a; }
DEVICE int64 __nv_llmin(int64 a, int64 b) { return b < a ? b : a; }
DEVICE int64 __nv_llmax(int64 a, int64 b) { return a < b ? b : a; }
DEVICE uint64 __nv_ullmin(uint64 a, uint64 b) { return b < a ? b : a; }
DEVICE uint64 __nv_ullmax(uint64 a, uint64 b) { return a < b ? b : a; }
DEVICE int __nv_brev(int a) { return (int)__builtin_bitreverse32((uint)a); }
DEVICE int64 __nv_brevll(int64 a) { return (int64)__builtin_bitreverse64((uint64)a); }
DEVICE int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz((uint)a); }
DEVICE int __nv_clzll(int64 a) { return a == 0 ? 64 : __builtin_clzll((uint64)a); }
DEVICE int __nv_ffs(int a) { return a == 0 ? 0 : 32 - __builtin_clz((uint)a & -(uint)a); }
DEVICE int __nv_ffsll(int64 a) { return a == 0 ? 0 : 64 - __builtin_clzll((uint64)a & -(uint64)a); }
DEVICE int __nv_popc(uint a) { return __builtin_popcount(a); }
DEVICE int __nv_popcll(uint64 a) { return __builtin_popcountll(a); }
DEVICE int __nv_byte_perm(int a, int b, int selector) {
  return __nvvm_prmt(a, b, selector & 0x7777);
}  // not prmt's copies of the sign
DEVICE int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
DEVICE uint __nv_umul24(uint a, uint b) { return (uint)__nvvm_mul24_ui((int)a, (int)b); }
DEVICE int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
DEVICE uint __nv_umulhi(uint a, uint b) { return (uint)__nvvm_mulhi_ui((int)a, (int)b); }
DEVICE int64 __nv_mul64hi(int64 a, int64 b) { return __nvvm_mulhi_ll(a, b); }
DEVICE uint64 __nv_umul64hi(uint64 a, uint64 b) {
  return (uint64)__nvvm_mulhi_ull((int64)a, (int64)b);
}
DEVICE int __nv_sad(int a, int b, int c) {
  return (int)((a < b ? (uint)b - (uint)a : (uint)a - (uint)b) + (uint)c);
}
DEVICE uint __nv_usad(uint a, uint b, uint c) { return (a < b ? b - a : a - b) + c; }
DEVICE int __nv_hadd(int a, int b) { return (int)(((int64)a + b) >> 1); }
DEVICE int __nv_rhadd(int a, int b) { return (int)(((int64)a + b + 1) >> 1); }
DEVICE uint __nv_uhadd(uint a, uint b) { return (uint)(((uint64)a + b) >> 1); }
DEVICE uint __nv_urhadd(uint a, uint b) { return (uint)(((uint64)a + b + 1) >> 1); }
