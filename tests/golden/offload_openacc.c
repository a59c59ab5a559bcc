// Offloaded by GCC's OpenACC: sums, a reduction, and a loop of a called function.
#include <stdio.h>

#define N 4096

#pragma acc routine seq
static int triangle(int n) {
  int sum = 0;
  for (int i = 0; i <= n; ++i) sum += i;
  return sum;
}

int main(void) {
  static int a[N], b[N];
  long sum = 0;
  for (int i = 0; i < N; ++i) a[i] = i % 50;
#pragma acc parallel loop copyin(a) copyout(b) reduction(+ : sum)
  for (int i = 0; i < N; ++i) {
    b[i] = triangle(a[i]);
    sum += b[i];
  }
  long expected = 0;
  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    expected += a[i] * (a[i] + 1) / 2;
    wrong += b[i] != a[i] * (a[i] + 1) / 2;
  }
  printf(wrong == 0 && sum == expected ? "PASS\n" : "FAIL: %d wrong, %ld instead of %ld\n", wrong,
         sum, expected);
  return 0;
}
