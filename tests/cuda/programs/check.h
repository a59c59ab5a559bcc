// What programs check. `EXPECT` and `check` count what does not hold and print it, `CHECK` also
// ends the function with 1; `return report();` ends the program.
#pragma once

#include <cstdio>

static int mistakes = 0;

#define EXPECT(condition) \
  ((condition) ? void() : (void)(++mistakes, std::printf("line %d: %s\n", __LINE__, #condition)))
#define CHECK(condition)                                     \
  if (!(condition)) {                                        \
    std::printf("FAIL line %d: %s\n", __LINE__, #condition); \
    return 1;                                                \
  }
// Calls of the runtime or the driver.
#define OK(call) EXPECT(static_cast<int>(call) == 0)
#define DONE(call) CHECK(static_cast<int>(call) == 0)

inline void check(bool right, const char* what) {
  if (!right) ++mistakes, std::printf("FAIL: %s\n", what);
}
inline int report() {
  std::puts(mistakes ? "FAIL" : "PASS");
  return mistakes != 0;
}
