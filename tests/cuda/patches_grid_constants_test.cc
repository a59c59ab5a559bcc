// Marks of grid constants in LLVM's text.
#include "cuda/compile/patches/grid_constants.h"

#include <gtest/gtest.h>

#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

std::string with_body(const std::string& body, const std::string& list, const std::string& nodes) {
  return "; ModuleID = 'k'\n@.str = private constant [21 x i8] c\"heddle_grid_constant\\00\", "
         "section \"m\"\n"
         "@.str1 = private constant [6 x i8] c\"other\\00\", section \"m\"\n"
         "define void @k(ptr byval(%\"struct.S<int, 2>\") align 4 %0, ptr %1, ptr byval({ i32, i32 "
         "}) %2, i32 %3) #0 {\n" +
         body + "  ret void\n}\n!nvvm.annotations = !{!0" + list +
         "}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n!7 = !{i32 2}\n" + nodes;
}
std::string annotation(const std::string& of, const std::string& text) {
  return "  call void @llvm.var.annotation.p0.p0(ptr " + of + ", ptr " + text +
         ", ptr @.file, i32 3, ptr null)\n";
}

TEST(GridConstants, OfAKernelAreInOneMark) {
  EXPECT_EQ(
      with_grid_constants(with_body(annotation("%0", "@.str") + annotation("%2", "@.str"), "", "")),
      with_body("", ", !8", "!8 = !{ptr @k, !\"grid_constant\", !{i32 1, i32 3}}\n"));
}

TEST(GridConstants, OfNumbersNeedNoMark) {
  EXPECT_EQ(with_grid_constants(with_body(annotation("%5", "@.str"), "", "")),
            with_body("", "", ""));
}

TEST(GridConstants, DoNotChangeOtherAnnotations) {
  const std::string other = with_body(annotation("%0", "@.str1"), "", "");
  EXPECT_EQ(with_grid_constants(other), other);
}

TEST(GridConstants, ADamagedTextIsRefusedAtItsLine) {
  EXPECT_EQ(message_of([] { with_grid_constants("; k\ndefine void k(i32 %0) {\n"); }),
            "clang's LLVM text of the device code, line 2: a function lacks its name or its "
            "parameters");
  std::string unended = with_body(annotation("%0", "@.str"), "", "");
  unended.resize(unended.rfind("annotations = !{") + 16);
  EXPECT_EQ(message_of([&] { with_grid_constants(unended); }),
            "clang's LLVM text of the device code, line 8: the list of annotations does not end");
}

}  // namespace
}  // namespace heddle::cuda
