// docs/cuda-support.md shows the table of forms.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ptx/forms/forms.h"

namespace heddle::ptx {
namespace {

TEST(SupportPage, ListsTheAcceptedForms) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/docs/cuda-support.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find("```\n" + forms_text("") + "```\n"), std::string::npos)
      << "replace the list with the output of: heddle list ptx";
}

TEST(SupportPage, ShowsModifiersAndOperandsInTheManualsNotation) {
  EXPECT_EQ(forms_text("fma.{rn,rz,rm,rp}.f64"), "fma.{rn,rz,rm,rp}.f64 d, a, b, c\n");
  EXPECT_EQ(forms_text("activemask"), "activemask.b32 d\n");
  EXPECT_EQ(forms_text("cnot"), "cnot.{b16,b32,b64} d, a\n");
}

}  // namespace
}  // namespace heddle::ptx
