// Compiles and tests the CTA scheduler that docs/write-a-cta-scheduler.md shows.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define chunks guide_chunks
#define Chunks GuideChunks
#include "guides/chunks.cc"
#include "guides/chunks_test.cc"
#undef Chunks

namespace heddle::gpu {

TEST(WriteACtaScheduler, ShowsTheMessageThatAWrongValueGives) {
  check_guide_message("write-a-cta-scheduler.md", [] { chunks().parse("size=0"); });
}

}  // namespace heddle::gpu
#undef chunks
