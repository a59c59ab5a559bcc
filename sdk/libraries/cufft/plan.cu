#include "cufft/plan.h"

#include <cstdio>

namespace heddle::fft {
namespace {

Layout layout_of(const int64_t (&embed)[3], int64_t stride, int64_t distance) {
  return {distance, {stride * embed[2] * embed[1], stride * embed[2], stride}};
}
Layout packed_layout(const int (&sizes)[3], int64_t last) {
  return layout_of({sizes[0], sizes[1], last}, 1, sizes[0] * sizes[1] * last);
}
int half_of(const Plan& plan) { return plan.sizes[2] / 2 + 1; }

// Transforms axis `which` of an array of complex numbers whose last dimension has `last` elements.
template <class C>
void transform(Plan& plan, int which, int last, Lines in, const Layout& from, Lines out,
               const Layout& to, bool inverse, C* work) {
  const int sizes[3] = {plan.sizes[0], plan.sizes[1], last};
  const int a = which == 0 ? 1 : 0, b = which == 2 ? 1 : 2;
  in.strides = {{from.batch, from.dimensions[a], from.dimensions[b]}, from.dimensions[which]};
  out.strides = {{to.batch, to.dimensions[a], to.dimensions[b]}, to.dimensions[which]};
  transform_axis<C>(plan.axes[which], in, out, {plan.batch, sizes[a], sizes[b]}, inverse, work,
                    plan.stream);
}

// Elements of the array of complex numbers between the axes of a transform to real numbers.
int64_t between_axes(const Plan& plan) {
  if (!is_to_real(plan.type) || plan.sizes[0] * plan.sizes[1] == 1) return 0;
  return static_cast<int64_t>(plan.batch) * plan.sizes[0] * plan.sizes[1] * half_of(plan);
}

}  // namespace

Plan::~Plan() {
  for (Axis& axis : axes) free_tables(axis);
  cudaFree(own_work);
}

cufftResult set_shape(Plan& plan, const Shape& shape, cufftType type) {
  if (shape.rank < 1 || shape.rank > 3 || !shape.sizes) return CUFFT_INVALID_VALUE;
  if (type != CUFFT_C2C && type != CUFFT_Z2Z && !is_from_real(type) && !is_to_real(type))
    return CUFFT_INVALID_TYPE;
  if (shape.batch < 1 || shape.batch > INT32_MAX) return CUFFT_INVALID_SIZE;
  plan.type = type;
  plan.batch = static_cast<int>(shape.batch);
  plan.is_advanced = shape.in_embed && shape.out_embed;
  const int from = 3 - shape.rank;
  int64_t in_embed[3] = {1, 1, 1}, out_embed[3] = {1, 1, 1};
  const bool doubles = is_double(type);
  int64_t elements = shape.batch;
  for (int i = 0; i < shape.rank; ++i) {
    const int64_t n = shape.sizes[i];
    if (n < 1) return CUFFT_INVALID_SIZE;
    Axis& axis = plan.axes[from + i];
    axis.n = static_cast<int>(std::min<int64_t>(n, INT32_MAX));
    elements *= axis.n;
    if (n > largest_length(doubles) || !choose_factors(axis, doubles) || elements > INT32_MAX) {
      std::fprintf(stderr,
                   "heddle: cufftMakePlan: Heddle's cuFFT has no transform of length %lld\n",
                   static_cast<long long>(n));
      return CUFFT_INVALID_SIZE;
    }
    plan.sizes[from + i] = axis.n;
    if (plan.is_advanced) {
      in_embed[from + i] = shape.in_embed[i];
      out_embed[from + i] = shape.out_embed[i];
    }
  }
  if (plan.is_advanced) {
    plan.in = layout_of(in_embed, shape.in_stride, shape.in_distance);
    plan.out = layout_of(out_embed, shape.out_stride, shape.out_distance);
  }
  int64_t work = 0;
  for (const Axis& axis : plan.axes) {
    const int64_t lines = elements / axis.n;
    if (axis.n > 1) work = std::max(work, axis.work() * lines);
  }
  plan.work_bytes = (work + between_axes(plan)) * (doubles ? sizeof(double2) : sizeof(float2));
  return CUFFT_SUCCESS;
}

cufftResult allocate(Plan& plan) {
  for (Axis& axis : plan.axes) {
    if (!(is_double(plan.type) ? make_tables<double2>(axis) : make_tables<float2>(axis)))
      return CUFFT_ALLOC_FAILED;
  }
  if (plan.allocates && plan.work_bytes) {
    if (cudaMalloc(&plan.own_work, plan.work_bytes) != cudaSuccess) return CUFFT_ALLOC_FAILED;
    plan.work = plan.own_work;
  }
  plan.is_made = true;
  return CUFFT_SUCCESS;
}

template <class C>
cufftResult execute(Plan& plan, void* in, void* out, bool inverse) {
  const bool from_real = is_from_real(plan.type), to_real = is_to_real(plan.type);
  const int n = plan.sizes[2], half = half_of(plan), last = from_real || to_real ? half : n;
  Layout from = plan.in, to = plan.out;
  if (!plan.is_advanced) {
    // Real numbers in place have the pitch of the complex ones.
    const int real = in == out ? 2 * half : n;
    from = packed_layout(plan.sizes, from_real ? real : last);
    to = packed_layout(plan.sizes, to_real ? real : last);
  }
  auto* between = static_cast<C*>(plan.work);
  C* const work = between + between_axes(plan);
  const auto whole = [](void* data, int valid) { return Lines{data, Form::complex, {}, valid}; };
  if (!to_real) {
    const Lines first{in, from_real ? Form::real : Form::complex, {}, n};
    transform(plan, 2, last, first, from, whole(out, last), to, inverse, work);
    for (const int axis : {1, 0}) {
      const int size = plan.sizes[axis];
      if (size > 1)
        transform(plan, axis, last, whole(out, size), to, whole(out, size), to, inverse, work);
    }
  } else {
    const Layout packed = packed_layout(plan.sizes, half);
    for (const int axis : {0, 1}) {
      const int size = plan.sizes[axis];
      if (size == 1) continue;
      transform(plan, axis, half, whole(in, size), from, whole(between, size), packed, inverse,
                work);
      in = between;
      from = packed;
    }
    transform(plan, 2, half, Lines{in, Form::hermitian, {}, n}, from, Lines{out, Form::real, {}, n},
              to, inverse, work);
  }
  return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
template cufftResult execute<float2>(Plan&, void*, void*, bool);
template cufftResult execute<double2>(Plan&, void*, void*, bool);

}  // namespace heddle::fft
