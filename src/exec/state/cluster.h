// Clusters of CTAs: which CTAs of a launch belong together, and where those that run are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::exec {

struct Cta;

inline constexpr std::uint32_t kMaxClusterCtas = 16;
// The shared memory of the CTAs of a cluster, one after the other, in the window of shared memory.
inline constexpr int kClusterAddressBits = 24;

// How the grid is divided. CTAs have ranks in their cluster, x fastest.
struct ClusterShape {
  Dim3 grid, cluster;

  struct Place {
    std::uint64_t cluster = 0;
    std::uint32_t rank = 0;
  };
  std::uint32_t ctas() const { return static_cast<std::uint32_t>(cluster.count()); }
  Dim3 clusters() const { return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z}; }
  Place place_of(std::uint64_t cta) const;
  std::uint64_t cta_at(const Place& place) const;
};

// The CTAs of a launch with clusters of several CTAs. CTAs start and end in parallel; others are
// looked up between windows, or in functional runs.
struct ClusterCtas {
  struct Entry {
    Cta* cta = nullptr;  // while it runs
    bool ended = false;
  };
  explicit ClusterCtas(const ClusterShape& shape_) : shape(shape_), entries(shape_.grid.count()) {}
  Entry& with_rank(std::uint64_t member, std::uint32_t rank) {
    return entries[shape.cta_at({shape.place_of(member).cluster, rank})];
  }
  // All live threads of the cluster have arrived at its barrier.
  bool all_arrived(std::uint64_t cluster) const;

  ClusterShape shape;
  std::vector<Entry> entries;  // by CTA
};

}  // namespace heddle::exec
