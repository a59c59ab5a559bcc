#include "base/text_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle {
namespace {

TEST(TextBytes, AreReplacedForPeopleWhereTheyAreNoUtf8) {
  for (const char* good :
       {"", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xef\xbf\xbd"})
    EXPECT_EQ(readable_text(good), good);
  // A byte of Latin-1, an overlong form, a surrogate, a number above U+10FFFF, a character cut off.
  for (const char* bad : {"caf\xe9", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
    EXPECT_NE(readable_text(bad), bad);
  EXPECT_EQ(readable_text("caf\xe9"), "caf\xef\xbf\xbd");
}

TEST(TextBytes, ComeBackFromTheirEncoding) {
  EXPECT_EQ(encode_bytes("caf\xc3\xa9"), "caf\xc3\xa9");
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (int k = 0; k < 12; ++k) {
      // Often the first bytes of the characters that stand for bytes.
      const unsigned kind = random() % 4;
      text += kind == 0 ? '\xef' : kind == 1 ? '\x9e' : static_cast<char>(random());
    }
    const std::string encoded = encode_bytes(text);
    EXPECT_EQ(readable_text(encoded), encoded);
    EXPECT_EQ(decode_bytes(encoded), text);
  }
}

}  // namespace
}  // namespace heddle
