// cuFFT: transforms of all types, lengths and layouts against sums of the definition, and errors.
#include <cufft.h>
#include <cufftXt.h>

#include <algorithm>

#include "conformance.h"

#define OK(call) EXPECT((call) == CUFFT_SUCCESS)

// The transform of one line in place, by the definition.
void transform_line(Number* x, int n, int64_t stride, int direction) {
  std::vector<Number> root(n), sum(n);
  for (int k = 0; k < n; ++k) root[k] = std::polar(1.0, direction * 2 * M_PI * k / n);
  for (int k = 0; k < n; ++k)
    for (int64_t j = 0; j < n; ++j) sum[k] += x[j * stride] * root[j * k % n];
  for (int k = 0; k < n; ++k) x[k * stride] = sum[k];
}
struct Shape {
  int rank, n[3], batch;
  int elements() const { return (rank > 2 ? n[2] : 1) * (rank > 1 ? n[1] : 1) * n[0]; }
};
void transform(Number* x, const Shape& s, int direction) {
  int64_t stride = 1;
  for (int axis = s.rank - 1; axis >= 0; --axis) {
    for (int i = 0; i < s.elements(); ++i)
      if (i / stride % s.n[axis] == 0) transform_line(x + i, s.n[axis], stride, direction);
    stride *= s.n[axis];
  }
}
// Where the elements of a side are.
struct Layout {
  int embed[3], stride, distance;
};
int64_t place(const Layout& l, const Shape& s, int batch, int i) {
  int64_t at = 0, factor = 1;
  for (int axis = s.rank - 1; axis >= 0; --axis) {
    at += i % s.n[axis] * factor;
    i /= s.n[axis];
    factor *= l.embed[axis];
  }
  return batch * static_cast<int64_t>(l.distance) + at * l.stride;
}
// Part of the last axis that a side of real transforms stores.
int stored(const Shape& s, bool half) {
  const int last = s.n[s.rank - 1];
  return half ? last / 2 + 1 : last;
}
Layout make_layout(const Shape& s, int last, bool wide, int extra) {
  Layout l{{}, wide ? 2 : 1, 0};
  int64_t size = 1;
  for (int axis = 0; axis < s.rank; ++axis) {
    l.embed[axis] = (axis == s.rank - 1 ? last : s.n[axis]) + (wide ? extra : 0);
    size *= l.embed[axis];
  }
  l.distance = static_cast<int>(size * l.stride + (wide ? 3 : 0));
  return l;
}

template <class In>
constexpr cufftType type_of_complex = sizeof(In) == 8 ? CUFFT_C2C : CUFFT_Z2Z;

cufftResult exec(cufftHandle p, cuComplex* in, cuComplex* out, int direction) {
  return cufftExecC2C(p, in, out, direction);
}
cufftResult exec(cufftHandle p, cuDoubleComplex* in, cuDoubleComplex* out, int direction) {
  return cufftExecZ2Z(p, in, out, direction);
}
cufftResult exec(cufftHandle p, float* in, cuComplex* out, int) { return cufftExecR2C(p, in, out); }
cufftResult exec(cufftHandle p, double* in, cuDoubleComplex* out, int) {
  return cufftExecD2Z(p, in, out);
}
cufftResult exec(cufftHandle p, cuComplex* in, float* out, int) { return cufftExecC2R(p, in, out); }
cufftResult exec(cufftHandle p, cuDoubleComplex* in, double* out, int) {
  return cufftExecZ2D(p, in, out);
}
template <class In, class Out>
cufftType type_of() {
  constexpr bool is_double = sizeof(In) + sizeof(Out) >= 24;
  if (is_complex<In> && is_complex<Out>) return is_double ? CUFFT_Z2Z : CUFFT_C2C;
  if (is_complex<Out>) return is_double ? CUFFT_D2Z : CUFFT_R2C;
  return is_double ? CUFFT_Z2D : CUFFT_C2R;
}

// Real numbers of random complex ones whose transform is real, where it is needed.
template <class In, class Out>
void test(const Shape& s, int direction, bool advanced, bool in_place) {
  constexpr bool from_real = !is_complex<In>, to_real = !is_complex<Out>;
  const int last = s.n[s.rank - 1];
  const int in_last = stored(s, to_real), out_last = stored(s, from_real);
  Layout in = make_layout(s, from_real && in_place ? 2 * out_last : in_last, advanced, 2);
  Layout out = make_layout(s, to_real && in_place ? 2 * in_last : out_last, advanced, 1);
  if (advanced && in_place) out = in;
  Array<In> a(static_cast<size_t>(in.distance) * s.batch);
  // What is transformed, and its transform.
  const int n = s.elements();
  std::vector<Number> x(static_cast<size_t>(n) * s.batch);
  for (int b = 0; b < s.batch; ++b) {
    Number* const own = x.data() + static_cast<int64_t>(b) * n;
    if (to_real) {
      // The transform of random real numbers is what the library transforms back.
      for (int i = 0; i < n; ++i) own[i] = random_unit();
      transform(own, s, -1);
      for (int i = 0; i < n; ++i) {
        if (i % last >= in_last) continue;
        In& to = a.host[place(in, s, b, i)];
        if constexpr (is_complex<In>) {
          to.x = static_cast<decltype(to.x)>(own[i].real());
          to.y = static_cast<decltype(to.x)>(own[i].imag());
        }
      }
    } else {
      for (int i = 0; i < n; ++i) own[i] = a.at(place(in, s, b, i));
    }
    transform(own, s, direction);
  }
  a.put();
  Array<Out> separate(static_cast<size_t>(out.distance) * s.batch);
  cufftHandle plan;
  int sizes[3] = {s.n[0], s.n[1], s.n[2]};
  OK(cufftPlanMany(&plan, s.rank, sizes, advanced ? in.embed : nullptr, in.stride, in.distance,
                   advanced ? out.embed : nullptr, out.stride, out.distance, type_of<In, Out>(),
                   s.batch));
  Out* const to = in_place ? reinterpret_cast<Out*>(a.device) : separate.device;
  OK(exec(plan, a.device, to, direction));
  OK(cufftDestroy(plan));
  std::vector<Out> got(static_cast<size_t>(out.distance) * s.batch);
  if (in_place) got.resize(std::min(got.size(), a.host.size() * sizeof(In) / sizeof(Out)));
  cudaMemcpy(got.data(), to, got.size() * sizeof(Out), cudaMemcpyDeviceToHost);
  double error = 0, norm = 0;
  std::vector<bool> written(got.size());
  for (int b = 0; b < s.batch; ++b) {
    for (int i = 0; i < n; ++i) {
      if (i % last >= out_last) continue;
      const Number wanted = x[static_cast<int64_t>(b) * n + i];
      const int64_t at = place(out, s, b, i);
      error += std::norm(number(got[at]) - wanted);
      norm += std::norm(wanted);
      written[at] = true;
    }
  }
  const double allowed = sizeof(In) + sizeof(Out) >= 24 ? 1e-14 : 1e-6;
  if (!(std::sqrt(error / norm) < allowed)) {
    ++failures;
    std::printf("FAIL type %d, %d x %d x %d, batch %d, direction %d%s%s: error %g\n",
                type_of<In, Out>(), s.n[0], s.n[1], s.n[2], s.batch, direction,
                advanced ? ", advanced" : "", in_place ? ", in place" : "",
                std::sqrt(error / norm));
  }
  if (in_place) return;
  for (size_t i = 0; i < got.size(); ++i) {
    if (!written[i]) EXPECT(number(got[i]) == separate.at(i));
  }
}
template <class R, class C>
void test_types(const Shape& s, bool advanced, bool in_place) {
  test<C, C>(s, CUFFT_FORWARD, advanced, in_place);
  test<C, C>(s, CUFFT_INVERSE, advanced, in_place);
  if (advanced && in_place) return;
  test<R, C>(s, CUFFT_FORWARD, advanced, in_place);
  test<C, R>(s, CUFFT_INVERSE, advanced, in_place);
}
void test_shape(const Shape& s, bool advanced, bool in_place) {
  test_types<float, cuComplex>(s, advanced, in_place);
  test_types<double, cuDoubleComplex>(s, advanced, in_place);
}

// Signals whose transform is known, in lengths that need several passes.
template <class R, class C>
void test_long(int n) {
  Array<C> a(n), b(n);
  const int frequency = n / 3 + 1;
  for (int64_t i = 0; i < n; ++i) {
    const double angle = 2 * M_PI * (i * frequency % n) / n;
    a.host[i] = {static_cast<R>(std::cos(angle)), static_cast<R>(std::sin(angle))};
  }
  a.put();
  cufftHandle plan;
  OK(cufftPlan1d(&plan, n, type_of<C, C>(), 1));
  OK(exec(plan, a.device, b.device, CUFFT_FORWARD));
  OK(cufftDestroy(plan));
  const std::vector<C> got = b.get();
  double error = 0;
  for (int i = 0; i < n; ++i)
    error = std::max(error, std::abs(number(got[i]) - (i == frequency ? double(n) : 0.0)));
  EXPECT(error < n * (sizeof(R) == 4 ? 1e-6 : 1e-14));
}

void test_calls() {
  cufftHandle plan;
  int sizes[3] = {8, 8, 8}, none[3] = {8, 0, 8};
  size_t bytes = 1, estimated = 2;
  EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  EXPECT(cufftPlan1d(&plan, 8, cufftType(1), 1) == CUFFT_INVALID_TYPE);
  EXPECT(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  EXPECT(cufftPlanMany(&plan, 4, sizes, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1) ==
         CUFFT_INVALID_VALUE);
  EXPECT(cufftPlanMany(&plan, 3, none, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1) ==
         CUFFT_INVALID_SIZE);
  EXPECT(cufftExecC2C(1000, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  EXPECT(cufftDestroy(1000) == CUFFT_INVALID_PLAN);
  Array<cuComplex> a(3000);
  OK(cufftCreate(&plan));
  EXPECT(cufftExecC2C(plan, a.device, a.device, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  OK(cufftSetAutoAllocation(plan, 0));
  OK(cufftMakePlan1d(plan, 3000, CUFFT_C2C, 1, &bytes));
  OK(cufftEstimate1d(3000, CUFFT_C2C, 1, &estimated));
  EXPECT(bytes == estimated && bytes == 3000 * sizeof(cuComplex));
  EXPECT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes) == CUFFT_INVALID_PLAN);
  EXPECT(cufftExecC2C(plan, a.device, a.device, CUFFT_FORWARD) == CUFFT_NO_WORKSPACE);
  Array<cuComplex> work(3000);
  OK(cufftSetWorkArea(plan, work.device));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  OK(cufftSetStream(plan, stream));
  OK(cufftExecC2C(plan, a.device, a.device, CUFFT_FORWARD));
  OK(cufftExecC2C(plan, a.device, a.device, CUFFT_INVERSE));
  cudaStreamSynchronize(stream);
  std::vector<Number> wanted = numbers(a);
  for (Number& x : wanted) x *= 3000;
  compare("forward and back", __LINE__, a, wanted, 3000);
  EXPECT(cufftExecC2C(plan, a.device, a.device, 0) == CUFFT_INVALID_VALUE);
  EXPECT(cufftExecC2C(plan, nullptr, a.device, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  EXPECT(cufftExecR2C(plan, reinterpret_cast<float*>(a.device), a.device) == CUFFT_INVALID_TYPE);
  EXPECT(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_NOT_SUPPORTED);
  OK(cufftDestroy(plan));
  // By the types of elements: the same as the calls above.
  OK(cufftCreate(&plan));
  long long length = 3000;
  EXPECT(cufftXtMakePlanMany(plan, 1, &length, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F,
                             1, &bytes, CUDA_C_16F) == CUFFT_NOT_SUPPORTED);
  OK(cufftXtMakePlanMany(plan, 1, &length, nullptr, 1, 1, CUDA_R_32F, nullptr, 1, 1, CUDA_C_32F, 1,
                         &bytes, CUDA_C_32F));
  Array<float> real(3000);
  Array<cuComplex> half(1501), same(1501);
  OK(cufftXtExec(plan, real.device, half.device, CUFFT_FORWARD));
  OK(cufftExecR2C(plan, real.device, same.device));
  same.host = same.get();
  compare("cufftXtExec", __LINE__, half, numbers(same), 0, 0);
  OK(cufftDestroy(plan));
  int version = 0;
  OK(cufftGetVersion(&version));
  EXPECT(version == CUFFT_VERSION);
}

int main() {
  // Lengths of every radix, primes, and products with large primes.
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 30, 49, 96, 101, 128, 210, 243})
    test_shape({1, {n}, n < 20 ? 7 : 2}, false, false);
  for (int i = 0; i < 6; ++i) {
    const bool advanced = i % 2, in_place = i % 3 == 0;
    test_shape({1, {random_in(1, 60)}, random_in(1, 5)}, advanced, in_place);
    test_shape({2, {random_in(1, 24), random_in(1, 24)}, random_in(1, 3)}, advanced, in_place);
    test_shape({3, {random_in(1, 9), random_in(1, 9), random_in(1, 9)}, random_in(1, 3)}, advanced,
               in_place);
  }
  test_long<float, cuComplex>(4096);
  test_long<float, cuComplex>(10007);
  test_long<double, cuDoubleComplex>(2 * 3 * 5 * 7 * 11);
  test_long<double, cuDoubleComplex>(3000);
  test_calls();
  return verdict();
}
