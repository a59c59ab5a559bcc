// Part of cooperative_groups.h: reductions of a group into an atomic variable, which the member of
// rank 0 updates once.
#pragma once

namespace cooperative_groups {
namespace details {
template <class Group, class Atomic, class T, class Operator>
static __device__ __forceinline__ T update_once(const Group& group, Atomic& target, T total,
                                                Operator combine) {
  T before{};
  if (group.thread_rank() == 0) {
    before = target.load();
    while (!target.compare_exchange_weak(before, combine(before, total))) {}
  }
  return group.shfl(before, 0);
}
}  // namespace details

template <class Group, class Atomic, class Value, class Operator,
          class T = decltype(static_cast<Atomic*>(nullptr)->load())>
static __device__ __forceinline__ void reduce_update_async(const Group& group, Atomic& target,
                                                           Value value, Operator combine) {
  details::update_once(group, target, reduce(group, static_cast<T>(value), combine), combine);
}
template <class Group, class Atomic, class Value, class Operator,
          class T = decltype(static_cast<Atomic*>(nullptr)->load())>
static __device__ __forceinline__ void reduce_store_async(const Group& group, Atomic& target,
                                                          Value value, Operator combine) {
  const T total = reduce(group, static_cast<T>(value), combine);
  if (group.thread_rank() == 0) target.store(total);
}
template <class Group, class Atomic, class Value, class Operator,
          class T = decltype(static_cast<Atomic*>(nullptr)->load())>
static __device__ __forceinline__ T inclusive_scan_update(const Group& group, Atomic& target,
                                                          Value value, Operator combine) {
  const T own = inclusive_scan(group, static_cast<T>(value), combine);
  return combine(details::update_once(group, target,
                                      group.shfl(own, static_cast<int>(group.size()) - 1), combine),
                 own);
}
template <class Group, class Atomic, class Value, class Operator,
          class T = decltype(static_cast<Atomic*>(nullptr)->load())>
static __device__ __forceinline__ T exclusive_scan_update(const Group& group, Atomic& target,
                                                          Value value, Operator combine) {
  const T own = inclusive_scan(group, static_cast<T>(value), combine),
          below = group.shfl_up(own, 1);
  const T before = details::update_once(
      group, target, group.shfl(own, static_cast<int>(group.size()) - 1), combine);
  return group.thread_rank() == 0 ? before : combine(before, below);
}
template <class Group, class Atomic, class Value,
          class T = decltype(static_cast<Atomic*>(nullptr)->load())>
static __device__ __forceinline__ T inclusive_scan_update(const Group& group, Atomic& target,
                                                          Value value) {
  return inclusive_scan_update(group, target, value, plus<T>());
}
template <class Group, class Atomic, class Value,
          class T = decltype(static_cast<Atomic*>(nullptr)->load())>
static __device__ __forceinline__ T exclusive_scan_update(const Group& group, Atomic& target,
                                                          Value value) {
  return exclusive_scan_update(group, target, value, plus<T>());
}
}  // namespace cooperative_groups
