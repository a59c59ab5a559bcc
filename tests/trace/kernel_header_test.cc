#include "trace/kernel_header.h"

#include <gtest/gtest.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

KernelHeader complete() {
  KernelHeader header;
  for (const char* line :
       {"-kernel name = _Z1kv", "-grid dim = (2,3,1)", "-block dim = (48,1,1)", "-shmem = 1024",
        "-nregs = 32", "-binary version = 86", "-cuda stream id = 7",
        "-shmem base_addr = 0x00007f0000000000", "-accelsim tracer version = 5",
        "-enable lineinfo = 1", "-something new = 3"})
    header.read(line);
  return header;
}

TEST(KernelHeader, HasWhatTheHeadSays) {
  const KernelHeader header = complete();
  header.check();
  EXPECT_EQ(header.name, "_Z1kv");
  EXPECT_EQ(header.grid, (Dim3{2, 3, 1}));
  EXPECT_EQ(header.stream, 7u);
  EXPECT_TRUE(header.lines);
  EXPECT_EQ(header.shared_base, 0x7f0000000000u);
  EXPECT_EQ(header.instruction_bytes(), 16u);
}

TEST(KernelHeader, TheLastWarpHasTheThreadsThatAreLeft) {
  EXPECT_EQ(complete().warps(), 2u);
  EXPECT_EQ(complete().lanes(0), LaneMask::all());
  EXPECT_EQ(complete().lanes(1), LaneMask::first(16));
}

TEST(KernelHeader, RefusesOtherVersionsAndImpossibleNumbers) {
  KernelHeader header = complete();
  header.version = 2;
  EXPECT_THROW(header.check(), FormatError);
  header.version = 7;
  EXPECT_THROW(header.check(), FormatError);
  header = complete();
  header.block = {1024, 2, 1};
  EXPECT_THROW(header.check(), FormatError);
  EXPECT_THROW(header.read("-grid dim = (0,1,1)"), FormatError);
  EXPECT_THROW(header.read("-grid dim = 1,1,1"), FormatError);
  EXPECT_THROW(header.read("-nregs = 256"), FormatError);
  EXPECT_THROW(header.read("-kernel name = a\tb"), FormatError);
  EXPECT_THROW(KernelHeader{}.check(), FormatError);
}

}  // namespace
}  // namespace heddle::trace
