#include "gpu/cta/locality_graph.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>
#include <utility>

namespace heddle::gpu {
namespace {

using Lists = std::vector<std::vector<std::uint64_t>>;

// Numbers from 0 for the lines, in the order in which they are first seen.
class LineNumbers {
 public:
  explicit LineNumbers(std::size_t most)
      : mask_(std::bit_ceil(std::max<std::size_t>(2 * most, 2)) - 1), slots_(mask_ + 1) {}

  std::uint32_t number_of(std::uint64_t line) {
    for (std::size_t i = line * 0x9E3779B97F4A7C15ull >> 20;; ++i) {
      Slot& slot = slots_[i & mask_];
      if (slot.number == kFree) slot = {line, count_++};
      if (slot.line == line) return slot.number;
    }
  }
  std::uint32_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  struct Slot {
    std::uint64_t line = 0;
    std::uint32_t number = kFree;
  };
  std::size_t mask_;
  std::vector<Slot> slots_;
  std::uint32_t count_ = 0;
};

// Entries grouped by a key below `keys`, in the order in which they are added.
template <class Visit>
std::pair<std::vector<std::size_t>, std::vector<LocalityGraph::Vertex>> grouped(std::size_t keys,
                                                                                Visit&& visit) {
  std::vector<std::size_t> first(keys + 1, 0);
  visit([&](std::size_t key, LocalityGraph::Vertex) { ++first[key + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<LocalityGraph::Vertex> entries(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  visit([&](std::size_t key, LocalityGraph::Vertex v) { entries[next[key]++] = v; });
  return {std::move(first), std::move(entries)};
}

}  // namespace

// The work grows with the number of pairs that share a line; nothing but the neighbours of one
// vertex is sorted.
LocalityGraph::LocalityGraph(const Lists& lines, std::uint32_t reach) {
  std::size_t touches = 0;
  for (const auto& list : lines) touches += list.size();
  LineNumbers numbers(touches);
  std::vector<std::uint32_t> number;  // of each line of each vertex
  number.reserve(touches);
  for (const auto& list : lines)
    for (const std::uint64_t line : list) number.push_back(numbers.number_of(line));
  const auto [first_sharer, sharers] = grouped(numbers.count(), [&](auto&& add) {
    std::size_t i = 0;
    for (std::size_t v = 0; v < lines.size(); ++v)
      for (std::size_t n = 0; n < lines[v].size(); ++n) add(number[i++], static_cast<Vertex>(v));
  });
  const auto [first_neighbour, neighbours] = grouped(lines.size(), [&](auto&& add) {
    for (std::size_t line = 0; line + 1 < first_sharer.size(); ++line)
      for (std::size_t i = first_sharer[line]; i < first_sharer[line + 1]; ++i)
        for (std::size_t k = i + 1; k < first_sharer[line + 1] && k <= i + reach; ++k) {
          add(sharers[i], sharers[k]);
          add(sharers[k], sharers[i]);
        }
  });
  std::vector<std::uint32_t> weights(lines.size(), 0);
  std::vector<Vertex> distinct;
  for (std::size_t v = 0; v < lines.size(); ++v) {
    first_.push_back(edges_.size());
    distinct.clear();
    for (std::size_t n = first_neighbour[v]; n < first_neighbour[v + 1]; ++n)
      if (weights[neighbours[n]]++ == 0) distinct.push_back(neighbours[n]);
    std::sort(distinct.begin(), distinct.end());
    for (const Vertex to : distinct) {
      edges_.push_back({to, weights[to]});
      weights[to] = 0;
    }
  }
  first_.push_back(edges_.size());
}

std::vector<LocalityGraph::Vertex> LocalityGraph::grow(const std::vector<Vertex>& members,
                                                       std::size_t count, Key key) const {
  enum : std::uint8_t { outside, candidate, grown };
  std::vector<std::uint8_t> state(first_.size() - 1, outside);
  for (const Vertex v : members) state[v] = candidate;
  std::vector<std::uint64_t> keys(first_.size() - 1, 0);
  // Largest key, then lowest vertex. Entries whose key has grown since are skipped.
  using Entry = std::pair<std::uint64_t, std::uint64_t>;
  std::priority_queue<Entry> queue;
  std::vector<Vertex> order;
  for (std::size_t next = 0; order.size() < count;) {
    Vertex chosen = 0;
    if (queue.empty()) {
      while (state[members[next]] == grown) ++next;
      chosen = members[next];
    } else {
      const auto [weight, inverted] = queue.top();
      queue.pop();
      chosen = static_cast<Vertex>(~inverted);
      if (state[chosen] == grown || keys[chosen] != weight) continue;
    }
    state[chosen] = grown;
    order.push_back(chosen);
    for (const Edge& edge : edges(chosen)) {
      if (state[edge.to] != candidate) continue;
      std::uint64_t& to = keys[edge.to];
      to = key == Key::sum ? to + edge.weight : std::max<std::uint64_t>(to, edge.weight);
      queue.emplace(to, ~std::uint64_t{edge.to});
    }
  }
  return order;
}

void LocalityGraph::bisect(std::vector<Vertex> members, std::size_t size, Groups& groups) const {
  if (members.size() <= size) {
    if (!members.empty()) groups.push_back(std::move(members));
    return;
  }
  const std::size_t parts = (members.size() + size - 1) / size;
  std::vector<Vertex> half = grow(members, parts / 2 * size, Key::sum);
  std::sort(half.begin(), half.end());
  std::vector<Vertex> rest;
  std::set_difference(members.begin(), members.end(), half.begin(), half.end(),
                      std::back_inserter(rest));
  bisect(std::move(half), size, groups);
  bisect(std::move(rest), size, groups);
}

LocalityGraph::Groups LocalityGraph::bisect(std::size_t size) const {
  std::vector<Vertex> all(first_.size() - 1);
  std::iota(all.begin(), all.end(), Vertex{0});
  Groups groups;
  bisect(std::move(all), size, groups);
  return groups;
}

LocalityGraph::Groups LocalityGraph::chain(std::size_t size) const {
  std::vector<Vertex> all(first_.size() - 1);
  std::iota(all.begin(), all.end(), Vertex{0});
  const std::vector<Vertex> order = grow(all, all.size(), Key::largest);
  Groups groups;
  for (std::size_t i = 0; i < order.size(); i += size) {
    const std::size_t end = std::min(i + size, order.size());
    groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(i),
                        order.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return groups;
}

std::uint64_t LocalityGraph::weight() const {
  std::uint64_t sum = 0;
  for (const Edge& edge : edges_) sum += edge.weight;
  return sum / 2;
}

std::uint64_t LocalityGraph::weight_inside(const Groups& groups) const {
  std::vector<std::size_t> group_of(first_.size() - 1, groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const Vertex v : groups[g]) group_of[v] = g;
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v + 1 < first_.size(); ++v)
    for (const Edge& edge : edges(static_cast<Vertex>(v)))
      if (group_of[v] == group_of[edge.to]) sum += edge.weight;
  return sum / 2;
}

std::uint32_t LocalityGraph::weight(Vertex a, Vertex b) const {
  for (const Edge& edge : edges(a))
    if (edge.to == b) return edge.weight;
  return 0;
}

}  // namespace heddle::gpu
