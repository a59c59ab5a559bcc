#include "report/kernel_labels.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using Names = std::vector<std::string>;

TEST(KernelLabels, OuterNamespacesOfWideNamesAreOmitted) {
  EXPECT_EQ(kernel_labels(Names{"ns::scan"}), Names{"ns::scan"});
  EXPECT_EQ(kernel_labels(Names{"outer::(anonymous namespace)::first"}), Names{"…::first"});
  EXPECT_EQ(kernel_labels(Names{"at::native::elementwise::vectorized_elementwise_kernel"}),
            Names{"…::vectorized_elementwise_kernel"});
  const std::string wide(80, 'k');
  EXPECT_EQ(kernel_labels(Names{wide, "a::" + wide}), (Names{wide, "…::" + wide}));
}

TEST(KernelLabels, DifferentNamesStayDifferent) {
  const Names names{"outer_one::(anonymous namespace)::first",
                    "outer_two::(anonymous namespace)::first"};
  EXPECT_EQ(kernel_labels(names), names);
  EXPECT_EQ(kernel_labels(Names{names[0], names[0]}), (Names{"…::first", "…::first"}));
}

}  // namespace
}  // namespace heddle::report
