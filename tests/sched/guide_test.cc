// Compiles and tests the policy of docs/write-a-scheduler.md, and compares the page with the files
// in docs/examples.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define bounded_greed guide_bounded_greed
#define BoundedGreed GuideBoundedGreed
#include "docs/examples/bounded_greed.cc"
#include "docs/examples/bounded_greed_test.cc"
#undef BoundedGreed

namespace heddle::sched {

TEST(WriteAScheduler, ShowsTheCompiledPolicyAndItsTest) {
  Guide("write-a-scheduler.md").check_example("bounded_greed");
}

TEST(WriteAScheduler, ShowsTheMessageThatAWrongValueGives) {
  Guide("write-a-scheduler.md").check_message_of([] { bounded_greed().parse("run=0"); });
}

}  // namespace heddle::sched
