#include <gtest/gtest.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "lab/process.h"
#include "lab/program.h"
#include "lab/run.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

TEST(Files, AreReplacedAtomicallyWithoutTemporaryFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.file("deep/er/run.json");
  write_file_atomically(path, "one");
  write_file_atomically(path, "two");
  EXPECT_EQ(read_file(path), "two");
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
}

std::string refusal(const std::string& program) {
  return message_of([&] { inspect_program(program); }, "accepted");
}

TEST(Programs, AreRefusedWithTheReason) {
  EXPECT_NE(refusal("/nonexistent/program").find("does not exist"), std::string::npos);
  EXPECT_NE(refusal("/").find("folder"), std::string::npos);
  EXPECT_NE(refusal("/etc/passwd").find("not executable"), std::string::npos);
  const TemporaryFolder folder;
  const auto executable = [&](const std::string& name, const std::string& text) {
    write_file_atomically(folder.file(name), text);
    std::filesystem::permissions(folder.file(name), std::filesystem::perms::owner_all);
    return folder.file(name);
  };
  EXPECT_NE(refusal(executable("other", std::string("\x7f"
                                                    "ELF\1\1\1\0\2\0\3\0",
                                                    12)))
                .find("neither a 64-bit x86 Linux program nor a script"),
            std::string::npos);
  EXPECT_EQ(refusal(executable("script", "#!/bin/sh\n")), "accepted");
}

// A shell that carries these words somewhere.
std::string shell_with(const TemporaryFolder& folder, const std::string& words) {
  const std::string path = folder.file("program");
  write_file_atomically(path, read_file("/bin/sh") + '\0' + words + '\0');
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(Programs, MayLoadTheDriverAtRunTime) {
  const TemporaryFolder folder;
  for (const std::string& program : {shell_with(folder, "libcuda.so.1"), std::string("/bin/sh")}) {
    EXPECT_EQ(inspect_program(program).runtime_library, "libcuda.so.1");
    EXPECT_FALSE(inspect_program(program).linked);
  }
}

TEST(Programs, WithAStaticRuntimeAreRefusedWithALinkHint) {
  const TemporaryFolder folder;
  EXPECT_NE(refusal(shell_with(folder, "libcuda.so.1 cudaErrorMemoryAllocation"))
                .find("relink it with nvcc -cudart shared"),
            std::string::npos);
}

TEST(Programs, ListTheirLibraries) {
  const ElfFacts facts = read_elf("/proc/self/exe");
  EXPECT_TRUE(facts.valid);
  bool c_library = false;
  for (const std::string& library : facts.needed) c_library |= library == "libc.so.6";
  EXPECT_TRUE(c_library);
}

TEST(WarpPlaces, AreGivenAsCtaColonWarp) {
  const WarpPlace place = parse_warp_place("14:31");
  EXPECT_EQ(place.cta, 14u);
  EXPECT_EQ(place.warp, 31u);
  for (const char* wrong : {"", "3", ":3", "0:", "0:x", "0:3x", "-1:3", "0,3"})
    EXPECT_THROW(parse_warp_place(wrong), UserError) << wrong;
}

TEST(Registers, AreGivenAsKernelEqualsNumber) {
  EXPECT_EQ(parse_registers({"sgemm=60", "spmv=20"}).at("spmv"), 20u);
  for (const char* wrong :
       {"sgemm", "=20", "sgemm=", "sgemm=x", "sgemm=0", "sgemm=256", "sgemm=20x"})
    EXPECT_THROW(parse_registers({wrong}), UserError) << wrong;
}

}  // namespace
}  // namespace heddle::lab
