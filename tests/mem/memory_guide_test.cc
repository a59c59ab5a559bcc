// Compiles and tests the replacement policy that docs/write-a-memory-policy.md shows.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define nru guide_nru
#define NotRecentlyUsed GuideNotRecentlyUsed
#include "guides/nru.cc"
#include "guides/nru_test.cc"
#undef NotRecentlyUsed

namespace heddle::mem {

TEST(WriteAMemoryPolicy, ShowsTheMessageThatAWrongValueGives) {
  check_guide_message("write-a-memory-policy.md",
                      [] { policies::parse<ReplacementEntry>("srrip:bits=9"); });
}

}  // namespace heddle::mem
#undef nru
