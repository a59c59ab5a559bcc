#include "sass/cubin/nv_info.h"

#include <gtest/gtest.h>

#include "tests/sass/cubin_text.h"

namespace heddle::sass {
namespace {

TEST(NvInfo, SaysWhatALaunchNeeds) {
  const std::string cubin = small_cubin();
  const Elf elf = read_elf(bytes_of(cubin));
  const KernelInfo info = read_kernel_info(elf, elf.section(".nv.info.add"), 1);
  EXPECT_EQ(info.registers, 12U);
  EXPECT_EQ(info.stack_bytes, 32U);
  EXPECT_EQ(info.barriers, 2U);
  EXPECT_EQ(info.parameter_base, 0x160);
  EXPECT_EQ(info.parameter_bytes, 12);
  ASSERT_EQ(info.parameters.size(), 2U);
  EXPECT_EQ(info.parameters[0].bytes, 8U);
  EXPECT_EQ(info.parameters[1].offset, 8);
  EXPECT_EQ(info.parameters[1].bytes, 4U);
}

TEST(NvInfo, OfAnotherKernelDoesNotCount) {
  const std::string cubin = small_cubin();
  EXPECT_EQ(read_kernel_info(read_elf(bytes_of(cubin)), nullptr, 2).registers, 0U);
}

}  // namespace
}  // namespace heddle::sass
