// Part of cuda/ptx: fences, barriers of clusters, and mbarrier.
#pragma once

namespace cuda {
namespace ptx {

#define HEDDLE_ACTS(name, parameters, text) \
  HEDDLE_PTX void name parameters { asm volatile(text ";" ::: "memory"); }
#define HEDDLE_FENCES(sem)                                                       \
  HEDDLE_ACTS(fence, (sem_##sem##_t, scope_cta_t), "fence." #sem ".cta")         \
  HEDDLE_ACTS(fence, (sem_##sem##_t, scope_cluster_t), "fence." #sem ".cluster") \
  HEDDLE_ACTS(fence, (sem_##sem##_t, scope_gpu_t), "fence." #sem ".gpu")         \
  HEDDLE_ACTS(fence, (sem_##sem##_t, scope_sys_t), "fence." #sem ".sys")
HEDDLE_FENCES(sc)
HEDDLE_FENCES(acq_rel)
HEDDLE_FENCES(acquire)
HEDDLE_FENCES(release)
#undef HEDDLE_FENCES
HEDDLE_ACTS(fence_mbarrier_init, (sem_release_t, scope_cluster_t),
            "fence.mbarrier_init.release.cluster")
HEDDLE_ACTS(fence_proxy_alias, (), "fence.proxy.alias")
HEDDLE_ACTS(fence_proxy_async, (), "fence.proxy.async")
HEDDLE_ACTS(fence_proxy_async, (space_global_t), "fence.proxy.async.global")
HEDDLE_ACTS(fence_proxy_async, (space_cluster_t), "fence.proxy.async.shared::cluster")
HEDDLE_ACTS(fence_proxy_async, (space_shared_t), "fence.proxy.async.shared::cta")
#define HEDDLE_MAP_FENCES(scope)                                                                   \
  HEDDLE_ACTS(fence_proxy_tensormap_generic, (sem_release_t, scope_##scope##_t),                   \
              "fence.proxy.tensormap::generic.release." #scope)                                    \
  template <int size>                                                                              \
  HEDDLE_PTX void fence_proxy_tensormap_generic(sem_acquire_t, scope_##scope##_t, const void* map, \
                                                n32_t<size>) {                                     \
    asm volatile("fence.proxy.tensormap::generic.acquire." #scope " [%0], %1;" ::"l"(map),         \
                 "n"(size)                                                                         \
                 : "memory");                                                                      \
  }
HEDDLE_MAP_FENCES(cta)
HEDDLE_MAP_FENCES(cluster)
HEDDLE_MAP_FENCES(gpu)
HEDDLE_MAP_FENCES(sys)
#undef HEDDLE_MAP_FENCES
HEDDLE_ACTS(barrier_cluster_arrive, (), "barrier.cluster.arrive")
HEDDLE_ACTS(barrier_cluster_arrive, (sem_release_t), "barrier.cluster.arrive.release")
HEDDLE_ACTS(barrier_cluster_arrive, (sem_relaxed_t), "barrier.cluster.arrive.relaxed")
HEDDLE_ACTS(barrier_cluster_wait, (), "barrier.cluster.wait")
HEDDLE_ACTS(barrier_cluster_wait, (sem_acquire_t), "barrier.cluster.wait.acquire")
#undef HEDDLE_ACTS

HEDDLE_PTX unsigned int place_(const void* shared) { return heddle::mbarrier::place(shared); }

HEDDLE_PTX void mbarrier_init(::std::uint64_t* barrier, const ::std::uint32_t& count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place_(barrier)), "r"(count)
               : "memory");
}
HEDDLE_PTX void mbarrier_inval(::std::uint64_t* barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(place_(barrier)) : "memory");
}

// An arrival at the block's own barrier has a state; one at a barrier of the cluster has none.
#define HEDDLE_ARRIVES(name, modifiers, parameters)                            \
  HEDDLE_PTX ::std::uint64_t name(HEDDLE_LIST parameters ::std::uint64_t* b) { \
    ::std::uint64_t state;                                                     \
    asm volatile("mbarrier.arrive" modifiers ".shared::cta.b64 %0, [%1];"      \
                 : "=l"(state)                                                 \
                 : "r"(place_(b))                                              \
                 : "memory");                                                  \
    return state;                                                              \
  }
#define HEDDLE_ARRIVES_WITH(name, modifiers, parameters)                      \
  HEDDLE_PTX ::std::uint64_t name(HEDDLE_LIST parameters ::std::uint64_t* b,  \
                                  const ::std::uint32_t& count) {             \
    ::std::uint64_t state;                                                    \
    asm volatile("mbarrier.arrive" modifiers ".shared::cta.b64 %0, [%1], %2;" \
                 : "=l"(state)                                                \
                 : "r"(place_(b)), "r"(count)                                 \
                 : "memory");                                                 \
    return state;                                                             \
  }
#define HEDDLE_LIST(...) __VA_ARGS__
HEDDLE_ARRIVES(mbarrier_arrive, "", ())
HEDDLE_ARRIVES_WITH(mbarrier_arrive, "", ())
HEDDLE_ARRIVES_WITH(mbarrier_arrive_no_complete, ".noComplete", ())
#define HEDDLE_SCOPED(sem, scope)                                               \
  HEDDLE_ARRIVES(mbarrier_arrive, "." #sem "." #scope,                          \
                 (sem_##sem##_t, scope_##scope##_t, space_shared_t, ))          \
  HEDDLE_ARRIVES_WITH(mbarrier_arrive, "." #sem "." #scope,                     \
                      (sem_##sem##_t, scope_##scope##_t, space_shared_t, ))     \
  HEDDLE_ARRIVES_WITH(mbarrier_arrive_expect_tx, ".expect_tx." #sem "." #scope, \
                      (sem_##sem##_t, scope_##scope##_t, space_shared_t, ))
HEDDLE_SCOPED(release, cta)
HEDDLE_SCOPED(release, cluster)
HEDDLE_SCOPED(relaxed, cta)
HEDDLE_SCOPED(relaxed, cluster)
#undef HEDDLE_SCOPED
#undef HEDDLE_LIST
#undef HEDDLE_ARRIVES
#undef HEDDLE_ARRIVES_WITH
#define HEDDLE_REMOTE(sem)                                                                      \
  HEDDLE_PTX void mbarrier_arrive(sem_##sem##_t, scope_cluster_t, space_cluster_t,              \
                                  ::std::uint64_t* b, const ::std::uint32_t& count = 1) {       \
    asm volatile("mbarrier.arrive." #sem                                                        \
                 ".cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(place_(b)),                  \
                 "r"(count)                                                                     \
                 : "memory");                                                                   \
  }                                                                                             \
  HEDDLE_PTX void mbarrier_arrive_expect_tx(sem_##sem##_t, scope_cluster_t, space_cluster_t,    \
                                            ::std::uint64_t* b, const ::std::uint32_t& bytes) { \
    asm volatile("mbarrier.arrive.expect_tx." #sem                                              \
                 ".cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(place_(b)),                  \
                 "r"(bytes)                                                                     \
                 : "memory");                                                                   \
  }
HEDDLE_REMOTE(release)
HEDDLE_REMOTE(relaxed)
#undef HEDDLE_REMOTE
#define HEDDLE_EXPECTS(scope, space, text)                                                        \
  HEDDLE_PTX void mbarrier_expect_tx(sem_relaxed_t, scope_##scope##_t, space_##space##_t,         \
                                     ::std::uint64_t* b, const ::std::uint32_t& bytes) {          \
    asm volatile("mbarrier.expect_tx.relaxed." #scope "." text ".b64 [%0], %1;" ::"r"(place_(b)), \
                 "r"(bytes)                                                                       \
                 : "memory");                                                                     \
  }
HEDDLE_EXPECTS(cta, shared, "shared::cta")
HEDDLE_EXPECTS(cluster, shared, "shared::cta")
HEDDLE_EXPECTS(cluster, cluster, "shared::cluster")
#undef HEDDLE_EXPECTS

// phase: of type `word`, a state or a parity.
#define HEDDLE_TESTS(name, text, word, letter, parameters)                             \
  HEDDLE_PTX bool name(HEDDLE_LIST parameters ::std::uint64_t* b, const word& phase) { \
    ::std::uint32_t done;                                                              \
    asm volatile("{\n.reg .pred p;\nmbarrier." text                                    \
                 ".shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"             \
                 : "=r"(done)                                                          \
                 : "r"(place_(b)), letter(phase)                                       \
                 : "memory");                                                          \
    return done != 0;                                                                  \
  }
// With the longest time to wait, in nanoseconds.
#define HEDDLE_WAITS(name, text, word, letter, parameters)                           \
  HEDDLE_TESTS(name, text, word, letter, parameters)                                 \
  HEDDLE_PTX bool name(HEDDLE_LIST parameters ::std::uint64_t* b, const word& phase, \
                       const ::std::uint32_t& time) {                                \
    ::std::uint32_t done;                                                            \
    asm volatile("{\n.reg .pred p;\nmbarrier." text                                  \
                 ".shared::cta.b64 p, [%1], %2, %3;\nselp.u32 %0, 1, 0, p;\n}"       \
                 : "=r"(done)                                                        \
                 : "r"(place_(b)), letter(phase), "r"(time)                          \
                 : "memory");                                                        \
    return done != 0;                                                                \
  }
#define HEDDLE_LIST(...) __VA_ARGS__
#define HEDDLE_ALL_WAITS(modifiers, parameters)                                               \
  HEDDLE_TESTS(mbarrier_test_wait, "test_wait" modifiers, ::std::uint64_t, "l", parameters)   \
  HEDDLE_TESTS(mbarrier_test_wait_parity, "test_wait.parity" modifiers, ::std::uint32_t, "r", \
               parameters)                                                                    \
  HEDDLE_WAITS(mbarrier_try_wait, "try_wait" modifiers, ::std::uint64_t, "l", parameters)     \
  HEDDLE_WAITS(mbarrier_try_wait_parity, "try_wait.parity" modifiers, ::std::uint32_t, "r",   \
               parameters)
HEDDLE_ALL_WAITS("", ())
HEDDLE_ALL_WAITS(".acquire.cta", (sem_acquire_t, scope_cta_t, ))
HEDDLE_ALL_WAITS(".acquire.cluster", (sem_acquire_t, scope_cluster_t, ))
HEDDLE_ALL_WAITS(".relaxed.cta", (sem_relaxed_t, scope_cta_t, ))
HEDDLE_ALL_WAITS(".relaxed.cluster", (sem_relaxed_t, scope_cluster_t, ))
#undef HEDDLE_ALL_WAITS
#undef HEDDLE_LIST
#undef HEDDLE_WAITS
#undef HEDDLE_TESTS

HEDDLE_PTX void cp_async_mbarrier_arrive(::std::uint64_t* b) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(place_(b)) : "memory");
}
HEDDLE_PTX void cp_async_mbarrier_arrive_noinc(::std::uint64_t* b) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(place_(b)) : "memory");
}

}  // namespace ptx
}  // namespace cuda
