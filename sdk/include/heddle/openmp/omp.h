// omp.h for hosts without clang's OpenMP: directives are ignored, and every region runs on one
// thread.
#pragma once

#include <time.h>

#ifdef __cplusplus
#define HEDDLE_OMP_ONE static inline
extern "C" {
#else
#define HEDDLE_OMP_ONE static __inline__
#endif

typedef struct {
  int held;
} omp_lock_t;
typedef struct {
  int held;
} omp_nest_lock_t;
typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

HEDDLE_OMP_ONE int omp_get_num_threads(void) { return 1; }
HEDDLE_OMP_ONE int omp_get_max_threads(void) { return 1; }
HEDDLE_OMP_ONE int omp_get_thread_num(void) { return 0; }
HEDDLE_OMP_ONE int omp_get_num_procs(void) { return 1; }
HEDDLE_OMP_ONE int omp_get_thread_limit(void) { return 1; }
HEDDLE_OMP_ONE int omp_get_level(void) { return 0; }
HEDDLE_OMP_ONE int omp_get_num_devices(void) { return 0; }
HEDDLE_OMP_ONE int omp_in_parallel(void) { return 0; }
HEDDLE_OMP_ONE int omp_get_dynamic(void) { return 0; }
HEDDLE_OMP_ONE int omp_get_nested(void) { return 0; }
HEDDLE_OMP_ONE void omp_set_num_threads(int count) { (void)count; }
HEDDLE_OMP_ONE void omp_set_dynamic(int on) { (void)on; }
HEDDLE_OMP_ONE void omp_set_nested(int on) { (void)on; }
HEDDLE_OMP_ONE void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }

HEDDLE_OMP_ONE double omp_get_wtick(void) { return 1e-9; }
HEDDLE_OMP_ONE double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

HEDDLE_OMP_ONE void omp_init_lock(omp_lock_t* lock) { lock->held = 0; }
HEDDLE_OMP_ONE void omp_destroy_lock(omp_lock_t* lock) { (void)lock; }
HEDDLE_OMP_ONE void omp_set_lock(omp_lock_t* lock) { lock->held = 1; }
HEDDLE_OMP_ONE void omp_unset_lock(omp_lock_t* lock) { lock->held = 0; }
HEDDLE_OMP_ONE int omp_test_lock(omp_lock_t* lock) { return lock->held ? 0 : (lock->held = 1); }
HEDDLE_OMP_ONE void omp_init_nest_lock(omp_nest_lock_t* lock) { lock->held = 0; }
HEDDLE_OMP_ONE void omp_destroy_nest_lock(omp_nest_lock_t* lock) { (void)lock; }
HEDDLE_OMP_ONE void omp_set_nest_lock(omp_nest_lock_t* lock) { ++lock->held; }
HEDDLE_OMP_ONE void omp_unset_nest_lock(omp_nest_lock_t* lock) { --lock->held; }
HEDDLE_OMP_ONE int omp_test_nest_lock(omp_nest_lock_t* lock) { return ++lock->held; }

#ifdef __cplusplus
}
#endif
#undef HEDDLE_OMP_ONE
