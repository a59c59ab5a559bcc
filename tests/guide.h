// What tests of the guides to a first policy share.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/diagnostics.h"
#include "base/input_file.h"

namespace heddle {

class Guide {
 public:
  explicit Guide(const std::string& page) : text_(file("docs/" + page)) {}

  // The page shows docs/examples/NAME.cc and its test whole.
  void check_example(const std::string& name) const {
    for (const std::string& shown : {name + ".cc", name + "_test.cc"})
      check_shown("```cpp\n" + file("docs/examples/" + shown) + "```\n");
  }
  // The page shows the message with which this parameter is refused.
  template <class Parse>
  void check_message_of(Parse&& parse) const {
    try {
      parse();
      ADD_FAILURE() << "accepted";
    } catch (const UserError& error) {
      check_shown(error.what());
    }
  }

 private:
  static std::string file(const std::string& path) {
    return read_file(std::string(HEDDLE_SOURCE_DIR) + "/" + path);
  }
  void check_shown(const std::string& part) const {
    EXPECT_NE(text_.find(part), std::string::npos) << "the guide does not show " << part;
  }
  const std::string text_;
};

}  // namespace heddle
