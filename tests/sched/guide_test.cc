// Compiles and tests the policy that docs/write-a-scheduler.md shows.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define bounded_greed guide_bounded_greed
#define BoundedGreed GuideBoundedGreed
#include "guides/bounded_greed.cc"
#include "guides/bounded_greed_test.cc"
#undef BoundedGreed

namespace heddle::sched {

TEST(WriteAScheduler, ShowsTheMessageThatAWrongValueGives) {
  check_guide_message("write-a-scheduler.md", [] { bounded_greed().parse("run=0"); });
}

}  // namespace heddle::sched
