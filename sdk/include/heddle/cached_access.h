// __ldcg, __stcs and similar functions: loads and stores with a cache operator. Clang's headers
// lack them.
#pragma once

#define HEDDLE_CACHED_LOAD(name, text)                                              \
  __device__ inline void __heddle##name(const void* p, unsigned char& w) {          \
    unsigned int wide;                                                              \
    asm(text ".u8 %0, [%1];" : "=r"(wide) : "l"(p) : "memory");                     \
    w = static_cast<unsigned char>(wide);                                           \
  }                                                                                 \
  __device__ inline void __heddle##name(const void* p, unsigned short& w) {         \
    asm(text ".b16 %0, [%1];" : "=h"(w) : "l"(p) : "memory");                       \
  }                                                                                 \
  __device__ inline void __heddle##name(const void* p, unsigned int& w) {           \
    asm(text ".b32 %0, [%1];" : "=r"(w) : "l"(p) : "memory");                       \
  }                                                                                 \
  __device__ inline void __heddle##name(const void* p, unsigned long long& w) {     \
    asm(text ".b64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");                       \
  }                                                                                 \
  __device__ inline void __heddle##name(const void* p, ulonglong2& w) {             \
    asm(text ".v2.b64 {%0, %1}, [%2];" : "=l"(w.x), "=l"(w.y) : "l"(p) : "memory"); \
  }                                                                                 \
  __device__ inline void __heddle##name(const void* p, uint4& w) {                  \
    asm(text ".v4.b32 {%0, %1, %2, %3}, [%4];"                                      \
        : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)                                \
        : "l"(p)                                                                    \
        : "memory");                                                                \
  }                                                                                 \
  HEDDLE_CACHED_TYPES(HEDDLE_ONE_LOAD, name)
#define HEDDLE_ONE_LOAD(name, type, words)     \
  __device__ inline type name(const type* p) { \
    words w;                                   \
    __heddle##name(p, w);                      \
    return __builtin_bit_cast(type, w);        \
  }

#define HEDDLE_CACHED_STORE(name, text)                                                          \
  __device__ inline void __heddle##name(void* p, unsigned char w) {                              \
    asm volatile(text ".u8 [%0], %1;" : : "l"(p), "r"(static_cast<unsigned int>(w)) : "memory"); \
  }                                                                                              \
  __device__ inline void __heddle##name(void* p, unsigned short w) {                             \
    asm volatile(text ".b16 [%0], %1;" : : "l"(p), "h"(w) : "memory");                           \
  }                                                                                              \
  __device__ inline void __heddle##name(void* p, unsigned int w) {                               \
    asm volatile(text ".b32 [%0], %1;" : : "l"(p), "r"(w) : "memory");                           \
  }                                                                                              \
  __device__ inline void __heddle##name(void* p, unsigned long long w) {                         \
    asm volatile(text ".b64 [%0], %1;" : : "l"(p), "l"(w) : "memory");                           \
  }                                                                                              \
  __device__ inline void __heddle##name(void* p, ulonglong2 w) {                                 \
    asm volatile(text ".v2.b64 [%0], {%1, %2};" : : "l"(p), "l"(w.x), "l"(w.y) : "memory");      \
  }                                                                                              \
  __device__ inline void __heddle##name(void* p, uint4 w) {                                      \
    asm volatile(text ".v4.b32 [%0], {%1, %2, %3, %4};"                                          \
                 :                                                                               \
                 : "l"(p), "r"(w.x), "r"(w.y), "r"(w.z), "r"(w.w)                                \
                 : "memory");                                                                    \
  }                                                                                              \
  HEDDLE_CACHED_TYPES(HEDDLE_ONE_STORE, name)
#define HEDDLE_ONE_STORE(name, type, words)              \
  __device__ inline void name(type* p, type value) {     \
    __heddle##name(p, __builtin_bit_cast(words, value)); \
  }

#define HEDDLE_CACHED_TYPES(one, name)                                                           \
  one(name, char, unsigned char) one(name, signed char, unsigned char)                           \
      one(name, unsigned char, unsigned char) one(name, char2, unsigned short)                   \
          one(name, uchar2, unsigned short) one(name, char4, unsigned int)                       \
              one(name, uchar4, unsigned int) one(name, short, unsigned short)                   \
                  one(name, unsigned short, unsigned short) one(name, short2, unsigned int) one( \
                      name, ushort2, unsigned int) one(name, short4, unsigned long long)         \
                      one(name, ushort4, unsigned long long) one(name, int, unsigned int) one(   \
                          name, unsigned int, unsigned int) one(name, int2, unsigned long long)  \
                          one(name, uint2, unsigned long long) one(name, int4, uint4)            \
                              one(name, uint4, uint4) one(name, long, unsigned long long)        \
                                  one(name, unsigned long, unsigned long long)                   \
                                      one(name, long long, unsigned long long)                   \
                                          one(name, unsigned long long, unsigned long long)      \
                                              one(name, longlong2, ulonglong2)                   \
                                                  one(name, ulonglong2, ulonglong2)              \
                                                      one(name, float, unsigned int) one(        \
                                                          name, float2, unsigned long long)      \
                                                          one(name, float4, uint4) one(          \
                                                              name, double, unsigned long long)  \
                                                              one(name, double2, ulonglong2)

HEDDLE_CACHED_LOAD(__ldca, "ld.global.ca")
HEDDLE_CACHED_LOAD(__ldcg, "ld.global.cg")
HEDDLE_CACHED_LOAD(__ldcs, "ld.global.cs")
HEDDLE_CACHED_LOAD(__ldlu, "ld.global.lu")
HEDDLE_CACHED_LOAD(__ldcv, "ld.global.cv")
HEDDLE_CACHED_STORE(__stwb, "st.global.wb")
HEDDLE_CACHED_STORE(__stcg, "st.global.cg")
HEDDLE_CACHED_STORE(__stcs, "st.global.cs")
HEDDLE_CACHED_STORE(__stwt, "st.global.wt")

#undef HEDDLE_CACHED_LOAD
#undef HEDDLE_ONE_LOAD
#undef HEDDLE_CACHED_STORE
#undef HEDDLE_ONE_STORE
#undef HEDDLE_CACHED_TYPES
