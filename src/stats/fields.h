// Statistics are plain structs of counters. Each struct has one table that names every member with
// unit and meaning. Adding, subtracting, JSON and listings use this table.
//
//   struct CacheStats {
//     std::uint64_t accesses = 0;
//     std::array<std::uint64_t, kFailCauses> fails{};
//     static constexpr auto fields() {
//       return stats::table(
//           stats::counter("accesses", stats::Unit::requests, "answered requests",
//                          &CacheStats::accesses),
//           stats::breakdown("fails", stats::Unit::cycles, "cycles in which ... by cause",
//                            kFailCauseNames, &CacheStats::fails),
//           stats::group("dram", &X::dram));   // a nested statistics struct
//     }
//   };
//
// A short table may also be a std::tuple.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace heddle::stats {

enum class Unit : std::uint8_t {
  cycles,
  instructions,
  warp_instructions,
  requests,
  accesses,
  sectors,
  lines,
  packets,
  bytes,
  slots,
  warps,
  ctas,
  lanes,
  flits,
  events,
  row_hits,
  ratio,
  points
};
std::string_view to_string(Unit unit);

template <class S>
struct Counter {
  std::string_view name;
  Unit unit;
  std::string_view meaning;
  std::uint64_t S::* member;
};
template <class S, std::size_t N>
struct Breakdown {
  std::string_view name;
  Unit unit;
  std::string_view meaning;
  const std::array<std::string_view, N>* buckets;
  std::array<std::uint64_t, N> S::* member;
};
// Bucket i of a histogram counts observations of value i; the last bucket also larger values.
template <class S, std::size_t N>
struct Histogram {
  std::string_view name;
  Unit unit;
  std::string_view meaning;
  std::array<std::uint64_t, N> S::* member;
};
template <class S, class G>
struct Group {
  std::string_view name;
  G S::* member;
};

template <class S>
constexpr auto counter(std::string_view n, Unit u, std::string_view m, std::uint64_t S::* p) {
  return Counter<S>{n, u, m, p};
}
template <class S, std::size_t N>
constexpr auto breakdown(std::string_view n, Unit u, std::string_view m,
                         const std::array<std::string_view, N>& b,
                         std::array<std::uint64_t, N> S::* p) {
  return Breakdown<S, N>{n, u, m, &b, p};
}
template <class S, std::size_t N>
constexpr auto histogram(std::string_view n, Unit u, std::string_view m,
                         std::array<std::uint64_t, N> S::* p) {
  return Histogram<S, N>{n, u, m, p};
}
template <class S, class G>
constexpr auto group(std::string_view n, G S::* p) {
  return Group<S, G>{n, p};
}

// A table of these rows: a function that calls f(row...). A std::tuple checks for every row and all
// that follow how they are copied and converted, which compiles slowly for 40 rows.
template <class... Row>
constexpr auto table(Row... row) {
  return [row...](const auto& f) { return f(row...); };
}

// Calls f(field...) with all rows of S's table.
template <class S, class F>
constexpr auto with_fields(F&& f) {
  if constexpr (requires { S::fields()(f); })
    return S::fields()(f);
  else
    return std::apply(f, S::fields());
}

// A table of the rows of a base class and these.
template <class Base, class... Row>
constexpr auto table_after(Row... row) {
  return [row...](const auto& f) {
    return with_fields<Base>([&](const auto&... first) { return f(first..., row...); });
  };
}

// Calls f(field) for every row of S's table.
template <class S, class F>
constexpr void for_each_field(F&& f) {
  with_fields<S>([&](const auto&... field) { (f(field), ...); });
}

namespace detail {
inline constexpr std::size_t kCounterBytes = sizeof(std::uint64_t);

// The counters of S, those of nested structs included.
template <class S>
constexpr std::size_t counters_of() {
  std::size_t count = 0;
  for_each_field<S>([&](const auto& field) {
    using M = std::remove_reference_t<decltype(std::declval<S&>().*(field.member))>;
    if constexpr (requires { field.unit; })
      count += sizeof(M) / kCounterBytes;
    else
      count += counters_of<M>();
  });
  return count;
}

// op(counter of into, counter of from) for each. A struct that holds nothing else is an array of
// counters.
template <class S, class Op>
void combine(S& into, const S& from, Op op) {
  using Counters = std::array<std::uint64_t, counters_of<S>()>;
  if constexpr (sizeof(S) == sizeof(Counters)) {
    auto all = std::bit_cast<Counters>(into);
    const auto others = std::bit_cast<Counters>(from);
    for (std::size_t i = 0; i < all.size(); ++i) op(all[i], others[i]);
    into = std::bit_cast<S>(all);
  } else {
    for_each_field<S>([&](const auto& field) {
      auto& a = into.*(field.member);
      const auto& b = from.*(field.member);
      if constexpr (requires { a.size(); })
        for (std::size_t i = 0; i < a.size(); ++i) op(a[i], b[i]);
      else if constexpr (requires { field.unit; })
        op(a, b);
      else
        combine(a, b, op);
    });
  }
}
}  // namespace detail

template <class S>
void add(S& into, const S& from) {
  detail::combine(into, from, [](std::uint64_t& a, std::uint64_t b) { a += b; });
}
template <class S>
void subtract(S& from, const S& what) {
  detail::combine(from, what, [](std::uint64_t& a, std::uint64_t b) { a -= b; });
}
// Adds a part of every counter of `whole`: the counter times weight / weights, rounded down.
template <class S>
void add_part(S& into, const S& whole, std::uint64_t weight, std::uint64_t weights) {
  detail::combine(into, whole, [&](std::uint64_t& a, std::uint64_t b) {
    a += b / weights * weight + b % weights * weight / weights;
  });
}
template <class A>
std::uint64_t total(const A& buckets) {
  std::uint64_t sum = 0;
  for (auto b : buckets) sum += b;
  return sum;
}

}  // namespace heddle::stats
