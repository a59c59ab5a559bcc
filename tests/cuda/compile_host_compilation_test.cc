#include "cuda/compile/host_compilation.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <string>

#include "base/input_file.h"
#include "base/temporary_folder.h"

namespace heddle::cuda {
namespace {

// A shell in place of the compiler. It knows the FIFOs as $0 and $1, its output as $2.
class HostCompilationTest : public testing::Test {
 protected:
  bool compile(const std::string& script, const std::string& code, const std::string& names) {
    HostCompilation host(command(script), folder_.path() / "code", folder_.path() / "names",
                         folder_.path() / "errors");
    return host.finish(code, names);
  }
  Command command(const std::string& script) const {
    return {"sh", "-c", script, folder_.file("code"), folder_.file("names"), folder_.file("out")};
  }
  std::string output() const { return read_file(folder_.path() / "out"); }

  const TemporaryFolder folder_;
};

TEST_F(HostCompilationTest, ReadsTheCodeAndThenTheNames) {
  const std::string code(200'000, 'c');  // more than a FIFO holds
  EXPECT_TRUE(compile("cat $0 > $2 && cat $1 >> $2", code, "names"));
  EXPECT_EQ(output(), code + "names");
  EXPECT_TRUE(compile("cat $0 $1 > $2; echo warning >&2", "", ""));
  EXPECT_EQ(output(), "");
  EXPECT_EQ(read_file(folder_.path() / "errors"), "warning\n");
}

TEST_F(HostCompilationTest, ThatFailsDoesNotSucceed) {
  EXPECT_FALSE(compile("cat $0 $1 > $2; exit 1", "code", "names"));
  EXPECT_FALSE(compile("kill -9 $$", "code", "names"));
}

// It stops reading: the rest is not written, and no signal ends the process.
TEST_F(HostCompilationTest, MayEndBeforeItHasReadAll) {
  EXPECT_FALSE(compile("true", "code", "names"));
  EXPECT_FALSE(compile("cat $0 > $2", "code", "names"));
  EXPECT_FALSE(compile("head -c 1 $0 > $2; exit 1", std::string(200'000, 'c'), "names"));
}

TEST_F(HostCompilationTest, ThatIsNotFinishedIsKilled) {
  {
    HostCompilation host(command("echo $$ > $2; cat $0"), folder_.path() / "code",
                         folder_.path() / "names", folder_.path() / "errors");
    while (!std::filesystem::exists(folder_.path() / "out") || output().empty()) {}
    EXPECT_EQ(::kill(std::stoi(output()), 0), 0);
  }
  EXPECT_NE(::kill(std::stoi(output()), 0), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "code"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "names"));
}

}  // namespace
}  // namespace heddle::cuda
