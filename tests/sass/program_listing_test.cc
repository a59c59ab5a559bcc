#include "sass/program_listing.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "sass/listing.h"
#include "tests/sass/cubin_text.h"

namespace heddle::sass {
namespace {

TEST(ProgramListing, HasEveryInstructionWithItsLine) {
  const std::string text = small_cubin();
  const Cubin cubin = read_cubin(bytes_of(text));
  const auto listing = list_code(cubin.code[0], cubin.architecture);
  ASSERT_EQ(listing.size(), 2U);
  EXPECT_EQ(instruction_text(std::get<Instruction>(listing[0].decoded)), "MOV R1, c[0x0][0x28]");
  EXPECT_EQ(listing[1].address, 16U);
  ASSERT_TRUE(listing[1].source);
  EXPECT_EQ(listing[1].source->line, 9U);
}

TEST(ProgramListing, RefusesAnArchitectureByName) {
  try {
    list_code(Code{}, 61);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()),
              "machine code of sm_61 is not known; known are sm_75, sm_80, sm_86, sm_89, sm_90");
  }
}

}  // namespace
}  // namespace heddle::sass
