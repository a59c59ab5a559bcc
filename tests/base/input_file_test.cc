#include "base/input_file.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"

namespace heddle {
namespace {

TEST(InputFile, IsReadWhole) {
  const TemporaryFolder folder;
  const std::string text = std::string(100000, 'x') + '\0' + "end";
  write_file_atomically(folder.file("text"), text);
  EXPECT_EQ(read_file(folder.file("text")), text);
}

TEST(InputFile, ThatCannotBeReadIsAnErrorWithItsReason) {
  const TemporaryFolder folder;
  const auto message_of = [](const std::string& path) {
    try {
      read_file(path);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of(folder.file("absent")),
            "cannot read " + folder.file("absent") + ": No such file or directory");
  EXPECT_NE(message_of("/").find("Is a directory"), std::string::npos);
}

}  // namespace
}  // namespace heddle
