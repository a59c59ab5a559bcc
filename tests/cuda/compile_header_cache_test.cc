// Which precompiled headers stay; whole compilations are in compile_headers_test.cc.
#include "cuda/compile/header_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

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

}  // namespace
}  // namespace heddle::cuda
