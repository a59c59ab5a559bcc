// Which precompiled headers stay; whole compilations are in compile_headers_test.cc.
#include "cuda/compile/header_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

TEST(HeaderCache, RemovesTheHeaderThatMessagesName) {
  const fs::path header =
      fs::temp_directory_path() / ("heddle-header-cache-" + std::to_string(getpid()) + ".pch");
  std::ofstream(header) << "precompiled";
  HeaderCache::remove_refused(header, "k.cu:1:1: error: 'x' is undeclared");
  EXPECT_TRUE(fs::exists(header));
  HeaderCache::remove_refused(header, "error: file '" + header.string() + "' is malformed");
  EXPECT_FALSE(fs::exists(header));
}

TEST(HeaderCache, ReplacesTheRuntimesHeaderInACommand) {
  EXPECT_EQ(HeaderCache::with_header({"clang", "-include", "cuda_runtime.h", "k.cu"}, "/a.pch"),
            (Command{"clang", "-Xclang", "-include-pch", "-Xclang", "/a.pch", "k.cu"}));
  EXPECT_EQ(HeaderCache::with_header({"clang", "-include", "my.h"}, "/a.pch"),
            (Command{"clang", "-include", "my.h"}));
}

TEST(HeaderCache, WithoutAFolderNothingIsPrecompiled) {
  EXPECT_FALSE(HeaderCache({}).find({"clang"}));
}

// A compiler that notes its words in `log` and does what `then` says; "$out" is what it shall make.
class FakeCompiler {
 public:
  explicit FakeCompiler(const std::string& then) {
    std::ofstream(path_) << "#!/bin/sh\necho \"$@\" >>" << log_
                         << "\nwhile [ $# -gt 1 ]; do shift; done; out=$1\n"
                         << then << "\n";
    fs::permissions(path_, fs::perms::owner_all);
    fs::create_directory(folder_.path() / "headers");
  }
  std::optional<fs::path> find(const std::vector<std::string>& flags) const {
    Command command{path_};
    command.insert(command.end(), flags.begin(), flags.end());
    return HeaderCache(folder_.path() / "headers").find(command);
  }
  std::vector<std::string> runs() const {
    std::ifstream file(log_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_.path() / "headers"), {});
  }

 private:
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("compiler"), log_ = folder_.file("log");
};

TEST(HeaderCache, MakesAHeaderOnceForTheSameFlags) {
  const FakeCompiler compiler("echo made >\"$out\"");
  const auto first = compiler.find({"-O2", "--cuda-path=/tmp/one"});
  ASSERT_TRUE(first);
  EXPECT_TRUE(fs::exists(*first));
  EXPECT_EQ(compiler.find({"-O2", "--cuda-path=/tmp/two"}), first);
  ASSERT_EQ(compiler.runs().size(), 1u);
  EXPECT_EQ(compiler.runs()[0].find("-O2 --cuda-path=/tmp/one -w -Xclang -emit-pch /dev/null -o "),
            0u);
  for (const std::vector<std::string>& others :
       {std::vector<std::string>{"-O3"}, {"-O2", "-g"}, {"-O", "2-g"}, {"-O2-g"}, {}})
    EXPECT_NE(compiler.find(others), first);
  EXPECT_EQ(compiler.runs().size(), 6u) << "a header for each list of flags";
  EXPECT_EQ(compiler.files(), 6);
}

TEST(HeaderCache, KeepsNothingOfACompilerThatFails) {
  for (const char* then : {"echo made >\"$out\"; exit 1", "exit 1", "exit 0"}) {
    const FakeCompiler compiler(then);
    EXPECT_FALSE(compiler.find({"-O2"})) << then;
    EXPECT_EQ(compiler.files(), 0) << then;
  }
}

}  // namespace
}  // namespace heddle::cuda
