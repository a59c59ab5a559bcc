// CUDA's Bessel functions are not among Heddle's device mathematics: a call in device code is an error at its line. clang's own
// header defines them under names that nobody calls.
#if !defined(HEDDLE_HIDES_ABSENT_MATH)
#define HEDDLE_HIDES_ABSENT_MATH
#define j0 __heddle_absent_j0
#define j0f __heddle_absent_j0f
#define j1 __heddle_absent_j1
#define j1f __heddle_absent_j1f
#define jn __heddle_absent_jn
#define jnf __heddle_absent_jnf
#define y0 __heddle_absent_y0
#define y0f __heddle_absent_y0f
#define y1 __heddle_absent_y1
#define y1f __heddle_absent_y1f
#define yn __heddle_absent_yn
#define ynf __heddle_absent_ynf
#define cyl_bessel_i0 __heddle_absent_cyl_bessel_i0
#define cyl_bessel_i0f __heddle_absent_cyl_bessel_i0f
#define cyl_bessel_i1 __heddle_absent_cyl_bessel_i1
#define cyl_bessel_i1f __heddle_absent_cyl_bessel_i1f
#else
#undef j0
#undef j0f
#undef j1
#undef j1f
#undef jn
#undef jnf
#undef y0
#undef y0f
#undef y1
#undef y1f
#undef yn
#undef ynf
#undef cyl_bessel_i0
#undef cyl_bessel_i0f
#undef cyl_bessel_i1
#undef cyl_bessel_i1f
#define HEDDLE_ABSENT(declaration) \
  __device__ declaration __attribute__((unavailable("Heddle's device mathematics has no Bessel functions")));
HEDDLE_ABSENT(double j0(double))
HEDDLE_ABSENT(float j0f(float))
HEDDLE_ABSENT(double j1(double))
HEDDLE_ABSENT(float j1f(float))
HEDDLE_ABSENT(double jn(int, double))
HEDDLE_ABSENT(float jnf(int, float))
HEDDLE_ABSENT(double y0(double))
HEDDLE_ABSENT(float y0f(float))
HEDDLE_ABSENT(double y1(double))
HEDDLE_ABSENT(float y1f(float))
HEDDLE_ABSENT(double yn(int, double))
HEDDLE_ABSENT(float ynf(int, float))
HEDDLE_ABSENT(double cyl_bessel_i0(double))
HEDDLE_ABSENT(float cyl_bessel_i0f(float))
HEDDLE_ABSENT(double cyl_bessel_i1(double))
HEDDLE_ABSENT(float cyl_bessel_i1f(float))
#undef HEDDLE_ABSENT
#undef HEDDLE_HIDES_ABSENT_MATH
#endif
