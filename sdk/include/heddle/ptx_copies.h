// Part of cuda/ptx: bulk and tensor copies, reductions, and asynchronous stores.
#pragma once

namespace cuda {
namespace ptx {

HEDDLE_PTX void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int groups>
HEDDLE_PTX void cp_async_bulk_wait_group(n32_t<groups>) {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(groups) : "memory");
}
template <int groups>
HEDDLE_PTX void cp_async_bulk_wait_group_read(n32_t<groups>) {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(groups) : "memory");
}

#define HEDDLE_LOADS(space, text)                                                                \
  HEDDLE_PTX void cp_async_bulk(space_##space##_t, space_global_t, void* to, const void* from,   \
                                const ::std::uint32_t& bytes, ::std::uint64_t* b) {              \
    asm volatile("cp.async.bulk." text                                                           \
                 ".global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place_(to)), \
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(place_(b))                 \
                 : "memory");                                                                    \
  }
HEDDLE_LOADS(cluster, "shared::cluster")
HEDDLE_LOADS(shared, "shared::cta")
#undef HEDDLE_LOADS
HEDDLE_PTX void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                              const ::std::uint32_t& bytes, ::std::uint64_t* b,
                              const ::std::uint16_t& ctas) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1], %2, [%3], %4;" ::"r"(place_(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(place_(b)), "h"(ctas)
      : "memory");
}
HEDDLE_PTX void cp_async_bulk(space_cluster_t, space_shared_t, void* to, const void* from,
                              const ::std::uint32_t& bytes, ::std::uint64_t* b) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, "
      "[%3];" ::"r"(place_(to)),
      "r"(place_(from)), "r"(bytes), "r"(place_(b))
      : "memory");
}
HEDDLE_PTX void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from,
                              const ::std::uint32_t& bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(to)),
               "r"(place_(from)), "r"(bytes)
               : "memory");
}

// Boxes of tensors: %3 and the following operands are the coordinates.
#define HEDDLE_BOX_LOAD(n, space, text, places, inputs)                              \
  HEDDLE_PTX void cp_async_bulk_tensor(space_##space##_t, space_global_t, void* to,  \
                                       const void* map, const ::std::int32_t(&c)[n], \
                                       ::std::uint64_t* b) {                         \
    asm volatile("cp.async.bulk.tensor." #n "d." text                                \
                 ".global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" places     \
                 "}], [%2];" ::"r"(place_(to)),                                      \
                 "l"(map), "r"(place_(b)), HEDDLE_LIST inputs                        \
                 : "memory");                                                        \
  }
#define HEDDLE_BOX_REDUCE(n, op, text, places, inputs)                                      \
  HEDDLE_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_##op##_t,  \
                                              const void* map, const ::std::int32_t(&c)[n], \
                                              const void* from) {                           \
    asm volatile("cp.reduce.async.bulk.tensor." #n "d.global.shared::cta." text             \
                 ".tile.bulk_group [%0, {" places "}], [%1];" ::"l"(map),                   \
                 "r"(place_(from)), "r"(0), HEDDLE_LIST inputs                              \
                 : "memory");                                                               \
  }
#define HEDDLE_BOXES(n, places, inputs)                                                            \
  HEDDLE_BOX_LOAD(n, cluster, "shared::cluster", places, inputs)                                   \
  HEDDLE_BOX_LOAD(n, shared, "shared::cta", places, inputs)                                        \
  HEDDLE_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map, \
                                       const ::std::int32_t(&c)[n], ::std::uint64_t* b,            \
                                       const ::std::uint16_t& ctas) {                              \
    asm volatile("cp.async.bulk.tensor." #n                                                        \
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"          \
                 "cluster [%0], [%1, {" places "}], [%2], %" HEDDLE_LAST_##n                       \
                 ";" ::"r"(place_(to)),                                                            \
                 "l"(map), "r"(place_(b)), HEDDLE_LIST inputs, "h"(ctas)                           \
                 : "memory");                                                                      \
  }                                                                                                \
  HEDDLE_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,            \
                                       const ::std::int32_t(&c)[n], const void* from) {            \
    asm volatile("cp.async.bulk.tensor." #n "d.global.shared::cta.tile.bulk_group [%0, {" places   \
                 "}], [%1];" ::"l"(map),                                                           \
                 "r"(place_(from)), "r"(0), HEDDLE_LIST inputs                                     \
                 : "memory");                                                                      \
  }                                                                                                \
  HEDDLE_BOX_REDUCE(n, add, "add", places, inputs)                                                 \
  HEDDLE_BOX_REDUCE(n, min, "min", places, inputs)                                                 \
  HEDDLE_BOX_REDUCE(n, max, "max", places, inputs)                                                 \
  HEDDLE_BOX_REDUCE(n, inc, "inc", places, inputs)                                                 \
  HEDDLE_BOX_REDUCE(n, dec, "dec", places, inputs)                                                 \
  HEDDLE_BOX_REDUCE(n, and_op, "and", places, inputs)                                              \
  HEDDLE_BOX_REDUCE(n, or_op, "or", places, inputs)                                                \
  HEDDLE_BOX_REDUCE(n, xor_op, "xor", places, inputs)
#define HEDDLE_LIST(...) __VA_ARGS__
#define HEDDLE_LAST_1 "4"
#define HEDDLE_LAST_2 "5"
#define HEDDLE_LAST_3 "6"
#define HEDDLE_LAST_4 "7"
#define HEDDLE_LAST_5 "8"
HEDDLE_BOXES(1, "%3", ("r"(c[0])))
HEDDLE_BOXES(2, "%3, %4", ("r"(c[0]), "r"(c[1])))
HEDDLE_BOXES(3, "%3, %4, %5", ("r"(c[0]), "r"(c[1]), "r"(c[2])))
HEDDLE_BOXES(4, "%3, %4, %5, %6", ("r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])))
HEDDLE_BOXES(5, "%3, %4, %5, %6, %7", ("r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])))
#undef HEDDLE_LAST_1
#undef HEDDLE_LAST_2
#undef HEDDLE_LAST_3
#undef HEDDLE_LAST_4
#undef HEDDLE_LAST_5
#undef HEDDLE_LIST
#undef HEDDLE_BOXES
#undef HEDDLE_BOX_LOAD
#undef HEDDLE_BOX_REDUCE

// Reductions to global memory, and to a block of the cluster.
#define HEDDLE_TO_GLOBAL(op, type, text)                                                      \
  HEDDLE_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_##op##_t, type* to, \
                                       const type* from, ::std::uint32_t bytes) {             \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." text                   \
                 " [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),                      \
                 "r"(place_(from)), "r"(bytes)                                                \
                 : "memory");                                                                 \
  }
#define HEDDLE_TO_CLUSTER(op, type, text, letter)                                               \
  HEDDLE_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_##op##_t, type* to,  \
                                       const type* from, ::std::uint32_t bytes,                 \
                                       ::std::uint64_t* b) {                                    \
    asm volatile(                                                                               \
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"              \
        "bytes." text " [%0], [%1], %2, [%3];" ::"r"(place_(to)),                               \
        "r"(place_(from)), "r"(bytes), "r"(place_(b))                                           \
        : "memory");                                                                            \
  }                                                                                             \
  HEDDLE_PTX void red_async(op_##op##_t, type* to, const type& value, ::std::uint64_t* b) {     \
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." text \
                 " [%0], %1, [%2];" ::"r"(place_(to)),                                          \
                 letter(value), "r"(place_(b))                                                  \
                 : "memory");                                                                   \
  }
#define HEDDLE_REDUCES(op, type, text, letter) \
  HEDDLE_TO_GLOBAL(op, type, text)             \
  HEDDLE_TO_CLUSTER(op, type, text, letter)
HEDDLE_REDUCES(add, ::std::uint32_t, "add.u32", "r")
HEDDLE_REDUCES(min, ::std::uint32_t, "min.u32", "r")
HEDDLE_REDUCES(max, ::std::uint32_t, "max.u32", "r")
HEDDLE_REDUCES(inc, ::std::uint32_t, "inc.u32", "r")
HEDDLE_REDUCES(dec, ::std::uint32_t, "dec.u32", "r")
HEDDLE_REDUCES(and_op, ::std::uint32_t, "and.b32", "r")
HEDDLE_REDUCES(or_op, ::std::uint32_t, "or.b32", "r")
HEDDLE_REDUCES(xor_op, ::std::uint32_t, "xor.b32", "r")
HEDDLE_REDUCES(add, ::std::int32_t, "add.s32", "r")
HEDDLE_REDUCES(min, ::std::int32_t, "min.s32", "r")
HEDDLE_REDUCES(max, ::std::int32_t, "max.s32", "r")
HEDDLE_REDUCES(add, ::std::uint64_t, "add.u64", "l")
HEDDLE_REDUCES(add, ::std::int64_t, "add.u64", "l")
HEDDLE_TO_GLOBAL(min, ::std::uint64_t, "min.u64")
HEDDLE_TO_GLOBAL(max, ::std::uint64_t, "max.u64")
HEDDLE_TO_GLOBAL(min, ::std::int64_t, "min.s64")
HEDDLE_TO_GLOBAL(max, ::std::int64_t, "max.s64")
HEDDLE_TO_GLOBAL(and_op, ::std::uint64_t, "and.b64")
HEDDLE_TO_GLOBAL(or_op, ::std::uint64_t, "or.b64")
HEDDLE_TO_GLOBAL(xor_op, ::std::uint64_t, "xor.b64")
HEDDLE_TO_GLOBAL(add, float, "add.f32")
HEDDLE_TO_GLOBAL(add, double, "add.f64")
#undef HEDDLE_REDUCES
#undef HEDDLE_TO_CLUSTER
#undef HEDDLE_TO_GLOBAL

// Words and double words, in vectors of one, two and (words) four.
#define HEDDLE_STORE "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
#define HEDDLE_STORES(type, bits, letter)                                                \
  HEDDLE_PTX void st_async(type* to, const type& v, ::std::uint64_t* b) {                \
    asm volatile(HEDDLE_STORE ".b" bits " [%0], %1, [%2];" ::"r"(place_(to)), letter(v), \
                 "r"(place_(b))                                                          \
                 : "memory");                                                            \
  }                                                                                      \
  HEDDLE_PTX void st_async(type* to, const type(&v)[2], ::std::uint64_t* b) {            \
    asm volatile(HEDDLE_STORE ".v2.b" bits " [%0], {%1, %2}, [%3];" ::"r"(place_(to)),   \
                 letter(v[0]), letter(v[1]), "r"(place_(b))                              \
                 : "memory");                                                            \
  }
#define HEDDLE_STORES_FOUR(type, letter)                                                 \
  HEDDLE_PTX void st_async(type* to, const type(&v)[4], ::std::uint64_t* b) {            \
    asm volatile(HEDDLE_STORE ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(place_(to)), \
                 letter(v[0]), letter(v[1]), letter(v[2]), letter(v[3]), "r"(place_(b))  \
                 : "memory");                                                            \
  }
HEDDLE_STORES(::std::uint32_t, "32", "r")
HEDDLE_STORES(::std::int32_t, "32", "r")
HEDDLE_STORES(float, "32", "f")
HEDDLE_STORES(::std::uint64_t, "64", "l")
HEDDLE_STORES(::std::int64_t, "64", "l")
HEDDLE_STORES(double, "64", "d")
HEDDLE_STORES_FOUR(::std::uint32_t, "r")
HEDDLE_STORES_FOUR(::std::int32_t, "r")
HEDDLE_STORES_FOUR(float, "f")
#undef HEDDLE_STORES_FOUR
#undef HEDDLE_STORES
#undef HEDDLE_STORE

}  // namespace ptx
}  // namespace cuda
