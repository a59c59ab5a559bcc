#include "trace/launch_reader.h"

#include <gtest/gtest.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

KernelHeader small_header() {
  KernelHeader h;
  h.name = "k";
  h.grid = {2, 1, 1};
  h.block = {40, 1, 1};
  h.registers = 16;
  h.architecture = 80;
  h.version = 4;
  return h;
}

void add_cta(LaunchReader& reader, std::uint32_t x) {
  reader.begin_cta({x, 0, 0});
  for (std::uint64_t w = 0; w < 2; ++w) {
    reader.begin_warp(w);
    reader.set_instructions(1);
    reader.add_instruction("0000 ffffffff 0 EXIT 0 0 ");
  }
  reader.end_cta();
}

TEST(LaunchReader, CtasMayComeInAnyOrder) {
  LaunchReader reader(small_header());
  add_cta(reader, 1);
  add_cta(reader, 0);
  const auto launch = reader.finish("m");
  EXPECT_EQ(launch->warp_instructions(), 4u);
  EXPECT_EQ(launch->thread_instructions(), 80u);  // of lanes that have threads
}

TEST(LaunchReader, RefusesWhatIsNotInItsPlace) {
  LaunchReader reader(small_header());
  EXPECT_THROW(reader.begin_warp(0), FormatError);
  EXPECT_THROW(reader.end_cta(), FormatError);
  reader.begin_cta({0, 0, 0});
  EXPECT_THROW(reader.begin_cta({1, 0, 0}), FormatError);
  EXPECT_THROW(reader.begin_warp(2), FormatError);
  reader.begin_warp(1);
  EXPECT_THROW(reader.begin_warp(0), FormatError);
  KernelHeader old = small_header();
  old.version = 1;
  EXPECT_THROW(LaunchReader{old}, FormatError);
}

TEST(LaunchReader, AnInstructionHasAddressesInAllLinesOrInNone) {
  LaunchReader reader(small_header());
  reader.begin_cta({0, 0, 0});
  reader.begin_warp(0);
  reader.set_instructions(2);
  reader.add_instruction("0000 ffffffff 1 R1 LDC 0 0 ");
  EXPECT_THROW(reader.add_instruction("0000 ffffffff 1 R1 LDC 0 4 1 0x10 0 "), FormatError);
}

}  // namespace
}  // namespace heddle::trace
