// Compiles and tests the CTA scheduler of docs/write-a-cta-scheduler.md, and compares the page with
// the files in docs/examples.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define chunks guide_chunks
#define Chunks GuideChunks
#include "docs/examples/chunks.cc"
#include "docs/examples/chunks_test.cc"
#undef Chunks

namespace heddle::gpu {

TEST(WriteACtaScheduler, ShowsTheCompiledPolicyAndItsTest) {
  Guide("write-a-cta-scheduler.md").check_example("chunks");
}

TEST(WriteACtaScheduler, ShowsTheMessageThatAWrongValueGives) {
  Guide("write-a-cta-scheduler.md").check_message_of([] { chunks().parse("size=0"); });
}

}  // namespace heddle::gpu
#undef chunks
