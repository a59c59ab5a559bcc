// Compiles and tests the replacement policy of docs/write-a-memory-policy.md, and compares the page
// with the files in docs/examples.
#include "tests/guide.h"

// Renamed here, so that a reader who adds the example to the tree gets no duplicate definition.
#define nru guide_nru
#define NotRecentlyUsed GuideNotRecentlyUsed
#include "docs/examples/nru.cc"
#include "docs/examples/nru_test.cc"
#undef NotRecentlyUsed

namespace heddle::mem {

TEST(WriteAMemoryPolicy, ShowsTheCompiledPolicyAndItsTest) {
  Guide("write-a-memory-policy.md").check_example("nru");
}

TEST(WriteAMemoryPolicy, ShowsTheMessageThatAWrongValueGives) {
  Guide("write-a-memory-policy.md").check_message_of([] {
    policies::parse<ReplacementEntry>("srrip:bits=9");
  });
}

}  // namespace heddle::mem
#undef nru
