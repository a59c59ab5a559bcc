// Compiles and tests the share policy of docs/write-a-share-policy.md, and compares the page with
// the files in docs/examples.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define weighted guide_weighted
#define Weighted GuideWeighted
#include "docs/examples/weighted.cc"
#include "docs/examples/weighted_test.cc"
#undef Weighted

namespace heddle::gpu {

TEST(WriteASharePolicy, ShowsTheCompiledPolicyAndItsTest) {
  Guide("write-a-share-policy.md").check_example("weighted");
}

TEST(WriteASharePolicy, ShowsTheMessageThatAWrongValueGives) {
  Guide("write-a-share-policy.md").check_message_of([] { weighted().parse("first=0"); });
}

}  // namespace heddle::gpu
#undef weighted
