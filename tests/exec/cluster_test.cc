#include "exec/state/cluster.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::exec {
namespace {

TEST(ClusterShape, ACtaHasARankInItsCluster) {
  const ClusterShape shape{{8, 4, 2}, {4, 2, 1}};
  EXPECT_EQ(shape.ctas(), 8u);
  EXPECT_EQ(shape.clusters(), (Dim3{2, 2, 2}));
  const ClusterShape::Place place = shape.place_of(8 * 4 + 8 * 3 + 5);  // (5, 3, 1)
  EXPECT_EQ(place.rank, 5u);                                            // (1, 1, 0)
  EXPECT_EQ(place.cluster, 7u);                                         // (1, 1, 1)
}

TEST(ClusterShape, EveryCtaHasOnePlace) {
  const ClusterShape shape{{6, 4, 4}, {3, 2, 2}};
  std::set<std::uint64_t> ctas;
  for (std::uint64_t cluster = 0; cluster < shape.clusters().count(); ++cluster)
    for (std::uint32_t rank = 0; rank < shape.ctas(); ++rank) {
      const std::uint64_t cta = shape.cta_at({cluster, rank});
      ctas.insert(cta);
      EXPECT_EQ(shape.place_of(cta).cluster, cluster);
      EXPECT_EQ(shape.place_of(cta).rank, rank);
    }
  EXPECT_EQ(ctas.size(), shape.grid.count());
  EXPECT_EQ(*ctas.rbegin(), shape.grid.count() - 1);
}

TEST(ClusterCtas, TheBarrierWaitsForCtasThatHaveNotStarted) {
  ClusterCtas clusters{ClusterShape{{4, 1, 1}, {2, 1, 1}}};
  EXPECT_FALSE(clusters.all_arrived(1));
  clusters.entries[2] = clusters.entries[3] = {nullptr, true};
  EXPECT_TRUE(clusters.all_arrived(1));
}

}  // namespace
}  // namespace heddle::exec
