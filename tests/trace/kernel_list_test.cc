#include "trace/kernel_list.h"

#include <gtest/gtest.h>

#include "tests/error_message.h"
#include "tests/trace/trace_text.h"

namespace heddle::trace {
namespace {

TEST(KernelList, HasCopiesAndKernelsInTheirOrder) {
  const TemporaryFolder folder;
  write_file(folder.file("kernel-1.traceg"), "");
  const std::string list = write_file(folder.file("kernelslist.g"),
                                      "MemcpyHtoD,0x00007fb0fc400000,200000\nkernel-1.traceg\r\n"
                                      "\nMemcpyDtoH,0x10,4\n");
  EXPECT_TRUE(is_kernel_list(list));
  const std::vector<Command> commands = read_kernel_list(list);
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0].kind, Command::Kind::copy_to_device);
  EXPECT_EQ(commands[0].address.value, 0x7fb0fc400000u);
  EXPECT_EQ(commands[0].bytes, 200000u);
  EXPECT_EQ(commands[1].file, folder.file("kernel-1.traceg"));
  EXPECT_EQ(commands[2].kind, Command::Kind::copy_from_device);
}

TEST(KernelList, WhatIsNoneIsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) -> std::string {
    return message_of([&] { read_kernel_list(write_file(folder.file("list"), text)); }, "");
  };
  EXPECT_NE(refusal("MemcpyHtoD,0x10,4\nkernel-7.traceg\n").find("list:2: the trace"),
            std::string::npos);
  EXPECT_NE(refusal("kernel-1.trace.xz\n").find("post-traces-processing"), std::string::npos);
  EXPECT_NE(refusal("MemcpyHtoD,0x10\n").find("number of bytes"), std::string::npos);
  EXPECT_NE(refusal("ncclGroupStart\n").find("neither a copy nor a kernel"), std::string::npos);
  EXPECT_FALSE(is_kernel_list(write_file(folder.file("script"), "#!/bin/sh\n")));
  EXPECT_FALSE(is_kernel_list(folder.path().string()));
  EXPECT_FALSE(is_kernel_list(folder.file("missing")));
}

}  // namespace
}  // namespace heddle::trace
