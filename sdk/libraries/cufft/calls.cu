// Handles of plans and the calls about them.
#include <cufftXt.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "cufft/plan.h"

namespace heddle::fft {
namespace {

std::mutex mutex;
std::map<cufftHandle, std::unique_ptr<Plan>>& plans() {
  static std::map<cufftHandle, std::unique_ptr<Plan>> all;
  return all;
}
Plan* find(cufftHandle handle) {
  const std::lock_guard lock(mutex);
  const auto found = plans().find(handle);
  return found == plans().end() ? nullptr : found->second.get();
}
template <class Work>
cufftResult with_plan(cufftHandle handle, Work work) {
  Plan* const plan = find(handle);
  return plan ? work(*plan) : CUFFT_INVALID_PLAN;
}

cufftResult create(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  const std::lock_guard lock(mutex);
  cufftHandle next = 1;
  while (plans().contains(next)) ++next;
  plans().emplace(next, new Plan);
  *handle = next;
  return CUFFT_SUCCESS;
}
cufftResult destroy(cufftHandle handle) {
  const std::lock_guard lock(mutex);
  return plans().erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult make(cufftHandle handle, const Shape& shape, cufftType type, size_t* work) {
  return with_plan(handle, [&](Plan& plan) {
    if (plan.is_made) return CUFFT_INVALID_PLAN;
    if (const cufftResult result = set_shape(plan, shape, type)) return result;
    if (work) *work = plan.work_bytes;
    return allocate(plan);
  });
}
cufftResult estimate(const Shape& shape, cufftType type, size_t* work) {
  if (!work) return CUFFT_INVALID_VALUE;
  Plan plan;
  const cufftResult result = set_shape(plan, shape, type);
  *work = plan.work_bytes;
  return result;
}
cufftResult create_made(cufftHandle* handle, const Shape& shape, cufftType type) {
  if (const cufftResult result = create(handle)) return result;
  const cufftResult result = make(*handle, shape, type, nullptr);
  if (result) destroy(*handle);
  return result;
}

// Shapes of the calls' parameters.
struct Basic : Shape {
  int64_t values[3];
  Basic(int rank, int64_t x, int64_t y, int64_t z, int64_t batch)
      : Shape{rank, values, nullptr, nullptr, 1, 1, 1, 1, batch}, values{x, y, z} {}
};
template <class Int>
struct Advanced : Shape {
  std::vector<int64_t> values[3];
  Advanced(int rank, const Int* n, const Int* in_embed, Int in_stride, Int in_distance,
           const Int* out_embed, Int out_stride, Int out_distance, Int batch)
      : Shape{rank,        nullptr,    nullptr,      nullptr, in_stride,
              in_distance, out_stride, out_distance, batch} {
    sizes = kept(0, n);
    this->in_embed = kept(1, in_embed);
    this->out_embed = kept(2, out_embed);
  }
  const int64_t* kept(int which, const Int* from) {
    if (!from || rank < 1 || rank > 3) return nullptr;
    values[which].assign(from, from + rank);
    return values[which].data();
  }
};

cufftResult plan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
  return create_made(handle, Basic(1, nx, 1, 1, batch), type);
}
cufftResult plan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
  return create_made(handle, Basic(2, nx, ny, 1, 1), type);
}
cufftResult plan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
  return create_made(handle, Basic(3, nx, ny, nz, 1), type);
}
cufftResult plan_many(cufftHandle* handle, int rank, int* n, int* in_embed, int in_stride,
                      int in_distance, int* out_embed, int out_stride, int out_distance,
                      cufftType type, int batch) {
  return create_made(handle,
                     Advanced<int>(rank, n, in_embed, in_stride, in_distance, out_embed, out_stride,
                                   out_distance, batch),
                     type);
}
cufftResult make_plan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* work) {
  return make(handle, Basic(1, nx, 1, 1, batch), type, work);
}
cufftResult make_plan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* work) {
  return make(handle, Basic(2, nx, ny, 1, 1), type, work);
}
cufftResult make_plan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t* work) {
  return make(handle, Basic(3, nx, ny, nz, 1), type, work);
}
cufftResult make_plan_many(cufftHandle handle, int rank, int* n, int* in_embed, int in_stride,
                           int in_distance, int* out_embed, int out_stride, int out_distance,
                           cufftType type, int batch, size_t* work) {
  return make(handle,
              Advanced<int>(rank, n, in_embed, in_stride, in_distance, out_embed, out_stride,
                            out_distance, batch),
              type, work);
}
cufftResult make_plan_many64(cufftHandle handle, int rank, long long* n, long long* in_embed,
                             long long in_stride, long long in_distance, long long* out_embed,
                             long long out_stride, long long out_distance, cufftType type,
                             long long batch, size_t* work) {
  return make(handle,
              Advanced<long long>(rank, n, in_embed, in_stride, in_distance, out_embed, out_stride,
                                  out_distance, batch),
              type, work);
}
cufftResult estimate1d(int nx, cufftType type, int batch, size_t* work) {
  return estimate(Basic(1, nx, 1, 1, batch), type, work);
}
cufftResult estimate2d(int nx, int ny, cufftType type, size_t* work) {
  return estimate(Basic(2, nx, ny, 1, 1), type, work);
}
cufftResult estimate3d(int nx, int ny, int nz, cufftType type, size_t* work) {
  return estimate(Basic(3, nx, ny, nz, 1), type, work);
}
cufftResult estimate_many(int rank, int* n, int* in_embed, int in_stride, int in_distance,
                          int* out_embed, int out_stride, int out_distance, cufftType type,
                          int batch, size_t* work) {
  return estimate(Advanced<int>(rank, n, in_embed, in_stride, in_distance, out_embed, out_stride,
                                out_distance, batch),
                  type, work);
}
cufftResult get_size1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* work) {
  return with_plan(handle, [&](Plan&) { return estimate1d(nx, type, batch, work); });
}
cufftResult get_size2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* work) {
  return with_plan(handle, [&](Plan&) { return estimate2d(nx, ny, type, work); });
}
cufftResult get_size3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t* work) {
  return with_plan(handle, [&](Plan&) { return estimate3d(nx, ny, nz, type, work); });
}
cufftResult get_size_many(cufftHandle handle, int rank, int* n, int* in_embed, int in_stride,
                          int in_distance, int* out_embed, int out_stride, int out_distance,
                          cufftType type, int batch, size_t* work) {
  return with_plan(handle, [&](Plan&) {
    return estimate_many(rank, n, in_embed, in_stride, in_distance, out_embed, out_stride,
                         out_distance, type, batch, work);
  });
}
cufftResult get_size_many64(cufftHandle handle, int rank, long long* n, long long* in_embed,
                            long long in_stride, long long in_distance, long long* out_embed,
                            long long out_stride, long long out_distance, cufftType type,
                            long long batch, size_t* work) {
  return with_plan(handle, [&](Plan&) {
    return estimate(Advanced<long long>(rank, n, in_embed, in_stride, in_distance, out_embed,
                                        out_stride, out_distance, batch),
                    type, work);
  });
}
cufftResult get_size(cufftHandle handle, size_t* work) {
  return with_plan(handle, [&](Plan& plan) {
    if (!work) return CUFFT_INVALID_VALUE;
    *work = plan.work_bytes;
    return CUFFT_SUCCESS;
  });
}

cufftResult set_stream(cufftHandle handle, cudaStream_t stream) {
  return with_plan(handle, [&](Plan& plan) {
    plan.stream = stream;
    return CUFFT_SUCCESS;
  });
}
cufftResult set_auto_allocation(cufftHandle handle, int allocates) {
  return with_plan(handle, [&](Plan& plan) {
    if (plan.is_made) return CUFFT_INVALID_PLAN;
    plan.allocates = allocates != 0;
    return CUFFT_SUCCESS;
  });
}
cufftResult set_work_area(cufftHandle handle, void* work) {
  return with_plan(handle, [&](Plan& plan) {
    cudaFree(plan.own_work);
    plan.own_work = nullptr;
    plan.work = work;
    return CUFFT_SUCCESS;
  });
}

template <class C>
cufftResult exec(cufftHandle handle, cufftType type, void* in, void* out, int direction) {
  return with_plan(handle, [&](Plan& plan) {
    if (!plan.is_made) return CUFFT_INVALID_PLAN;
    if (plan.type != type) return CUFFT_INVALID_TYPE;
    if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
      return CUFFT_INVALID_VALUE;
    if (plan.work_bytes && !plan.work) return CUFFT_NO_WORKSPACE;
    return execute<C>(plan, in, out, direction == CUFFT_INVERSE);
  });
}
cufftResult exec_c2_c(cufftHandle handle, float2* in, float2* out, int direction) {
  return exec<float2>(handle, CUFFT_C2C, in, out, direction);
}
cufftResult exec_r2_c(cufftHandle handle, float* in, float2* out) {
  return exec<float2>(handle, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult exec_c2_r(cufftHandle handle, float2* in, float* out) {
  return exec<float2>(handle, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult exec_z2_z(cufftHandle handle, double2* in, double2* out, int direction) {
  return exec<double2>(handle, CUFFT_Z2Z, in, out, direction);
}
cufftResult exec_d2_z(cufftHandle handle, double* in, double2* out) {
  return exec<double2>(handle, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult exec_z2_d(cufftHandle handle, double2* in, double* out) {
  return exec<double2>(handle, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

// Plans by the types of elements.
cufftResult type_of(cudaDataType in, cudaDataType out, cudaDataType computed, cufftType* type) {
  constexpr struct {
    cudaDataType in, out, computed;
    cufftType type;
  } kTypes[] = {{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
                {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
                {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R},
                {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z},
                {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
  for (const auto& known : kTypes) {
    if (known.in != in || known.out != out || known.computed != computed) continue;
    *type = known.type;
    return CUFFT_SUCCESS;
  }
  std::fputs("heddle: cufftXtMakePlanMany: Heddle's cuFFT does not have these types\n", stderr);
  return CUFFT_NOT_SUPPORTED;
}
cufftResult make_plan_many(cufftHandle handle, int rank, long long* n, long long* in_embed,
                           long long in_stride, long long in_distance, cudaDataType in_type,
                           long long* out_embed, long long out_stride, long long out_distance,
                           cudaDataType out_type, long long batch, size_t* work,
                           cudaDataType computed_type) {
  cufftType type;
  if (const cufftResult result = type_of(in_type, out_type, computed_type, &type)) return result;
  return make_plan_many64(handle, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride,
                          out_distance, type, batch, work);
}
cufftResult get_size_many(cufftHandle handle, int rank, long long* n, long long* in_embed,
                          long long in_stride, long long in_distance, cudaDataType in_type,
                          long long* out_embed, long long out_stride, long long out_distance,
                          cudaDataType out_type, long long batch, size_t* work,
                          cudaDataType computed_type) {
  cufftType type;
  if (const cufftResult result = type_of(in_type, out_type, computed_type, &type)) return result;
  return get_size_many64(handle, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride,
                         out_distance, type, batch, work);
}
cufftResult exec(cufftHandle handle, void* in, void* out, int direction) {
  return with_plan(handle, [&](Plan& plan) {
    // Transforms of real numbers have one direction.
    if (is_from_real(plan.type)) direction = CUFFT_FORWARD;
    if (is_to_real(plan.type)) direction = CUFFT_INVERSE;
    return is_double(plan.type) ? exec<double2>(handle, plan.type, in, out, direction)
                                : exec<float2>(handle, plan.type, in, out, direction);
  });
}

cufftResult get_version(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult get_property(libraryPropertyType type, int* value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  constexpr int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = parts[type];
  return CUFFT_SUCCESS;
}

}  // namespace
}  // namespace heddle::fft

using namespace heddle::fft;
#include "libraries/cufft_calls.inc"
#include "libraries/cufft_xt_calls.inc"
