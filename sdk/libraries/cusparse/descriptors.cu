// Handles, descriptors of vectors and matrices, texts.
#include <cstring>
#include <new>

#include "cusparse/handle.h"

namespace heddle::sparse {
namespace {

template <class T, class Made>
Status make(Made* made, const T& content) {
  HEDDLE_NEED(made);
  T* const copy = new (std::nothrow) T(content);
  if (!copy) return CUSPARSE_STATUS_ALLOC_FAILED;
  *made = copy;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
Status remove(T* descriptor) {
  HEDDLE_NEED(descriptor);
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class To, class From>
void give(To* to, From value) {
  if (to) *to = static_cast<To>(value);
}

Status create(cusparseHandle_t* h) {
  if (cudaFree(nullptr) != cudaSuccess) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return make(h, cusparseContext{});
}
Status destroy(cusparseHandle_t h) {
  HEDDLE_NEED_HANDLE(h);
  return remove(h);
}
Status get_version(cusparseHandle_t h, int* version) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(version);
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
Status get_property(libraryPropertyType type, int* value) {
  HEDDLE_NEED(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
  constexpr int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}
Status set_stream(cusparseHandle_t h, cudaStream_t stream) {
  HEDDLE_NEED_HANDLE(h);
  h->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
Status get_stream(cusparseHandle_t h, cudaStream_t* stream) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(stream);
  *stream = h->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
Status set_pointer_mode(cusparseHandle_t h, cusparsePointerMode_t mode) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE);
  h->pointer_mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
Status get_pointer_mode(cusparseHandle_t h, cusparsePointerMode_t* mode) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(mode);
  *mode = h->pointer_mode;
  return CUSPARSE_STATUS_SUCCESS;
}

// What the older calls know of a matrix.
Status create_mat_descr(cusparseMatDescr_t* made) { return make(made, cusparseMatDescr{}); }
Status destroy_mat_descr(cusparseMatDescr_t descr) { return remove(descr); }
template <class T>
Status set(cusparseMatDescr_t descr, T cusparseMatDescr::* member, T value, T last) {
  HEDDLE_NEED(descr && value >= T{} && value <= last);
  descr->*member = value;
  return CUSPARSE_STATUS_SUCCESS;
}
Status set_mat_type(cusparseMatDescr_t descr, cusparseMatrixType_t type) {
  return set(descr, &cusparseMatDescr::type, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR);
}
Status set_mat_fill_mode(cusparseMatDescr_t descr, cusparseFillMode_t fill) {
  return set(descr, &cusparseMatDescr::fill, fill, CUSPARSE_FILL_MODE_UPPER);
}
Status set_mat_diag_type(cusparseMatDescr_t descr, cusparseDiagType_t diag) {
  return set(descr, &cusparseMatDescr::diag, diag, CUSPARSE_DIAG_TYPE_UNIT);
}
Status set_mat_index_base(cusparseMatDescr_t descr, cusparseIndexBase_t base) {
  return set(descr, &cusparseMatDescr::base, base, CUSPARSE_INDEX_BASE_ONE);
}
cusparseMatrixType_t get_mat_type(const cusparseMatDescr_t descr) { return descr->type; }
cusparseFillMode_t get_mat_fill_mode(const cusparseMatDescr_t descr) { return descr->fill; }
cusparseDiagType_t get_mat_diag_type(const cusparseMatDescr_t descr) { return descr->diag; }
cusparseIndexBase_t get_mat_index_base(const cusparseMatDescr_t descr) { return descr->base; }

bool is_index_type(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
bool is_base(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}

// Vectors.
template <class Made>
Status create_const_sp_vec(Made* made, int64_t size, int64_t count, const void* indices,
                           const void* values, cusparseIndexType_t index_type,
                           cusparseIndexBase_t base, cudaDataType type) {
  HEDDLE_NEED(size >= 0 && count >= 0 && count <= size && is_index_type(index_type) &&
              is_base(base) && (count == 0 || (indices && values)));
  HEDDLE_SUPPORT(size_of(type));
  return make(made, cusparseSpVecDescr{size, count, const_cast<void*>(indices),
                                       const_cast<void*>(values), index_type, base, type});
}
Status create_sp_vec(cusparseSpVecDescr_t* made, int64_t size, int64_t count, void* indices,
                     void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                     cudaDataType type) {
  return create_const_sp_vec(made, size, count, indices, values, index_type, base, type);
}
Status destroy_sp_vec(cusparseConstSpVecDescr_t x) { return remove(x); }
template <class Pointer>
Status const_sp_vec_get(cusparseConstSpVecDescr_t x, int64_t* size, int64_t* count,
                        Pointer* indices, Pointer* values, cusparseIndexType_t* index_type,
                        cusparseIndexBase_t* base, cudaDataType* type) {
  HEDDLE_NEED(x);
  give(size, x->size);
  give(count, x->count);
  give(indices, x->indices);
  give(values, x->values);
  give(index_type, x->index_type);
  give(base, x->base);
  give(type, x->type);
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_vec_get(cusparseSpVecDescr_t x, int64_t* size, int64_t* count, void** indices,
                  void** values, cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                  cudaDataType* type) {
  return const_sp_vec_get(x, size, count, indices, values, index_type, base, type);
}
Status sp_vec_get_index_base(cusparseConstSpVecDescr_t x, cusparseIndexBase_t* base) {
  HEDDLE_NEED(x && base);
  *base = x->base;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Made>
Status create_const_dn_vec(Made* made, int64_t size, const void* values, cudaDataType type) {
  HEDDLE_NEED(size >= 0 && (size == 0 || values));
  HEDDLE_SUPPORT(size_of(type));
  return make(made, cusparseDnVecDescr{size, const_cast<void*>(values), type});
}
Status create_dn_vec(cusparseDnVecDescr_t* made, int64_t size, void* values, cudaDataType type) {
  return create_const_dn_vec(made, size, values, type);
}
Status destroy_dn_vec(cusparseConstDnVecDescr_t x) { return remove(x); }
template <class Pointer>
Status const_dn_vec_get(cusparseConstDnVecDescr_t x, int64_t* size, Pointer* values,
                        cudaDataType* type) {
  HEDDLE_NEED(x);
  give(size, x->size);
  give(values, x->values);
  give(type, x->type);
  return CUSPARSE_STATUS_SUCCESS;
}
Status dn_vec_get(cusparseDnVecDescr_t x, int64_t* size, void** values, cudaDataType* type) {
  return const_dn_vec_get(x, size, values, type);
}

// The values of any descriptor.
template <class Descriptor, class Pointer>
Status get_values(Descriptor* x, Pointer* values) {
  HEDDLE_NEED(x && values);
  *values = x->values;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Descriptor>
Status set_values(Descriptor* x, void* values) {
  HEDDLE_NEED(x && values);
  x->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_vec_get_values(cusparseSpVecDescr_t x, void** v) { return get_values(x, v); }
Status dn_vec_get_values(cusparseDnVecDescr_t x, void** v) { return get_values(x, v); }
Status dn_mat_get_values(cusparseDnMatDescr_t a, void** v) { return get_values(a, v); }
Status sp_mat_get_values(cusparseSpMatDescr_t a, void** v) { return get_values(a, v); }
Status const_sp_vec_get_values(cusparseConstSpVecDescr_t x, const void** v) {
  return get_values(x, v);
}
Status const_dn_vec_get_values(cusparseConstDnVecDescr_t x, const void** v) {
  return get_values(x, v);
}
Status const_dn_mat_get_values(cusparseConstDnMatDescr_t a, const void** v) {
  return get_values(a, v);
}
Status const_sp_mat_get_values(cusparseConstSpMatDescr_t a, const void** v) {
  return get_values(a, v);
}
Status sp_vec_set_values(cusparseSpVecDescr_t x, void* values) { return set_values(x, values); }
Status dn_vec_set_values(cusparseDnVecDescr_t x, void* values) { return set_values(x, values); }
Status dn_mat_set_values(cusparseDnMatDescr_t a, void* values) { return set_values(a, values); }
Status sp_mat_set_values(cusparseSpMatDescr_t a, void* values) { return set_values(a, values); }

// Dense matrices.
template <class Made>
Status create_const_dn_mat(Made* made, int64_t rows, int64_t columns, int64_t ld,
                           const void* values, cudaDataType type, cusparseOrder_t order) {
  HEDDLE_NEED(rows >= 0 && columns >= 0 &&
              (order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW) &&
              ld >= (order == CUSPARSE_ORDER_COL ? rows : columns));
  HEDDLE_NEED(rows == 0 || columns == 0 || values);
  HEDDLE_SUPPORT(size_of(type));
  return make(made, cusparseDnMatDescr{rows, columns, ld, const_cast<void*>(values), type, order});
}
Status create_dn_mat(cusparseDnMatDescr_t* made, int64_t rows, int64_t columns, int64_t ld,
                     void* values, cudaDataType type, cusparseOrder_t order) {
  return create_const_dn_mat(made, rows, columns, ld, values, type, order);
}
Status destroy_dn_mat(cusparseConstDnMatDescr_t a) { return remove(a); }
template <class Pointer>
Status const_dn_mat_get(cusparseConstDnMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* ld,
                        Pointer* values, cudaDataType* type, cusparseOrder_t* order) {
  HEDDLE_NEED(a);
  give(rows, a->rows);
  give(columns, a->columns);
  give(ld, a->ld);
  give(values, a->values);
  give(type, a->type);
  give(order, a->order);
  return CUSPARSE_STATUS_SUCCESS;
}
Status dn_mat_get(cusparseDnMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* ld,
                  void** values, cudaDataType* type, cusparseOrder_t* order) {
  return const_dn_mat_get(a, rows, columns, ld, values, type, order);
}
Status dn_mat_set_strided_batch(cusparseDnMatDescr_t a, int batches, int64_t stride) {
  HEDDLE_NEED(a && batches >= 1 && stride >= 0);
  a->batches = batches;
  a->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
Status dn_mat_get_strided_batch(cusparseConstDnMatDescr_t a, int* batches, int64_t* stride) {
  HEDDLE_NEED(a && batches && stride);
  *batches = a->batches;
  *stride = a->stride;
  return CUSPARSE_STATUS_SUCCESS;
}

// Sparse matrices.
template <class Made>
Status create_listed(Made* made, cusparseFormat_t format, int64_t rows, int64_t columns,
                     int64_t count, const void* offsets, const void* indices, const void* values,
                     cusparseIndexType_t offsets_type, cusparseIndexType_t index_type,
                     cusparseIndexBase_t base, cudaDataType type) {
  HEDDLE_NEED(rows >= 0 && columns >= 0 && count >= 0 && is_base(base) &&
              is_index_type(offsets_type) && is_index_type(index_type));
  HEDDLE_NEED(count == 0 || (offsets && indices && values));
  HEDDLE_SUPPORT(size_of(type));
  return make(made, cusparseSpMatDescr{format, rows, columns, count, const_cast<void*>(offsets),
                                       const_cast<void*>(indices), const_cast<void*>(values),
                                       offsets_type, index_type, base, type});
}
#define HEDDLE_COMPRESSED(name, const_name, format)                                                \
  template <class Made>                                                                            \
  Status const_name(Made* made, int64_t rows, int64_t columns, int64_t count, const void* offsets, \
                    const void* indices, const void* values, cusparseIndexType_t offsets_type,     \
                    cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) { \
    return create_listed(made, format, rows, columns, count, offsets, indices, values,             \
                         offsets_type, index_type, base, type);                                    \
  }                                                                                                \
  Status name(cusparseSpMatDescr_t* made, int64_t rows, int64_t columns, int64_t count,            \
              void* offsets, void* indices, void* values, cusparseIndexType_t offsets_type,        \
              cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {       \
    return create_listed(made, format, rows, columns, count, offsets, indices, values,             \
                         offsets_type, index_type, base, type);                                    \
  }
HEDDLE_COMPRESSED(create_csr, create_const_csr, CUSPARSE_FORMAT_CSR)
HEDDLE_COMPRESSED(create_csc, create_const_csc, CUSPARSE_FORMAT_CSC)
template <class Made>
Status create_const_coo(Made* made, int64_t rows, int64_t columns, int64_t count,
                        const void* row_indices, const void* column_indices, const void* values,
                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                        cudaDataType type) {
  return create_listed(made, CUSPARSE_FORMAT_COO, rows, columns, count, row_indices, column_indices,
                       values, index_type, index_type, base, type);
}
Status create_coo(cusparseSpMatDescr_t* made, int64_t rows, int64_t columns, int64_t count,
                  void* row_indices, void* column_indices, void* values,
                  cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {
  return create_const_coo(made, rows, columns, count, row_indices, column_indices, values,
                          index_type, base, type);
}
Status destroy_sp_mat(cusparseConstSpMatDescr_t a) { return remove(a); }

template <class Pointer>
Status get_listed(cusparseFormat_t format, cusparseConstSpMatDescr_t a, int64_t* rows,
                  int64_t* columns, int64_t* count, Pointer* offsets, Pointer* indices,
                  Pointer* values, cusparseIndexType_t* offsets_type,
                  cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {
  HEDDLE_NEED(a && a->format == format);
  give(rows, a->rows);
  give(columns, a->columns);
  give(count, a->count);
  give(offsets, a->offsets);
  give(indices, a->indices);
  give(values, a->values);
  give(offsets_type, a->offsets_type);
  give(index_type, a->index_type);
  give(base, a->base);
  give(type, a->type);
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Descriptor, class... Rest>
Status csr_get(Descriptor a, Rest... rest) {
  return get_listed(CUSPARSE_FORMAT_CSR, a, rest...);
}
template <class Descriptor, class... Rest>
Status const_csr_get(Descriptor a, Rest... rest) {
  return get_listed(CUSPARSE_FORMAT_CSR, a, rest...);
}
template <class Descriptor, class... Rest>
Status csc_get(Descriptor a, Rest... rest) {
  return get_listed(CUSPARSE_FORMAT_CSC, a, rest...);
}
template <class Descriptor, class... Rest>
Status const_csc_get(Descriptor a, Rest... rest) {
  return get_listed(CUSPARSE_FORMAT_CSC, a, rest...);
}
template <class Pointer>
Status const_coo_get(cusparseConstSpMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* count,
                     Pointer* row_indices, Pointer* column_indices, Pointer* values,
                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                     cudaDataType* type) {
  return get_listed(CUSPARSE_FORMAT_COO, a, rows, columns, count, row_indices, column_indices,
                    values, index_type, index_type, base, type);
}
Status coo_get(cusparseSpMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* count,
               void** row_indices, void** column_indices, void** values,
               cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {
  return const_coo_get(a, rows, columns, count, row_indices, column_indices, values, index_type,
                       base, type);
}

Status set_pointers(cusparseFormat_t format, cusparseSpMatDescr_t a, void* offsets, void* indices,
                    void* values) {
  HEDDLE_NEED(a && a->format == format && (a->count == 0 || (offsets && indices && values)));
  a->offsets = offsets;
  a->indices = indices;
  a->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
Status csr_set_pointers(cusparseSpMatDescr_t a, void* offsets, void* indices, void* values) {
  return set_pointers(CUSPARSE_FORMAT_CSR, a, offsets, indices, values);
}
Status csc_set_pointers(cusparseSpMatDescr_t a, void* offsets, void* indices, void* values) {
  return set_pointers(CUSPARSE_FORMAT_CSC, a, offsets, indices, values);
}
Status coo_set_pointers(cusparseSpMatDescr_t a, void* rows, void* columns, void* values) {
  return set_pointers(CUSPARSE_FORMAT_COO, a, rows, columns, values);
}
Status sp_mat_get_format(cusparseConstSpMatDescr_t a, cusparseFormat_t* format) {
  HEDDLE_NEED(a && format);
  *format = a->format;
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_mat_get_index_base(cusparseConstSpMatDescr_t a, cusparseIndexBase_t* base) {
  HEDDLE_NEED(a && base);
  *base = a->base;
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_mat_get_size(cusparseConstSpMatDescr_t a, int64_t* rows, int64_t* columns,
                       int64_t* count) {
  HEDDLE_NEED(a && rows && columns && count);
  *rows = a->rows;
  *columns = a->columns;
  *count = a->count;
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_mat_get_strided_batch(cusparseConstSpMatDescr_t a, int* batches) {
  HEDDLE_NEED(a && batches);
  *batches = a->batches;
  return CUSPARSE_STATUS_SUCCESS;
}
Status set_batches(cusparseFormat_t format, cusparseSpMatDescr_t a, int batches,
                   int64_t offsets_stride, int64_t stride) {
  HEDDLE_NEED(a && a->format == format && batches >= 1 && stride >= 0 && offsets_stride >= 0);
  a->batches = batches;
  a->offsets_stride = offsets_stride;
  a->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
Status coo_set_strided_batch(cusparseSpMatDescr_t a, int batches, int64_t stride) {
  return set_batches(CUSPARSE_FORMAT_COO, a, batches, stride, stride);
}
Status csr_set_strided_batch(cusparseSpMatDescr_t a, int batches, int64_t offsets_stride,
                             int64_t stride) {
  return set_batches(CUSPARSE_FORMAT_CSR, a, batches, offsets_stride, stride);
}
Status sp_mat_get_attribute(cusparseConstSpMatDescr_t a, cusparseSpMatAttribute_t attribute,
                            void* data, size_t bytes) {
  HEDDLE_NEED(a && data && bytes == sizeof a->fill &&
              (attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE));
  const void* const member =
      attribute == CUSPARSE_SPMAT_FILL_MODE ? static_cast<const void*>(&a->fill) : &a->diag;
  std::memcpy(data, member, bytes);
  return CUSPARSE_STATUS_SUCCESS;
}
Status sp_mat_set_attribute(cusparseSpMatDescr_t a, cusparseSpMatAttribute_t attribute,
                            const void* data, size_t bytes) {
  HEDDLE_NEED(a && data && bytes == sizeof a->fill &&
              (attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE));
  int value;
  std::memcpy(&value, data, sizeof value);
  HEDDLE_NEED(value == 0 || value == 1);
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    a->fill = static_cast<cusparseFillMode_t>(value);
  else
    a->diag = static_cast<cusparseDiagType_t>(value);
  return CUSPARSE_STATUS_SUCCESS;
}

const char* get_error_name(cusparseStatus_t status) {
  switch (status) {
#define HEDDLE_STATUS(name) \
  case name: return #name;
#include "libraries/cusparseStatus_t.inc"
#undef HEDDLE_STATUS
  }
  return "unrecognized error code";
}
const char* get_error_string(cusparseStatus_t status) {
  switch (status) {
    case CUSPARSE_STATUS_SUCCESS: return "success";
    case CUSPARSE_STATUS_NOT_INITIALIZED: return "initialization error";
    case CUSPARSE_STATUS_ALLOC_FAILED: return "out of memory";
    case CUSPARSE_STATUS_INVALID_VALUE: return "invalid value";
    case CUSPARSE_STATUS_ARCH_MISMATCH: return "architecture mismatch";
    case CUSPARSE_STATUS_MAPPING_ERROR: return "texture memory mapping error";
    case CUSPARSE_STATUS_EXECUTION_FAILED: return "kernel launch failure";
    case CUSPARSE_STATUS_INTERNAL_ERROR: return "internal error";
    case CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED: return "matrix type not supported";
    case CUSPARSE_STATUS_ZERO_PIVOT: return "zero pivot";
    case CUSPARSE_STATUS_NOT_SUPPORTED: return "operation not supported";
    case CUSPARSE_STATUS_INSUFFICIENT_RESOURCES: return "insufficient resources";
  }
  return "unrecognized error code";
}

}  // namespace
}  // namespace heddle::sparse

using namespace heddle::sparse;
#include "libraries/cusparse_descriptors_calls.inc"
