// Offloaded by GCC's OpenMP: teams, a reduction, and atomics on mapped memory.
#include <omp.h>
#include <stdio.h>

#define N 2048

int main(void) {
  static double x[N], y[N];
  int bins[4] = {0}, on_host = 1;
  double sum = 0;
  for (int i = 0; i < N; ++i) x[i] = i, y[i] = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
#pragma omp target teams distribute parallel for map(to : x) map(tofrom : y, bins) \
    map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < N; ++i) {
    y[i] += 2 * x[i];
    sum += y[i];
#pragma omp atomic
    ++bins[i % 4];
  }
  int wrong = on_host;
  for (int i = 0; i < N; ++i) wrong += y[i] != 1 + 2.0 * i;
  for (int i = 0; i < 4; ++i) wrong += bins[i] != N / 4;
  printf(wrong == 0 && sum == N + (double)N * (N - 1) ? "PASS\n" : "FAIL: %d wrong, sum %g\n",
         wrong, sum);
  return 0;
}
