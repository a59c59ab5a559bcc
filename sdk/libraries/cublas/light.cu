// cublasLt: products of matrices with layouts and epilogues, which descriptors describe.
#include <cublasLt.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include "cublas/light_epilogues.h"
#include "cublas/narrow_product.h"

namespace heddle::blas {
namespace {

// What the opaque descriptors hold.
struct Description {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  int32_t pointer_mode, transa, transb, transc, fill;
  uint32_t epilogue;
  const void* bias;
  int64_t bias_stride;
  void* aux;
  int64_t aux_ld, aux_stride;
  int32_t bias_type, aux_type;  // -1: D's
  int32_t sm_count;
  int8_t fast_sums;
  const float *a_scale, *b_scale, *c_scale, *d_scale;  // of 8-bit floating-point matrices
  float* amax;
  int32_t scale_modes[4];  // A, B, C, D
};
struct Layout {
  uint32_t type;
  int32_t order;
  uint64_t rows, columns;
  int64_t ld;
  int32_t count;
  int64_t stride;
};
struct Preference {
  uint32_t search, reductions;
  uint64_t workspace;
  uint32_t alignments[4];
  float waves;
  uint64_t implementations;
};
static_assert(sizeof(Description) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(Preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));

struct Field {
  void* data = nullptr;
  size_t bytes = 0;
};
template <class T>
Field field(T& value) {
  return {&value, sizeof value};
}
Field field_of(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t attribute) {
  auto& d = *reinterpret_cast<Description*>(product);
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return field(d.compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return field(d.scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return field(d.pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA: return field(d.transa);
    case CUBLASLT_MATMUL_DESC_TRANSB: return field(d.transb);
    case CUBLASLT_MATMUL_DESC_TRANSC: return field(d.transc);
    case CUBLASLT_MATMUL_DESC_FILL_MODE: return field(d.fill);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return field(d.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return field(d.bias);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: return field(d.bias_stride);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return field(d.aux);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return field(d.aux_ld);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: return field(d.aux_stride);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return field(d.bias_type);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return field(d.aux_type);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: return field(d.sm_count);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return field(d.fast_sums);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: return field(d.a_scale);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: return field(d.b_scale);
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: return field(d.c_scale);
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: return field(d.d_scale);
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: return field(d.amax);
    case CUBLASLT_MATMUL_DESC_A_SCALE_MODE: return field(d.scale_modes[0]);
    case CUBLASLT_MATMUL_DESC_B_SCALE_MODE: return field(d.scale_modes[1]);
    case CUBLASLT_MATMUL_DESC_C_SCALE_MODE: return field(d.scale_modes[2]);
    case CUBLASLT_MATMUL_DESC_D_SCALE_MODE: return field(d.scale_modes[3]);
    default: return {};
  }
}
Field field_of(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute) {
  auto& l = *reinterpret_cast<Layout*>(layout);
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return field(l.type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return field(l.order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return field(l.rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS: return field(l.columns);
    case CUBLASLT_MATRIX_LAYOUT_LD: return field(l.ld);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return field(l.count);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return field(l.stride);
    default: return {};
  }
}
Field field_of(cublasLtMatmulPreference_t preference,
               cublasLtMatmulPreferenceAttributes_t attribute) {
  auto& p = *reinterpret_cast<Preference*>(preference);
  switch (attribute) {
    case CUBLASLT_MATMUL_PREF_SEARCH_MODE: return field(p.search);
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES: return field(p.workspace);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK: return field(p.reductions);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES: return field(p.alignments[0]);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES: return field(p.alignments[1]);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES: return field(p.alignments[2]);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES: return field(p.alignments[3]);
    case CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT: return field(p.waves);
    case CUBLASLT_MATMUL_PREF_IMPL_MASK: return field(p.implementations);
    default: return {};
  }
}

// In memory of the caller.
template <class Opaque, class Content>
Status initialize(Opaque* opaque, const Content& content) {
  HEDDLE_NEED(opaque);
  *opaque = {};
  std::memcpy(opaque, &content, sizeof content);
  return CUBLAS_STATUS_SUCCESS;
}
template <class Opaque, class Content>
Status make(Opaque** made, const Content& content) {
  HEDDLE_NEED(made);
  *made = new (std::nothrow) Opaque{};
  return *made ? initialize(*made, content) : CUBLAS_STATUS_ALLOC_FAILED;
}
template <class Opaque>
Status remove(Opaque* opaque) {
  delete opaque;
  return CUBLAS_STATUS_SUCCESS;
}
template <class Opaque, class Attribute>
Status set_attribute(Opaque* opaque, Attribute attribute, const void* value, size_t bytes) {
  HEDDLE_NEED(opaque && value);
  const Field f = field_of(opaque, attribute);
  if (!f.data) report_lack("cublasLtMatmulDescSetAttribute", "this attribute");
  HEDDLE_NEED(f.data && f.bytes == bytes);
  std::memcpy(f.data, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
template <class Opaque, class Attribute>
Status get_attribute(Opaque* opaque, Attribute attribute, void* value, size_t bytes,
                     size_t* written) {
  HEDDLE_NEED(opaque && (bytes ? value != nullptr : written != nullptr));
  const Field f = field_of(opaque, attribute);
  HEDDLE_NEED(f.data && (bytes == 0 || bytes == f.bytes));
  if (written) *written = f.bytes;
  if (bytes) std::memcpy(value, f.data, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

Description description(cublasComputeType_t compute, cudaDataType_t scale) {
  Description d{};
  d.compute = compute;
  d.scale = scale;
  d.fill = CUBLAS_FILL_MODE_FULL;
  d.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  d.bias_type = d.aux_type = -1;
  return d;
}
Status matmul_desc_init(cublasLtMatmulDesc_t product, cublasComputeType_t compute,
                        cudaDataType_t scale) {
  return initialize(product, description(compute, scale));
}
Status matmul_desc_create(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                          cudaDataType_t scale) {
  return make(made, description(compute, scale));
}
Status matmul_desc_destroy(cublasLtMatmulDesc_t product) { return remove(product); }
Status matmul_desc_set_attribute(cublasLtMatmulDesc_t product,
                                 cublasLtMatmulDescAttributes_t attribute, const void* value,
                                 size_t bytes) {
  return set_attribute(product, attribute, value, bytes);
}
Status matmul_desc_get_attribute(cublasLtMatmulDesc_t product,
                                 cublasLtMatmulDescAttributes_t attribute, void* value,
                                 size_t bytes, size_t* written) {
  return get_attribute(product, attribute, value, bytes, written);
}
Layout column_layout(cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  return {static_cast<uint32_t>(type), CUBLASLT_ORDER_COL, rows, columns, ld, 1, 0};
}
Status matrix_layout_init(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows,
                          uint64_t columns, int64_t ld) {
  return initialize(layout, column_layout(type, rows, columns, ld));
}
Status matrix_layout_create(cublasLtMatrixLayout_t* made, cudaDataType type, uint64_t rows,
                            uint64_t columns, int64_t ld) {
  return make(made, column_layout(type, rows, columns, ld));
}
Status matrix_layout_destroy(cublasLtMatrixLayout_t layout) { return remove(layout); }
Status matrix_layout_set_attribute(cublasLtMatrixLayout_t layout,
                                   cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                   size_t bytes) {
  return set_attribute(layout, attribute, value, bytes);
}
Status matrix_layout_get_attribute(cublasLtMatrixLayout_t layout,
                                   cublasLtMatrixLayoutAttribute_t attribute, void* value,
                                   size_t bytes, size_t* written) {
  return get_attribute(layout, attribute, value, bytes, written);
}
constexpr Preference kAnything{0,    CUBLASLT_REDUCTION_SCHEME_MASK, 0, {256, 256, 256, 256}, 0,
                               ~0ull};
Status matmul_preference_init(cublasLtMatmulPreference_t preference) {
  return initialize(preference, kAnything);
}
Status matmul_preference_create(cublasLtMatmulPreference_t* made) { return make(made, kAnything); }
Status matmul_preference_destroy(cublasLtMatmulPreference_t preference) {
  return remove(preference);
}
Status matmul_preference_set_attribute(cublasLtMatmulPreference_t preference,
                                       cublasLtMatmulPreferenceAttributes_t attribute,
                                       const void* value, size_t bytes) {
  return set_attribute(preference, attribute, value, bytes);
}
Status matmul_preference_get_attribute(cublasLtMatmulPreference_t preference,
                                       cublasLtMatmulPreferenceAttributes_t attribute, void* value,
                                       size_t bytes, size_t* written) {
  return get_attribute(preference, attribute, value, bytes, written);
}

// One product, checked. Pointers are null when only its support is asked for.
struct Call {
  Description product;
  Layout a, b, c, d;
  const void *alpha, *a_data, *b_data, *beta, *c_data;
  void* d_data;
  cudaStream_t stream;
  bool runs;
};

template <class T>
Batched<const T*> batches(const void* data, const Layout& layout) {
  return {static_cast<const T*>(data), nullptr, layout.count > 1 ? layout.stride : 0};
}
// Strides of the rows and columns of op(A).
void set_strides(const Layout& layout, bool transposed, int64_t& row, int64_t& column) {
  const bool down = (layout.order == CUBLASLT_ORDER_COL) != transposed;
  row = down ? 1 : layout.ld;
  column = down ? layout.ld : 1;
}
template <class Sum>
Factor<Sum> factor(const Call& call, const void* value, bool is_half) {
  if (call.product.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE) return {value, is_half, Sum{}};
  if constexpr (std::is_same_v<Sum, float>)
    if (is_half) return {nullptr, true, __half2float(*static_cast<const __half*>(value))};
  return {nullptr, false, *static_cast<const Sum*>(value)};
}

constexpr uint32_t kAuxBit = 128;  // of epilogues with an auxiliary matrix
// False when the epilogue does not exist.
bool set_epilogue(const Call& call, Epilogue& e, Beside& beside) {
  using Function = Epilogue::Function;
  const Description& d = call.product;
  bool bias = false, aux = false;
  switch (d.epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT: break;
    case CUBLASLT_EPILOGUE_BIAS: bias = true; break;
    case CUBLASLT_EPILOGUE_RELU: e.function = Function::relu; break;
    case CUBLASLT_EPILOGUE_RELU_BIAS: e.function = Function::relu, bias = true; break;
    case CUBLASLT_EPILOGUE_GELU: e.function = Function::gelu; break;
    case CUBLASLT_EPILOGUE_GELU_BIAS: e.function = Function::gelu, bias = true; break;
    case CUBLASLT_EPILOGUE_GELU_AUX: e.function = Function::gelu, aux = true; break;
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS: e.function = Function::gelu, bias = aux = true; break;
    case CUBLASLT_EPILOGUE_RELU_AUX: e.function = Function::relu; break;
    case CUBLASLT_EPILOGUE_RELU_AUX_BIAS: e.function = Function::relu, bias = true; break;
    case CUBLASLT_EPILOGUE_DRELU: break;
    case CUBLASLT_EPILOGUE_DRELU_BGRAD: beside.sums_d = true; break;
    case CUBLASLT_EPILOGUE_DGELU: e.function = Function::gelu_gradient, aux = true; break;
    case CUBLASLT_EPILOGUE_DGELU_BGRAD:
      e.function = Function::gelu_gradient, aux = beside.sums_d = true;
      break;
    case CUBLASLT_EPILOGUE_BGRADA: beside.sums_a = true; break;
    case CUBLASLT_EPILOGUE_BGRADB: beside.sums_b = true; break;
    default: return false;
  }
  if (d.epilogue & kAuxBit && !aux)
    beside.mask = e.function == Function::relu ? Beside::Mask::written : Beside::Mask::applied;
  const int32_t type = static_cast<int32_t>(call.d.type);
  if ((bias || beside.sums()) && d.bias_type != -1 && d.bias_type != type) return false;
  if (aux && d.aux_type != -1 && d.aux_type != type) return false;
  if (bias) e.bias = d.bias, e.bias_stride = d.bias_stride;
  if (aux) e.aux = d.aux, e.aux_ld = d.aux_ld, e.aux_stride = d.aux_stride;
  return d.epilogue == CUBLASLT_EPILOGUE_DEFAULT || call.d.order == CUBLASLT_ORDER_COL;
}

template <class In, class Sum, class Out>
Status run(const cublasContext& h, const Call& call, bool half_factors, bool rounds_to_tf32) {
  Product<In, Sum, Out> p{};
  Beside beside;
  if (!set_epilogue(call, p.epilogue, beside)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if constexpr (kComplex<Sum> || std::is_integral_v<Sum>)
    if (call.product.epilogue != CUBLASLT_EPILOGUE_DEFAULT) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!call.runs) return CUBLAS_STATUS_SUCCESS;
  const Description& d = call.product;
  HEDDLE_NEED(call.alpha && call.beta && call.d_data);
  HEDDLE_NEED(((d.epilogue & CUBLASLT_EPILOGUE_BIAS) == 0 && !beside.sums()) || d.bias);
  HEDDLE_NEED((d.epilogue & kAuxBit) == 0 || d.aux);
  HEDDLE_NEED(beside.mask == Beside::Mask::none ||
              (d.aux_ld % 128 == 0 && holds(d.aux_ld, static_cast<int64_t>(call.d.rows))));
  p.alpha = factor<Sum>(call, call.alpha, half_factors);
  p.beta = factor<Sum>(call, call.beta, half_factors);
  const bool needs_c = p.beta.pointer || !is_zero(p.beta.value);
  HEDDLE_NEED(call.a_data && call.b_data && (!needs_c || call.c_data));
  // A result in rows is the transposed product in columns.
  const bool rows = call.d.order == CUBLASLT_ORDER_ROW;
  const bool transposes_a = d.transa != CUBLAS_OP_N, transposes_b = d.transb != CUBLAS_OP_N;
  p.m = rows ? call.d.columns : call.d.rows;
  p.n = rows ? call.d.rows : call.d.columns;
  p.k = transposes_a ? call.a.rows : call.a.columns;
  if (!p.alpha.pointer && is_zero(p.alpha.value)) p.k = 0;
  p.a = batches<In>(rows ? call.b_data : call.a_data, rows ? call.b : call.a);
  p.b = batches<In>(rows ? call.a_data : call.b_data, rows ? call.a : call.b);
  set_strides(rows ? call.b : call.a, rows != (rows ? transposes_b : transposes_a), p.a_row,
              p.a_column);
  set_strides(rows ? call.a : call.b, rows != (rows ? transposes_a : transposes_b), p.b_row,
              p.b_column);
  p.a_conjugated = (rows ? d.transb : d.transa) == CUBLAS_OP_C;
  p.b_conjugated = (rows ? d.transa : d.transb) == CUBLAS_OP_C;
  p.c = batches<Out>(call.c_data, call.c);
  p.ldc = call.c.ld;
  p.d = {static_cast<Out*>(call.d_data), nullptr, call.d.count > 1 ? call.d.stride : 0};
  p.ldd = call.d.ld;
  p.part = Part::all;
  cublasContext on_stream = h;
  on_stream.stream = call.stream;
  on_stream.math = CUBLAS_DEFAULT_MATH;
  const int64_t count = call.d.count;
  bool is_launched = false;
  if constexpr (!kComplex<Sum> && !std::is_same_v<Sum, double>)
    is_launched = p.k > 0 && launch_matrix(on_stream, p, count, rounds_to_tf32);
  Status status = is_launched ? launched() : launch_simt(on_stream, p, count);
  if constexpr (!kComplex<Sum> && !std::is_integral_v<Sum>)
    if (status == CUBLAS_STATUS_SUCCESS)
      status = write_beside(on_stream, p, beside,
                            static_cast<int64_t>(transposes_a ? call.a.rows : call.a.columns),
                            count, {static_cast<uint8_t*>(d.aux), d.aux_ld, d.aux_stride},
                            const_cast<void*>(d.bias), d.bias_stride);
  return status;
}

bool is_narrow(uint32_t type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
bool stored_type(uint32_t type, Stored& stored) {
  switch (type) {
    case CUDA_R_32F: stored = Stored::single; return true;
    case CUDA_R_16F: stored = Stored::half; return true;
    case CUDA_R_16BF: stored = Stored::bfloat16; return true;
    case CUDA_R_8F_E4M3: stored = Stored::e4m3; return true;
    case CUDA_R_8F_E5M2: stored = Stored::e5m2; return true;
    default: return false;
  }
}
int64_t bytes_of(Stored type) { return type == Stored::single ? 4 : type >= Stored::e4m3 ? 1 : 2; }

// The combinations of types in the table of cublasLtMatmul: one of A and B is e4m3; C is wide; D is
// of C's type or, where C has 16 bits, narrow, and then e5m2 only if A or B is. The bias has 16
// bits.
bool set_narrow_types(const Call& call, NarrowProduct& p) {
  if (!is_narrow(call.a.type) || !is_narrow(call.b.type) || !stored_type(call.c.type, p.c_type) ||
      !stored_type(call.d.type, p.d_type))
    return false;
  const bool some_e5m2 = call.a.type == CUDA_R_8F_E5M2 || call.b.type == CUDA_R_8F_E5M2;
  const int32_t bias_type = p.c_type == Stored::half ? CUDA_R_16F : CUDA_R_16BF;
  stored_type(bias_type, p.bias_type);
  return (call.a.type == CUDA_R_8F_E4M3 || call.b.type == CUDA_R_8F_E4M3) &&
         !is_narrow(call.c.type) &&
         (call.d.type == call.c.type || (is_narrow(call.d.type) && p.c_type != Stored::single &&
                                         (some_e5m2 || p.d_type == Stored::e4m3))) &&
         (call.product.bias_type == -1 || call.product.bias_type == bias_type);
}
bool set_narrow_epilogue(const Call& call, NarrowProduct& p) {
  using Function = Epilogue::Function;
  const uint32_t epilogue = call.product.epilogue;
  switch (epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_BIAS: p.function = Function::none; break;
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_RELU_BIAS: p.function = Function::relu; break;
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS: p.function = Function::gelu; break;
    default: return false;
  }
  if (epilogue & CUBLASLT_EPILOGUE_BIAS) p.bias = call.product.bias;
  p.bias_stride = call.product.bias_stride;
  return true;
}

// D = scaleD epilogue(alpha scaleA scaleB op(A) op(B) + beta C), as NVIDIA has it: A transposed, B
// not, pointers and lines aligned to 16 bytes.
Status run_narrow(const cublasContext& h, const Call& call) {
  constexpr int64_t kAligned = 16, kMostBatches = 65535;
  const Description& d = call.product;
  NarrowProduct p{};
  const bool scalar =
      std::all_of(std::begin(d.scale_modes), std::end(d.scale_modes),
                  [](auto mode) { return mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F; });
  if (h.capability < 89 || !set_narrow_types(call, p) || !set_narrow_epilogue(call, p) || !scalar ||
      (d.compute != CUBLAS_COMPUTE_32F && d.compute != CUBLAS_COMPUTE_32F_PEDANTIC) ||
      d.scale != CUDA_R_32F || d.transa != CUBLAS_OP_T || d.transb != CUBLAS_OP_N ||
      call.d.count > kMostBatches)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  for (const Layout* l : {&call.a, &call.b, &call.c, &call.d}) {
    Stored type{};
    stored_type(l->type, type);
    if (l->order != CUBLASLT_ORDER_COL || l->rows * bytes_of(type) % kAligned ||
        l->ld * bytes_of(type) % kAligned ||
        (l->count > 1 && l->stride * bytes_of(type) % kAligned))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  p.m = call.d.rows, p.n = call.d.columns, p.k = call.a.rows;
  if (p.m % kAligned) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!call.runs) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(call.alpha && call.beta && call.d_data && call.a_data && call.b_data);
  HEDDLE_NEED((d.epilogue & CUBLASLT_EPILOGUE_BIAS) == 0 || d.bias);
  p.alpha = factor<float>(call, call.alpha, false);
  p.beta = factor<float>(call, call.beta, false);
  HEDDLE_NEED((!p.beta.pointer && p.beta.value == 0) || call.c_data);
  for (const void* data :
       {call.a_data, call.b_data, call.c_data, static_cast<const void*>(call.d_data)})
    if (reinterpret_cast<uintptr_t>(data) % kAligned) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto stride = [](const Layout& l) { return l.count > 1 ? l.stride : 0; };
  p.a = static_cast<const uint8_t*>(call.a_data), p.b = static_cast<const uint8_t*>(call.b_data);
  p.lda = call.a.ld, p.ldb = call.b.ld, p.a_stride = stride(call.a), p.b_stride = stride(call.b);
  p.c = call.c_data, p.ldc = call.c.ld, p.c_stride = stride(call.c);
  p.d = call.d_data, p.ldd = call.d.ld, p.d_stride = stride(call.d);
  p.a_scale = d.a_scale, p.b_scale = d.b_scale;
  if (is_narrow(call.d.type)) p.d_scale = d.d_scale;
  p.amax = d.amax;
  cublasContext on_stream = h;
  on_stream.stream = call.stream;
  return launch_narrow(on_stream, p, static_cast<cudaDataType>(call.a.type),
                       static_cast<cudaDataType>(call.b.type), call.d.count);
}

bool is_layout(const Layout& l) {
  const uint64_t length = l.order == CUBLASLT_ORDER_COL ? l.rows : l.columns;
  return l.count >= 1 && holds(l.ld, static_cast<int64_t>(length));
}
Status find_and_run(cublasLtHandle_t handle, const Call& call) {
  HEDDLE_NEED_HANDLE(handle);
  const auto& h = *reinterpret_cast<const cublasContext*>(handle);
  const Description& p = call.product;
  const auto known = [](const Layout& l) {
    return l.order == CUBLASLT_ORDER_COL || l.order == CUBLASLT_ORDER_ROW;
  };
  const bool narrow = is_narrow(call.a.type) || is_narrow(call.b.type);
  if (!known(call.a) || !known(call.b) || !known(call.c) || call.c.order != call.d.order ||
      (!narrow && (call.a.type != call.b.type || call.c.type != call.d.type)) ||
      p.transc != CUBLAS_OP_N || p.fill != CUBLAS_FILL_MODE_FULL ||
      p.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool transposes_a = p.transa != CUBLAS_OP_N, transposes_b = p.transb != CUBLAS_OP_N;
  HEDDLE_NEED(is_layout(call.a) && is_layout(call.b) && is_layout(call.c) && is_layout(call.d));
  HEDDLE_NEED((transposes_a ? call.a.columns : call.a.rows) == call.d.rows &&
              (transposes_b ? call.b.rows : call.b.columns) == call.d.columns &&
              (transposes_a ? call.a.rows : call.a.columns) ==
                  (transposes_b ? call.b.columns : call.b.rows) &&
              call.c.rows == call.d.rows && call.c.columns == call.d.columns);
  HEDDLE_NEED(call.a.count == call.d.count && call.b.count == call.d.count &&
              call.c.count == call.d.count);
  if (call.d.rows == 0 || call.d.columns == 0) return CUBLAS_STATUS_SUCCESS;
  if (narrow) return run_narrow(h, call);
  const cublasComputeType_t compute = p.compute;
  const bool is_16f = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  const bool is_32i = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
  const bool is_64f = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool is_32f = !is_16f && !is_32i && !is_64f;
  const bool fast =
      is_32f && compute != CUBLAS_COMPUTE_32F && compute != CUBLAS_COMPUTE_32F_PEDANTIC;
#define HEDDLE_TYPED(condition, scale_type, in_type, out_type, In, Sum, Out)                     \
  if ((condition) && p.scale == scale_type && call.a.type == in_type && call.d.type == out_type) \
    return run<In, Sum, Out>(h, call, is_16f, fast);
  HEDDLE_TYPED(is_16f, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, __half, float, __half)
  HEDDLE_TYPED(is_32f, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, __half, float, __half)
  HEDDLE_TYPED(is_32f, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, __half, float, float)
  HEDDLE_TYPED(is_32f, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, __nv_bfloat16, float, __nv_bfloat16)
  HEDDLE_TYPED(is_32f, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, __nv_bfloat16, float, float)
  HEDDLE_TYPED(is_32f, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F, int8_t, float, float)
  HEDDLE_TYPED(is_32i, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I, int8_t, int, int)
  HEDDLE_TYPED(is_32f, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, float, float, float)
  HEDDLE_TYPED(is_64f, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, double, double, double)
  HEDDLE_TYPED(is_32f, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, float2, float2, float2)
  HEDDLE_TYPED(is_64f, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, double2, double2, double2)
#undef HEDDLE_TYPED
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
Status perform(cublasLtHandle_t handle, const Call& call) {
  const Status status = find_and_run(handle, call);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED)
    report_lack("cublasLtMatmul", "products of these types, orders and epilogues");
  return status;
}

template <class Content, class Opaque>
const Content& content(const Opaque* opaque) {
  return *reinterpret_cast<const Content*>(opaque);
}
Status matmul(cublasLtHandle_t h, cublasLtMatmulDesc_t product, const void* alpha, const void* a,
              cublasLtMatrixLayout_t layout_a, const void* b, cublasLtMatrixLayout_t layout_b,
              const void* beta, const void* c, cublasLtMatrixLayout_t layout_c, void* d,
              cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t*, void*, size_t,
              cudaStream_t stream) {
  HEDDLE_NEED(product && layout_a && layout_b && layout_c && layout_d);
  return perform(h, {content<Description>(product), content<Layout>(layout_a),
                     content<Layout>(layout_b), content<Layout>(layout_c),
                     content<Layout>(layout_d), alpha, a, b, beta, c, d, stream, true});
}
Status matmul_algo_get_heuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t product,
                                 cublasLtMatrixLayout_t layout_a, cublasLtMatrixLayout_t layout_b,
                                 cublasLtMatrixLayout_t layout_c, cublasLtMatrixLayout_t layout_d,
                                 cublasLtMatmulPreference_t preference, int requested,
                                 cublasLtMatmulHeuristicResult_t results[], int* returned) {
  HEDDLE_NEED(product && layout_a && layout_b && layout_c && layout_d && preference);
  HEDDLE_NEED(requested > 0 && results && returned);
  *returned = 0;
  const Status status =
      perform(h, {content<Description>(product), content<Layout>(layout_a),
                  content<Layout>(layout_b), content<Layout>(layout_c), content<Layout>(layout_d),
                  nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, false});
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

// A handle of cuBLAS is one of cublasLt.
Status create(cublasLtHandle_t* h) {
  HEDDLE_NEED(h);
  cublasHandle_t made = nullptr;
  const Status status = cublasCreate(&made);
  *h = reinterpret_cast<cublasLtHandle_t>(made);
  return status;
}
Status destroy(cublasLtHandle_t h) { return cublasDestroy(reinterpret_cast<cublasHandle_t>(h)); }
const char* get_status_name(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* get_status_string(cublasStatus_t status) { return cublasGetStatusString(status); }
size_t get_version() { return CUBLAS_VERSION; }
size_t get_cudart_version() { return CUDART_VERSION; }

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_light_calls.inc"
