// What tests of the guides to a first policy share. cmake/guides.cmake writes the files that the
// pages show.
#pragma once

#include <gtest/gtest.h>

#include "base/input_file.h"
#include "tests/error_message.h"

namespace heddle {

// The page shows the message with which a wrong parameter is refused.
template <class Parse>
void check_guide_message(const std::string& page, Parse&& parse) {
  const std::string text = read_file(std::string(HEDDLE_SOURCE_DIR) + "/docs/" + page),
                    message = message_of(parse);
  EXPECT_NE(text.find(message), std::string::npos) << "the guide does not show " << message;
}

}  // namespace heddle
