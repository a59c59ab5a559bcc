/* C of an older day: calls what nobody declared, and counts in a region that may run on one thread
 * only. */
#ifdef WITH_OPENMP
#include <omp.h>
#endif

unsigned later();

int count_in_parallel(int count) {
  int sum = 0, i;
#ifdef WITH_OPENMP
  if (omp_get_max_threads() < 1 || omp_get_wtime() <= 0) return -1;
#endif
#pragma omp parallel for reduction(+ : sum)
  for (i = 0; i < count; ++i) sum += i;
  return sum + undeclared(count) - later(count);
}

int undeclared(int count) { return 2 * count; }
unsigned later(int count) { return 2 * count; }
