#include "base/input_file.h"

#include <gtest/gtest.h>

#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "tests/error_message.h"

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
  EXPECT_EQ(message_of([&] { read_file(folder.file("absent")); }),
            "cannot read " + folder.file("absent") + ": No such file or directory");
  EXPECT_NE(message_of([] { read_file("/"); }).find("Is a directory"), std::string::npos);
}

}  // namespace
}  // namespace heddle
