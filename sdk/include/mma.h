// Matrix multiplication by a warp (nvcuda::wmma), with the PTX instructions wmma.load, wmma.mma and
// wmma.store.
#pragma once
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus)

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment;

// The part of a fragment in one thread: N numbers.
template <class T, int numbers>
struct __heddle_fragment {
  enum { num_elements = numbers, num_storage_elements = numbers };
  T x[numbers];
};

#define HEDDLE_WMMA static __inline__ __device__ __attribute__((always_inline))

// Registers of an asm statement: as text, as results, as operands.
#define HEDDLE_TEXT1(x) "{%[" #x "0]}"
#define HEDDLE_TEXT2(x) "{%[" #x "0], %[" #x "1]}"
#define HEDDLE_TEXT4(x) "{%[" #x "0], %[" #x "1], %[" #x "2], %[" #x "3]}"
#define HEDDLE_TEXT8(x)                                                                            \
  "{%[" #x "0], %[" #x "1], %[" #x "2], %[" #x "3], %[" #x "4], %[" #x "5], %[" #x "6], %[" #x "7" \
  "]"                                                                                              \
  "}"
#define HEDDLE_REG1(x, c) [x##0] c(x[0])
#define HEDDLE_REG2(x, c) HEDDLE_REG1(x, c), [x##1] c(x[1])
#define HEDDLE_REG4(x, c) HEDDLE_REG2(x, c), [x##2] c(x[2]), [x##3] c(x[3])
#define HEDDLE_REG8(x, c) \
  HEDDLE_REG4(x, c), [x##4] c(x[4]), [x##5] c(x[5]), [x##6] c(x[6]), [x##7] c(x[7])
#define HEDDLE_SHAPE(m, n, k) "m" #m "n" #n "k" #k "."

// Not defined when the host side is compiled.
#if defined(__CUDA_ARCH__)
#define HEDDLE_WMMA_LOAD_BODY(what, layout, count, word, c)                       \
  word v[count];                                                                  \
  asm volatile("wmma.load." what " " HEDDLE_TEXT##count(v) ", [%[from]], %[ldm];" \
               : HEDDLE_REG##count(v, "=" c)                                      \
               : [from] "l"(p), [ldm] "r"(ldm)                                    \
               : "memory");                                                       \
  __builtin_memcpy(f.x, v, sizeof v);
#define HEDDLE_WMMA_STORE_BODY(what, count, word, c)                                            \
  word v[count];                                                                                \
  __builtin_memcpy(v, f.x, sizeof v);                                                           \
  asm volatile("wmma.store.d.sync.aligned." what " [%[to]], " HEDDLE_TEXT##count(v) ", %[ldm];" \
               :                                                                                \
               : HEDDLE_REG##count(v, c), [to] "l"(p), [ldm] "r"(ldm)                           \
               : "memory");
#define HEDDLE_WMMA_MMA_BODY(what, cd, wd, nd, cab, wab, na, nb, cc, wc, nc) \
  HEDDLE_WMMA_OPERATION_BODY("", what, cd, wd, nd, cab, wab, na, nb, cc, wc, nc)
#define HEDDLE_WMMA_OPERATION_BODY(operation, what, cd, wd, nd, cab, wab, na, nb, cc, wc, nc) \
  wd vd[nd];                                                                                  \
  wab va[na], vb[nb];                                                                         \
  wc vc[nc];                                                                                  \
  __builtin_memcpy(va, a.x, sizeof va);                                                       \
  __builtin_memcpy(vb, b.x, sizeof vb);                                                       \
  __builtin_memcpy(vc, c.x, sizeof vc);                                                       \
  asm volatile("wmma.mma." operation "sync.aligned." what                                     \
               " " HEDDLE_TEXT##nd(vd) ", " HEDDLE_TEXT##na(va) ", " HEDDLE_TEXT##nb(         \
                   vb) ", " HEDDLE_TEXT##nc(vc) ";"                                           \
               : HEDDLE_REG##nd(vd, "=" cd)                                                   \
               : HEDDLE_REG##na(va, cab), HEDDLE_REG##nb(vb, cab), HEDDLE_REG##nc(vc, cc));   \
  __builtin_memcpy(d.x, vd, sizeof vd);
#else
#define HEDDLE_WMMA_LOAD_BODY(what, layout, count, word, c) (void)f, (void)p, (void)ldm;
#define HEDDLE_WMMA_STORE_BODY(what, count, word, c) (void)f, (void)p, (void)ldm;
#define HEDDLE_WMMA_MMA_BODY(what, cd, wd, nd, cab, wab, na, nb, cc, wc, nc) \
  (void)a, (void)b, (void)c, (void)d;
#define HEDDLE_WMMA_OPERATION_BODY(operation, what, cd, wd, nd, cab, wab, na, nb, cc, wc, nc) \
  (void)a, (void)b, (void)c, (void)d;
#endif

// A or B in one layout: the types in C++ and in memory, the numbers per thread, the type in PTX,
// the number and kind of registers.
#define HEDDLE_WMMA_INPUT1(m, n, k, use, letter, T, memory, numbers, type, layout, count, word, c) \
  template <>                                                                                      \
  class fragment<use, m, n, k, T, layout##_major> : public __heddle_fragment<memory, numbers> {};  \
  HEDDLE_WMMA void load_matrix_sync(fragment<use, m, n, k, T, layout##_major>& f, const memory* p, \
                                    unsigned ldm) {                                                \
    HEDDLE_WMMA_LOAD_BODY(letter ".sync.aligned." #layout "." HEDDLE_SHAPE(m, n, k) type, layout,  \
                          count, word, c)                                                          \
  }
#define HEDDLE_WMMA_INPUT(m, n, k, use, letter, T, memory, numbers, type, count, word, c) \
  HEDDLE_WMMA_INPUT1(m, n, k, use, letter, T, memory, numbers, type, row, count, word, c) \
  HEDDLE_WMMA_INPUT1(m, n, k, use, letter, T, memory, numbers, type, col, count, word, c)
#define HEDDLE_WMMA_INPUTS(m, n, k, T, memory, na, nb, type, ra, rb, word, c) \
  HEDDLE_WMMA_INPUT(m, n, k, matrix_a, "a", T, memory, na, type, ra, word, c) \
  HEDDLE_WMMA_INPUT(m, n, k, matrix_b, "b", T, memory, nb, type, rb, word, c)

#define HEDDLE_WMMA_SUMS(m, n, k, T, numbers, type, count, word, c)                                \
  template <>                                                                                      \
  class fragment<accumulator, m, n, k, T> : public __heddle_fragment<T, numbers> {};               \
  HEDDLE_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p,              \
                                    unsigned ldm, layout_t layout) {                               \
    if (layout == mem_row_major) {                                                                 \
      HEDDLE_WMMA_LOAD_BODY("c.sync.aligned.row." HEDDLE_SHAPE(m, n, k) type, row, count, word, c) \
    } else {                                                                                       \
      HEDDLE_WMMA_LOAD_BODY("c.sync.aligned.col." HEDDLE_SHAPE(m, n, k) type, col, count, word, c) \
    }                                                                                              \
  }                                                                                                \
  HEDDLE_WMMA void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f,             \
                                     unsigned ldm, layout_t layout) {                              \
    if (layout == mem_row_major) {                                                                 \
      HEDDLE_WMMA_STORE_BODY("row." HEDDLE_SHAPE(m, n, k) type, count, word, c)                    \
    } else {                                                                                       \
      HEDDLE_WMMA_STORE_BODY("col." HEDDLE_SHAPE(m, n, k) type, count, word, c)                    \
    }                                                                                              \
  }

// d = a * b + c for one pair of layouts.
#define HEDDLE_WMMA_MMA1(m, n, k, T, D, C, la, lb, types, cd, wd, nd, cab, wab, na, nb, cc, wc,   \
                         nc)                                                                      \
  HEDDLE_WMMA void mma_sync(fragment<accumulator, m, n, k, D>& d,                                 \
                            const fragment<matrix_a, m, n, k, T, la##_major>& a,                  \
                            const fragment<matrix_b, m, n, k, T, lb##_major>& b,                  \
                            const fragment<accumulator, m, n, k, C>& c, bool saturate = false) {  \
    if (saturate) {                                                                               \
      HEDDLE_WMMA_MMA_BODY(#la "." #lb "." HEDDLE_SHAPE(m, n, k) types HEDDLE_SATURATE, cd, wd,   \
                           nd, cab, wab, na, nb, cc, wc, nc)                                      \
    } else {                                                                                      \
      HEDDLE_WMMA_MMA_BODY(#la "." #lb "." HEDDLE_SHAPE(m, n, k) types, cd, wd, nd, cab, wab, na, \
                           nb, cc, wc, nc)                                                        \
    }                                                                                             \
  }
#define HEDDLE_WMMA_MMA(m, n, k, T, D, C, types, cd, wd, nd, cab, wab, na, nb, cc, wc, nc)      \
  HEDDLE_WMMA_MMA1(m, n, k, T, D, C, row, row, types, cd, wd, nd, cab, wab, na, nb, cc, wc, nc) \
  HEDDLE_WMMA_MMA1(m, n, k, T, D, C, row, col, types, cd, wd, nd, cab, wab, na, nb, cc, wc, nc) \
  HEDDLE_WMMA_MMA1(m, n, k, T, D, C, col, row, types, cd, wd, nd, cab, wab, na, nb, cc, wc, nc) \
  HEDDLE_WMMA_MMA1(m, n, k, T, D, C, col, col, types, cd, wd, nd, cab, wab, na, nb, cc, wc, nc)

#define HEDDLE_WMMA_FLOATING(m, n, numbers_a, numbers_b, words_a, words_b)                         \
  HEDDLE_WMMA_INPUTS(m, n, 16, __half, __half, 16, 16, "f16", 8, 8, unsigned, "r")                 \
  HEDDLE_WMMA_INPUTS(m, n, 16, __nv_bfloat16, __nv_bfloat16, numbers_a, numbers_b, "bf16",         \
                     words_a, words_b, unsigned, "r")                                              \
  HEDDLE_WMMA_SUMS(m, n, 16, __half, 8, "f16", 4, unsigned, "r")                                   \
  HEDDLE_WMMA_SUMS(m, n, 16, float, 8, "f32", 8, float, "f")                                       \
  HEDDLE_WMMA_MMA(m, n, 16, __half, float, float, "f32.f32", "f", float, 8, "r", unsigned, 8, 8,   \
                  "f", float, 8)                                                                   \
  HEDDLE_WMMA_MMA(m, n, 16, __half, __half, __half, "f16.f16", "r", unsigned, 4, "r", unsigned, 8, \
                  8, "r", unsigned, 4)                                                             \
  HEDDLE_WMMA_MMA(m, n, 16, __half, float, __half, "f32.f16", "f", float, 8, "r", unsigned, 8, 8,  \
                  "r", unsigned, 4)                                                                \
  HEDDLE_WMMA_MMA(m, n, 16, __half, __half, float, "f16.f32", "r", unsigned, 4, "r", unsigned, 8,  \
                  8, "f", float, 8)                                                                \
  HEDDLE_WMMA_MMA(m, n, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", "f", float, 8, "r",  \
                  unsigned, words_a, words_b, "f", float, 8)
#define HEDDLE_WMMA_BYTES(m, n, T, type, numbers_a, numbers_b, words_a, words_b)             \
  HEDDLE_WMMA_INPUTS(m, n, 16, T, T, numbers_a, numbers_b, type, words_a, words_b, int, "r") \
  HEDDLE_WMMA_MMA(m, n, 16, T, int, int, "s32." type "." type ".s32", "r", int, 8, "r", int, \
                  words_a, words_b, "r", int, 8)
#define HEDDLE_WMMA_INTEGERS(m, n, numbers_a, numbers_b, words_a, words_b)           \
  HEDDLE_WMMA_SUMS(m, n, 16, int, 8, "s32", 8, int, "r")                             \
  HEDDLE_WMMA_BYTES(m, n, signed char, "s8", numbers_a, numbers_b, words_a, words_b) \
  HEDDLE_WMMA_BYTES(m, n, unsigned char, "u8", numbers_a, numbers_b, words_a, words_b)

// Floating-point sums overflow to infinity, also with saturation.
#define HEDDLE_SATURATE ""
HEDDLE_WMMA_FLOATING(16, 16, 8, 8, 4, 4)
HEDDLE_WMMA_FLOATING(32, 8, 16, 4, 8, 2)
HEDDLE_WMMA_FLOATING(8, 32, 4, 16, 2, 8)
HEDDLE_WMMA_INPUTS(16, 16, 8, precision::tf32, float, 4, 4, "tf32", 4, 4, unsigned, "r")
HEDDLE_WMMA_SUMS(16, 16, 8, float, 8, "f32", 8, float, "f")
HEDDLE_WMMA_MMA(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", "f", float, 8, "r",
                unsigned, 4, 4, "f", float, 8)
HEDDLE_WMMA_INPUTS(8, 8, 4, double, double, 1, 1, "f64", 1, 1, double, "d")
HEDDLE_WMMA_SUMS(8, 8, 4, double, 2, "f64", 2, double, "d")
HEDDLE_WMMA_MMA(8, 8, 4, double, double, double, "f64.f64.f64.f64", "d", double, 2, "d", double, 1,
                1, "d", double, 2)
#undef HEDDLE_SATURATE
#define HEDDLE_SATURATE ".satfinite"
HEDDLE_WMMA_INTEGERS(16, 16, 8, 8, 2, 2)
HEDDLE_WMMA_INTEGERS(32, 8, 16, 4, 4, 1)
HEDDLE_WMMA_INTEGERS(8, 32, 4, 16, 1, 4)

// 4-bit numbers and single bits: one word of a thread contains 8 or 32 of them, from a row of A or
// a column of B.
#define HEDDLE_WMMA_WORD(k, use, letter, name, storage, layout)                                    \
  template <>                                                                                      \
  class fragment<use, 8, 8, k, experimental::precision::name, layout##_major>                      \
      : public __heddle_fragment<storage, 1> {};                                                   \
  HEDDLE_WMMA void load_matrix_sync(                                                               \
      fragment<use, 8, 8, k, experimental::precision::name, layout##_major>& f, const void* p,     \
      unsigned ldm) {                                                                              \
    HEDDLE_WMMA_LOAD_BODY(letter ".sync.aligned." #layout "." HEDDLE_SHAPE(8, 8, k) #name, layout, \
                          1, unsigned, "r")                                                        \
  }
#define HEDDLE_WMMA_WORDS(k, name, storage)              \
  HEDDLE_WMMA_WORD(k, matrix_a, "a", name, storage, row) \
  HEDDLE_WMMA_WORD(k, matrix_b, "b", name, storage, col)
#define HEDDLE_WMMA_NIBBLES(name, storage)                                      \
  HEDDLE_WMMA_WORDS(32, name, storage)                                          \
  HEDDLE_WMMA_MMA1(8, 8, 32, experimental::precision::name, int, int, row, col, \
                   "s32." #name "." #name ".s32", "r", int, 2, "r", unsigned, 1, 1, "r", int, 2)
HEDDLE_WMMA_SUMS(8, 8, 32, int, 2, "s32", 2, int, "r")
HEDDLE_WMMA_SUMS(8, 8, 128, int, 2, "s32", 2, int, "r")
HEDDLE_WMMA_NIBBLES(s4, int)
HEDDLE_WMMA_NIBBLES(u4, unsigned)
HEDDLE_WMMA_WORDS(128, b1, unsigned)
HEDDLE_WMMA void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c,
    experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (operation == experimental::bmmaBitOpXOR) {
    HEDDLE_WMMA_OPERATION_BODY("xor.popc.", "row.col.m8n8k128.s32.b1.b1.s32", "r", int, 2, "r",
                               unsigned, 1, 1, "r", int, 2)
  } else {
    HEDDLE_WMMA_OPERATION_BODY("and.popc.", "row.col.m8n8k128.s32.b1.b1.s32", "r", int, 2, "r",
                               unsigned, 1, 1, "r", int, 2)
  }
}
#undef HEDDLE_SATURATE

template <class T, int numbers, class Value>
HEDDLE_WMMA void __heddle_fill(__heddle_fragment<T, numbers>& f, const Value& value) {
  for (int i = 0; i < numbers; ++i) f.x[i] = value;
}
template <class Use, int m, int n, int k, class T, class Layout, class Value>
HEDDLE_WMMA void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
  __heddle_fill(f, value);
}

// Rounds to a fraction of 10 bits, ties away from zero.
HEDDLE_WMMA float __float_to_tf32(float value) {
#if defined(__CUDA_ARCH__)
  unsigned word;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(value));
  __builtin_memcpy(&value, &word, 4);
#endif
  return value;
}

}  // namespace wmma
}  // namespace nvcuda

#endif
