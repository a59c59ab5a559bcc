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

TEST(PlainName, ContainsAnonymousNamespacesAtEveryLevel) {
  EXPECT_EQ(plain_name("_ZN12_GLOBAL__N_15firstILi1EEEvPi"), "(anonymous namespace)::first");
  EXPECT_EQ(plain_name("_ZN5outer12_GLOBAL__N_15firstILi1EEEvPi"),
            "outer::(anonymous namespace)::first");
  EXPECT_EQ(plain_name("_ZN5outer12_GLOBAL__N_15inner12_GLOBAL__N_16secondEPi"),
            "outer::(anonymous namespace)::inner::(anonymous namespace)::second");
}

TEST(PlainName, IsReadFromANameThatCannotBeDemangled) {
  EXPECT_EQ(plain_name("_ZN5outer12_GLOBAL__N_15firstI??"), "outer::(anonymous namespace)::first");
  EXPECT_EQ(plain_name("_ZL5firstI??"), "first");
  EXPECT_EQ(plain_name("_Z99short"), "_Z99short");
  EXPECT_EQ(plain_name("_Z99999999999999999999999short"), "_Z99999999999999999999999short");
}

TEST(PlainName, HasNoVersionNamespaces) {
  EXPECT_EQ(plain_name("_ZN3cub17CUB_101702_750_NS10ScanKernelIiEEvPT_"), "cub::ScanKernel");
  EXPECT_EQ(plain_name("_ZN20THRUST_200700_750_NS4fillEPi"), "fill");
  EXPECT_EQ(plain_name("_ZN5my_NS4fillEPi"), "my_NS::fill");
}

TEST(PlainName, HasNoTagsOfVersions) {
  EXPECT_EQ(plain_name("_ZN8__main__3addB2v1B10cw51cXTLSUE5ArrayIfLi1E1CE"), "__main__::add");
  EXPECT_EQ(readable_name("_ZN8__main__3addB2v1Ei"), "__main__::add(int)");
}

TEST(LegibleName, IsThePlainNameWhereTheFullNameIsLong) {
  EXPECT_EQ(readable_name("_ZN2ns4scanIiEEvPT_"), "void ns::scan<int>(int*)");
  std::string arguments;
  for (int i = 0; i < 80; ++i) arguments += "i";
  EXPECT_EQ(readable_name("_ZN2ns4scanIJ" + arguments + "EEEvv"), "ns::scan<...>(...)");
}

}  // namespace
}  // namespace heddle
