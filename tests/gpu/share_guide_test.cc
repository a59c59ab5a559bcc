// Compiles and tests the share policy that docs/write-a-share-policy.md shows.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define weighted guide_weighted
#define Weighted GuideWeighted
#include "guides/weighted.cc"
#include "guides/weighted_test.cc"
#undef Weighted

namespace heddle::gpu {

TEST(WriteASharePolicy, ShowsTheMessageThatAWrongValueGives) {
  check_guide_message("write-a-share-policy.md", [] { weighted().parse("first=0"); });
}

}  // namespace heddle::gpu
#undef weighted
