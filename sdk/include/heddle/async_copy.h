// A thread's asynchronous copies (cp.async) from global to shared memory, from compute capability
// 8.0 on.
#pragma once

#define HEDDLE_COPY static __inline__ __device__ __attribute__((always_inline))

namespace heddle {

// Copies 4, 8 or 16 bytes; the last `zeroes` bytes are set to 0 instead.
HEDDLE_COPY void copy_async(void* shared, const void* global, __SIZE_TYPE__ bytes,
                            __SIZE_TYPE__ zeroes = 0) {
#if defined(__CUDA_ARCH__)
  const unsigned taken = (unsigned)(bytes - zeroes);
  unsigned long long to;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(to) : "l"(shared));
  unsigned long long from;
  asm("cvta.to.global.u64 %0, %1;" : "=l"(from) : "l"(global));
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "l"(to), "l"(from), "r"(taken)
                 : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                 :
                 : "l"(to), "l"(from), "r"(taken)
                 : "memory");
  else if (bytes == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :
                 : "l"(to), "l"(from), "r"(taken)
                 : "memory");
  else
    __builtin_trap();
#else
  (void)shared, (void)global, (void)bytes, (void)zeroes;
#endif
}

// The part of thread `rank` of `threads` of a copy whose addresses and size are multiples of 4.
HEDDLE_COPY void copy_part_async(void* shared, const void* global, __SIZE_TYPE__ bytes,
                                 __SIZE_TYPE__ rank, __SIZE_TYPE__ threads) {
  const __SIZE_TYPE__ mixed = (__SIZE_TYPE__)shared | (__SIZE_TYPE__)global | bytes;
  const __SIZE_TYPE__ unit = mixed % 16 == 0 ? 16 : mixed % 8 == 0 ? 8 : 4;
  for (__SIZE_TYPE__ at = rank * unit; at < bytes; at += threads * unit)
    copy_async((char*)shared + at, (const char*)global + at, unit);
}

}  // namespace heddle

#undef HEDDLE_COPY
