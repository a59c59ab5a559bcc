// Directives of kernels from LLVM's list of annotations.
#include "cuda/compile/patches/kernel_attributes.h"

#include <gtest/gtest.h>

#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

std::string ir_with(const std::string& entry, const std::string& name = "heddle_maxnreg",
                    const std::string& numbers = "{ i32 } { i32 40 }") {
  return "; k\n@.s = private constant [15 x i8] c\"" + name +
         "\\00\"\n@.f = private constant [5 x i8] c\"a.cu\\00\"\n@.a = private constant " +
         numbers +
         "\n@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] "
         "[{ ptr, ptr, ptr, i32, ptr } { " +
         entry + " }]\n";
}
std::string outcome_of(const std::string& ir, int architecture = 80) {
  std::string text;
  const std::string message = message_of(
      [&] { text = with_kernel_attributes(".entry k(.param .b32 a) { ret; }", ir, architecture); },
      "");
  return message.empty() ? text : message;
}

TEST(KernelAttributes, AreWrittenBeforeTheBody) {
  EXPECT_EQ(outcome_of(ir_with("ptr @k, ptr @.s, ptr @.f, i32 7, ptr @.a")),
            ".entry k(.param .b32 a) .maxnreg 40\n{ ret; }");
  for (const char* other :
       {"ptr @g, ptr @.s, ptr @.f, i32 7, ptr @.a", "ptr @k, ptr @.f, ptr @.f, i32 7, ptr null",
        "ptr addrspacecast (ptr addrspace(1) @v to ptr), ptr @.s, ptr @.f, i32 7, ptr @.a"})
    EXPECT_EQ(outcome_of(ir_with(other)), ".entry k(.param .b32 a) { ret; }") << other;
}

TEST(KernelAttributes, ClustersNeedSm90) {
  const std::string ir = ir_with("ptr @k, ptr @.s, ptr @.f, i32 7, ptr @.a", "heddle_cluster_dims",
                                 "{ i32, i32, i32 } { i32 2, i32 1, i32 1 }");
  EXPECT_EQ(outcome_of(ir, 90),
            ".entry k(.param .b32 a) .explicitcluster\n.reqnctapercluster 2, 1, 1\n{ ret; }");
  EXPECT_EQ(outcome_of(ir, 89),
            "a.cu:7: __cluster_dims__ needs -arch=sm_90 or a later architecture");
}

TEST(KernelAttributes, ADamagedTextIsRefusedAtItsLine) {
  const std::string place = "clang's LLVM text of the device code, line 5: an annotation ";
  EXPECT_EQ(outcome_of(ir_with("ptr @k, ptr @.s, ptr @.f, i32")), place + "lacks a part");
  EXPECT_EQ(outcome_of(ir_with("ptr @k, ptr @.s, ptr @.f i32 7, ptr @.a")), place + "lacks a part");
  EXPECT_EQ(outcome_of(ir_with("ptr @k, ptr @.s, ptr @.f, i32 7, ptr @.b")),
            place + "of Heddle's has no numbers");
}

}  // namespace
}  // namespace heddle::cuda
