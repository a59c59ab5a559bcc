#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/diagnostics.h"
#include "lab/process.h"
#include "lab/program.h"
#include "lab/run.h"

namespace heddle::lab {
namespace {

Command shell(const std::string& script) { return {{"/bin/sh", "-c", script}, {}, {}, {}}; }

TEST(Processes, ReturnExitCodeAndSignal) {
  ProcessGroup group;
  group.start(shell("exit 7"));
  EXPECT_EQ(group.wait_any().ending.exit_code, 7);
  group.start(shell("kill -SEGV $$"));
  const Ending ending = group.wait_any().ending;
  EXPECT_EQ(ending.signal, SIGSEGV);
  EXPECT_NE(describe(ending).find("signal 11"), std::string::npos);
}

TEST(Processes, TakeEnvironmentAndOutputFiles) {
  const TemporaryFolder folder;
  Command command = shell("echo $HEDDLE_COLOUR; echo wrong >&2");
  command.environment["HEDDLE_COLOUR"] = "green";
  command.stdout_path = folder.file("out");
  command.stderr_path = folder.file("err");
  ProcessGroup group;
  group.start(command);
  group.wait_any();
  EXPECT_EQ(read_file(folder.file("out")), "green\n");
  EXPECT_EQ(read_file(folder.file("err")), "wrong\n");
}

TEST(Processes, AreIdentifiedWhenTheyEnd) {
  ProcessGroup group;
  const pid_t slow = group.start(shell("sleep 0.2; exit 1")), quick = group.start(shell("exit 2"));
  const auto first = group.wait_any(), second = group.wait_any();
  EXPECT_NE(first.pid, second.pid);
  for (const auto& ended : {first, second})
    EXPECT_EQ(ended.ending.exit_code, ended.pid == slow ? 1 : 2);
  EXPECT_NE(slow, quick);
  EXPECT_EQ(group.running(), 0);
}

// As in a sweep, whose workers run co-runs.
TEST(Processes, OfAGroupWithinAGroupAreInterrupted) {
  ProcessGroup outer, inner;
  inner.start({{"/bin/sleep", "20"}, {}, {}, {}});
  kill(getpid(), SIGTERM);
  EXPECT_EQ(inner.wait_any().ending.signal, SIGTERM);
  EXPECT_EQ(inner.interrupted(), SIGTERM);
}

TEST(Processes, ThatCannotStartAreAUserError) {
  ProcessGroup group;
  EXPECT_THROW(group.start({{"/nonexistent/program"}, {}, {}, {}}), UserError);
}

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
  try {
    inspect_program(program);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Programs, AreRefusedWithTheReason) {
  EXPECT_NE(refusal("/nonexistent/program").find("does not exist"), std::string::npos);
  EXPECT_NE(refusal("/bin/sh").find("uses no CUDA"), std::string::npos);
  EXPECT_NE(refusal("/").find("folder"), std::string::npos);
  EXPECT_NE(refusal("/etc/passwd").find("not executable"), std::string::npos);
  const TemporaryFolder folder;
  write_file_atomically(folder.file("script"), "#!/bin/sh\n");
  std::filesystem::permissions(folder.file("script"), std::filesystem::perms::owner_all);
  EXPECT_NE(refusal(folder.file("script")).find("not a 64-bit x86 Linux program"),
            std::string::npos);
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
  EXPECT_EQ(inspect_program(shell_with(folder, "libcuda.so.1")).runtime_library, "libcuda.so.1");
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

TEST(WarpPlaces, AreGivenAsSmColonWarp) {
  const WarpPlace place = parse_warp_place("14:31");
  EXPECT_EQ(place.sm, 14u);
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
