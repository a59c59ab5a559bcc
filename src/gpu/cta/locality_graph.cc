#include "gpu/cta/locality_graph.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

namespace heddle::gpu {
namespace {

// Pairs of CTAs that share a line, both directions, once per line.
std::vector<std::uint64_t> sharing_pairs(const std::vector<std::vector<std::uint64_t>>& lines,
                                         std::uint32_t reach) {
  std::vector<std::pair<std::uint64_t, LocalityGraph::Vertex>> touched;
  for (std::size_t v = 0; v < lines.size(); ++v)
    for (const std::uint64_t line : lines[v])
      touched.emplace_back(line, static_cast<LocalityGraph::Vertex>(v));
  std::sort(touched.begin(), touched.end());
  std::vector<std::uint64_t> pairs;
  for (std::size_t i = 0; i < touched.size(); ++i)
    for (std::size_t k = i + 1; k < touched.size() && k <= i + reach; ++k) {
      if (touched[k].first != touched[i].first) break;
      const std::uint64_t a = touched[i].second, b = touched[k].second;
      pairs.push_back(a << 32 | b);
      pairs.push_back(b << 32 | a);
    }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

LocalityGraph::LocalityGraph(const std::vector<std::vector<std::uint64_t>>& lines,
                             std::uint32_t reach) {
  const std::vector<std::uint64_t> pairs = sharing_pairs(lines, reach);
  std::size_t next = 0;
  for (std::size_t v = 0; v < lines.size(); ++v) {
    first_.push_back(edges_.size());
    for (; next < pairs.size() && pairs[next] >> 32 == v; ++next) {
      const auto to = static_cast<Vertex>(pairs[next]);
      if (edges_.size() > first_[v] && edges_.back().to == to)
        ++edges_.back().weight;
      else
        edges_.push_back({to, 1});
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
