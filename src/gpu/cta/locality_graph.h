// Which CTAs share lines, as a graph, and groups of CTAs that share many (PAVER: Tripathy et al.,
// TACO 2021). The vertices are the CTAs of one segment of the grid, numbered from 0; the weight of
// an edge is the number of lines that both CTAs touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::gpu {

class LocalityGraph {
 public:
  using Vertex = std::uint32_t;

  // lines[v]: the lines that CTA v touches, each once. A line that many CTAs share says little, and
  // would make the graph large: each CTA is connected with the next `reach` sharers only.
  LocalityGraph(const std::vector<std::vector<std::uint64_t>>& lines, std::uint32_t reach);

  // Groups of `size` vertices each, the last one perhaps smaller; neighbours in the list share more
  // than others. bisect() cuts the graph in halves again and again; chain() follows a maximum
  // spanning tree. Both prefer low numbers among equals, so an empty graph gives consecutive
  // vertices.
  using Groups = std::vector<std::vector<Vertex>>;
  Groups bisect(std::size_t size) const;
  Groups chain(std::size_t size) const;

  std::uint64_t weight() const;                      // of all edges
  std::uint64_t weight_inside(const Groups&) const;  // of edges inside a group
  std::uint32_t weight(Vertex a, Vertex b) const;

 private:
  struct Edge {
    Vertex to;
    std::uint32_t weight;
  };
  std::span<const Edge> edges(Vertex v) const {
    return std::span(edges_).subspan(first_[v], first_[v + 1] - first_[v]);
  }
  // The first `count` of `members` in the order of growth from the lowest one. The next vertex is
  // that with the largest key: the sum of the weights to the grown part, or the largest of them.
  enum class Key { sum, largest };
  std::vector<Vertex> grow(const std::vector<Vertex>& members, std::size_t count, Key key) const;
  void bisect(std::vector<Vertex> members, std::size_t size, Groups& groups) const;

  std::vector<std::size_t> first_;  // by vertex: its first edge
  std::vector<Edge> edges_;         // both directions
};

}  // namespace heddle::gpu
