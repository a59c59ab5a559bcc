#include "base/demangle.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Demangle, ReturnsTheSourceForm) {
  EXPECT_EQ(demangle("_Z6vecaddPKfS0_Pfi"), "vecadd(float const*, float const*, float*, int)");
  EXPECT_EQ(demangle("vecadd"), "vecadd");
}

TEST(PlainName, HasNoTemplateArgumentsAndParameters) {
  EXPECT_EQ(plain_name("_Z6vecaddPKfS0_Pfi"), "vecadd");
  EXPECT_EQ(plain_name("_ZN2ns4scanIiEEvPT_"), "ns::scan");
}

TEST(PlainName, HasNoVersionNamespaces) {
  EXPECT_EQ(plain_name("_ZN3cub17CUB_101702_750_NS10ScanKernelIiEEvPT_"), "cub::ScanKernel");
  EXPECT_EQ(plain_name("_ZN20THRUST_200700_750_NS4fillEPi"), "fill");
  EXPECT_EQ(plain_name("_ZN5my_NS4fillEPi"), "my_NS::fill");
}

TEST(LegibleName, IsThePlainNameWhereTheFullNameIsLong) {
  EXPECT_EQ(readable_name("_ZN2ns4scanIiEEvPT_"), "void ns::scan<int>(int*)");
  std::string arguments;
  for (int i = 0; i < 80; ++i) arguments += "i";
  EXPECT_EQ(readable_name("_ZN2ns4scanIJ" + arguments + "EEEvv"), "ns::scan<...>(...)");
}

}  // namespace
}  // namespace heddle
