#include "cuda/process/machine_code.h"

#include <gtest/gtest.h>

#include "tests/sass/cubin_text.h"

namespace heddle::cuda {
namespace {

// Of sm_80: `value` of eight bytes, then `table` of two words, whose second one is &value + 4.
std::string cubin_with_a_table() {
  using sass::number;
  constexpr std::uint16_t kVariable = 0x11;  // a global object
  const std::string data = number(std::uint64_t{7}) + std::string(16, '\0');
  const std::string relocation = number(std::uint64_t{16}) + number(std::uint32_t{2}) +
                                 number(std::uint32_t{1}) + number(std::int64_t{4});
  return sass::cubin_of(
      80, {{".nv.global.init", 1, data}, {".rela.nv.global.init", 4, relocation, 1, 3}},
      {{"value", 3, kVariable, 0, 8}, {"table", 3, kVariable, 8, 16}});
}

TEST(ProgramCubins, AVariableIsInitialisedWithAddressesOfOthers) {
  config::RunSpec spec;
  spec.gpu.compute_major = 8;
  spec.gpu.compute_minor = 0;
  const Registry registry;
  exec::GlobalMemory memory(1 << 20);
  exec::TextureTable textures;
  ProgramCubins cubins(registry, spec, memory, textures);
  const Registry::Binary binary{nullptr};
  cubins.load(&binary, cubin_with_a_table(), "tables.cubin");
  const auto value = cubins.variable(&binary, "value"), table = cubins.variable(&binary, "table");
  ASSERT_TRUE(value && table);
  EXPECT_EQ(table->bytes, 16u);
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), memory.host(table->address), sizeof words);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], value->address.value + 4);
  std::memcpy(words.data(), memory.host(value->address), 8);
  EXPECT_EQ(words[0], 7u);
  EXPECT_FALSE(cubins.variable(&binary, "other"));
}

}  // namespace
}  // namespace heddle::cuda
