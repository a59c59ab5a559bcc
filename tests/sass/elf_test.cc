#include "sass/cubin/elf.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "tests/sass/cubin_text.h"

namespace heddle::sass {
namespace {

TEST(Elf, HasSectionsSymbolsAndRelocations) {
  const std::string cubin = small_cubin();
  const Elf elf = read_elf(bytes_of(cubin));
  EXPECT_EQ(elf.architecture, 80);
  ASSERT_TRUE(elf.section(".text.add"));
  EXPECT_EQ(elf.section(".text.add")->data.size(), 32U);
  EXPECT_FALSE(elf.section(".text.sub"));
  ASSERT_EQ(elf.symbols.size(), 2U);
  EXPECT_EQ(elf.symbols[1].name, "add");
  ASSERT_EQ(elf.relocations_of(".debug_line").size(), 1U);
  EXPECT_EQ(elf.relocations_of(".debug_line")[0].symbol, 1U);
}

// CUDA 13 moves the architecture into the second byte.
TEST(Elf, KnowsTheFlagsOfCuda13) {
  std::string cubin = small_cubin();
  cubin[8] = 8;
  cubin[48] = 4;
  cubin[49] = 90;
  EXPECT_EQ(read_elf(bytes_of(cubin)).architecture, 90);
}

TEST(Elf, RefusesWhatIsNoCubin) {
  EXPECT_FALSE(is_cubin(bytes_of("no cubin")));
  EXPECT_THROW(read_elf(bytes_of("no cubin")), UserError);
}

TEST(Elf, RefusesEveryTruncation) {
  const std::string cubin = small_cubin();
  for (std::size_t size = 64; size < cubin.size(); ++size)
    EXPECT_THROW(read_elf(bytes_of(cubin.substr(0, size))), UserError) << size;
}

}  // namespace
}  // namespace heddle::sass
