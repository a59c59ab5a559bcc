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

TEST(KernelHeader, SaysWhatAHeadLacks) {
  const auto refusal = [](auto change) -> std::string {
    KernelHeader header = complete();
    change(header);
    try {
      header.check();
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  };
  const auto check = [&](const std::string& part, auto change) {
    EXPECT_NE(refusal(change).find(part), std::string::npos) << part;
  };
  check("no 'kernel name'", [](KernelHeader& h) { h.name.clear(); });
  check("no 'grid dim'", [](KernelHeader& h) { h.grid.x = 0; });
  check("no 'block dim'", [](KernelHeader& h) { h.block.x = 0; });
  check("no 'nregs'", [](KernelHeader& h) { h.registers = 0; });
  check("no 'accelsim tracer version'", [](KernelHeader& h) { h.version = 0; });
  check("version 2: versions 3 to", [](KernelHeader& h) { h.version = 2; });
  check("more than 1024 threads", [](KernelHeader& h) { h.block = {1024, 1, 2}; });
  EXPECT_EQ(refusal([](KernelHeader& h) { h.registers = 1; }), "");
  EXPECT_EQ(refusal([](KernelHeader& h) { h.version = 3; }), "");
  EXPECT_EQ(refusal([](KernelHeader& h) { h.block = {1024, 1, 1}; }), "");
}

}  // namespace
}  // namespace heddle::trace
