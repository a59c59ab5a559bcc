#include "gpu/kernel_names.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

using Names = std::vector<std::string>;

TEST(KernelNames, AnOrdinaryKernelHasAMangledAndAPlainName) {
  EXPECT_EQ(kernel_aliases("_Z6kernelPfi"), (Names{"_Z6kernelPfi", "kernel"}));
  EXPECT_EQ(kernel_aliases("plain_c"), (Names{"plain_c"}));
}

TEST(KernelNames, TemplateArgumentsAndNamespacesAreOptional) {
  EXPECT_EQ(kernel_aliases("_ZN2ns5scaleIfEEvPT_"),
            (Names{"_ZN2ns5scaleIfEEvPT_", "ns::scale<float>", "ns::scale", "scale"}));
}

TEST(KernelNames, AnonymousNamespacesAndFunctionTypesAreHandled) {
  EXPECT_EQ(kernel_short_name("_ZN12_GLOBAL__N_11kEPFviE"), "k");
}

TEST(KernelNames, ANameThatIsNotMangledHasNoAliases) {
  EXPECT_EQ(kernel_aliases("f"), (Names{"f"}));  // "f" alone would demangle to a type
}

}  // namespace
}  // namespace heddle::gpu
