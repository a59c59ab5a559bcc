#include "base/library_errors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <new>

#include "base/diagnostics.h"

namespace heddle {
namespace {

std::string description_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return describe_error(error);
  }
  return {};
}

TEST(LibraryErrors, NameThePathsOfFileSystemErrors) {
  EXPECT_EQ(
      description_of([] { static_cast<void>(std::filesystem::file_size("/nonexistent/file")); }),
      "/nonexistent/file: No such file or directory");
}

TEST(LibraryErrors, NameTheInnermostFileThatWasRead) {
  const auto act = [] {
    const InputScope outer("study.toml");
    const InputScope inner("gpu.toml");
    throw std::bad_alloc();
  };
  EXPECT_EQ(description_of(act), "gpu.toml: there is not enough memory");
}

TEST(LibraryErrors, NameNoFileThatWasReadBefore) {
  { const InputScope before("study.toml"); }
  EXPECT_EQ(description_of([] { throw std::bad_alloc(); }), "there is not enough memory");
}

TEST(LibraryErrors, KeepTheTextOfOurOwnMessages) {
  const auto act = [] {
    const InputScope scope("study.toml");
    throw UserError({"study.toml", 3, 1}, "no case");
  };
  EXPECT_EQ(description_of(act), "study.toml:3:1: no case");
}

}  // namespace
}  // namespace heddle
