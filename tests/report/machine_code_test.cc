#include "report/machine_code.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "tests/sass/cubin_text.h"

namespace heddle::report {
namespace {

std::vector<MachineCode> small(int damaged_instructions = 0) {
  const std::string bytes = sass::small_cubin();
  std::vector<MachineCode> files;
  files.push_back({"add.cubin", sass::read_cubin(sass::bytes_of(bytes))});
  for (int i = 0; i < damaged_instructions; ++i) files[0].cubin.code[0].words[0] = {0xfff, 0};
  return files;
}

TEST(MachineCodeListing, HasControlWordsAndSourceLines) {
  const MachineCodeText listing = machine_code_text(small(), "");
  EXPECT_TRUE(listing.complete);
  EXPECT_EQ(
      listing.text,
      "// add.cubin: sm_80\n"
      "// kernel add: 12 registers, 32 bytes of stack, 12 bytes of parameters at c[0x0][0x160]\n"
      "  // add.cu:7\n"
      "  /*0000*/ B------:R-:W-:-:S02  MOV R1, c[0x0][0x28]\n"
      "  // add.cu:9\n"
      "  /*0010*/ B------:R-:W-:-:S05  EXIT\n");
}

TEST(MachineCodeListing, NamesWhatIsNotKnownWithItsAddress) {
  const MachineCodeText listing = machine_code_text(small(1), "add");
  EXPECT_FALSE(listing.complete);
  EXPECT_NE(listing.text.find("/*0000*/ 0x00000000000000000000000000000fff  // not known: opcode "
                              "0xfff of sm_80"),
            std::string::npos)
      << listing.text;
}

TEST(MachineCodeListing, IsJson) {
  const auto json = nlohmann::json::parse(machine_code_json(small(), "").text);
  EXPECT_EQ(json[0]["architecture"], 80);
  const auto& code = json[0]["code"][0];
  EXPECT_EQ(code["registers"], 12);
  EXPECT_EQ(code["instructions"][0]["opcode"], "MOV");
  EXPECT_EQ(code["instructions"][0]["control"]["stall_cycles"], 2);
  EXPECT_EQ(code["instructions"][1]["source"][1], 9);
}

TEST(MachineCodeListing, RefusesAKernelThatIsNotThere) {
  EXPECT_THROW(machine_code_text(small(), "sub"), UserError);
}

}  // namespace
}  // namespace heddle::report
