#include "sass/cubin/cubin.h"

#include <gtest/gtest.h>

#include <random>

#include "base/diagnostics.h"
#include "tests/sass/cubin_text.h"

namespace heddle::sass {
namespace {

TEST(Cubins, HaveKernelsAndConstantBanks) {
  const std::string text = small_cubin();
  const Cubin cubin = read_cubin(bytes_of(text));
  ASSERT_EQ(cubin.code.size(), 1U);
  EXPECT_EQ(cubin.code[0].name, "add");
  EXPECT_TRUE(cubin.code[0].kernel);
  EXPECT_EQ(cubin.code[0].words.size(), 2U);
  EXPECT_EQ(cubin.code[0].words[1].low, 0x000000000000794dU);
  ASSERT_EQ(cubin.constants.size(), 2U);
  EXPECT_EQ(cubin.constants[0].bank, 3);
  EXPECT_EQ(cubin.constants[0].code, "");
  EXPECT_EQ(cubin.constants[1].bank, 0);
  EXPECT_EQ(cubin.constants[1].code, "add");
}

TEST(Cubins, AFunctionWithAttributesIsNoKernel) {
  std::string bytes = small_cubin();
  Cubin cubin = read_cubin(bytes_of(bytes));
  EXPECT_TRUE(cubin.code[0].kernel);
  const std::size_t symbol = bytes.find(number(std::uint16_t{0x1002}));
  bytes[symbol + 1] = 0;
  EXPECT_FALSE(read_cubin(bytes_of(bytes)).code[0].kernel);
}

TEST(Cubins, HaveNamesWithoutControlCharacters) {
  std::string text = small_cubin();
  const std::size_t name = text.find(".text.");
  ASSERT_NE(name, std::string::npos);
  text[name + 6] = '\x1b';
  EXPECT_THROW(read_cubin(bytes_of(text)), UserError);
}

TEST(Cubins, SurviveDamage) {
  std::mt19937_64 random(7);
  const std::string good = small_cubin();
  for (int i = 0; i < 20'000; ++i) {
    std::string bad = good;
    for (int n = static_cast<int>(random() % 4); n >= 0; --n)
      bad[random() % bad.size()] = static_cast<char>(random());
    try {
      read_cubin(bytes_of(bad));
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("cubin"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace heddle::sass
