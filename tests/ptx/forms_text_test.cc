// The notation that docs/cuda-support.md explains.
#include <gtest/gtest.h>

#include "ptx/forms/forms.h"

namespace heddle::ptx {
namespace {

TEST(FormsText, ShowsModifiersAndOperandsInTheManualsNotation) {
  EXPECT_EQ(forms_text("fma.{rn,rz,rm,rp}.f64"), "fma.{rn,rz,rm,rp}.f64 d, a, b, c\n");
  EXPECT_EQ(forms_text("activemask"), "activemask.b32 d\n");
  EXPECT_EQ(forms_text("cnot"), "cnot.{b16,b32,b64} d, a\n");
}

}  // namespace
}  // namespace heddle::ptx
