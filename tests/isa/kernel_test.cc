#include <gtest/gtest.h>

#include "isa/kernel.h"

namespace heddle::isa {
namespace {

// A loop 1..3 whose branch at 3 closes it.
Kernel loop_with_lines(std::vector<std::uint32_t> sources) {
  Kernel kernel;
  kernel.source_lines = {{}, {"a.cu", 10}, {"a.cu", 11}};
  kernel.instructions.resize(sources.size());
  for (std::size_t pc = 0; pc < sources.size(); ++pc) kernel.instructions[pc].source = sources[pc];
  kernel.loops.push_back({1, Loop::kNone, 1, {3}, {{1, 4}}});
  return kernel;
}
std::uint32_t line_of_loop(const Kernel& kernel) { return line_of(kernel, kernel.loops[0]).line; }

TEST(Loop, HasTheLineOfTheBranchThatClosesIt) {
  EXPECT_EQ(line_of_loop(loop_with_lines({0, 1, 1, 2})), 11u);
}

TEST(Loop, HasOtherwiseTheFirstKnownLineOfItsBody) {
  EXPECT_EQ(line_of_loop(loop_with_lines({2, 0, 1, 0})), 10u);
  EXPECT_EQ(line_of_loop(loop_with_lines({2, 0, 0, 0})), 0u);
}

TEST(Kernel, IsDestroyedAsTheKindOfCodeThatItIs) {
  struct Derived final : Kernel {
    explicit Derived(bool& gone_) : gone(gone_) {}
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;
    ~Derived() override { gone = true; }
    bool& gone;
  };
  bool gone = false;
  { const std::unique_ptr<Kernel> kernel = std::make_unique<Derived>(gone); }
  EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace heddle::isa
