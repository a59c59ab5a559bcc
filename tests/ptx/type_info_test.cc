#include "ptx/type_info.h"

#include <gtest/gtest.h>

namespace heddle::ptx {
namespace {

// The letters of a name say the kind, its digits the bits of an element, "x2" that there are two.
TEST(TypeInfo, IsWhatTheNameSays) {
  for (int i = static_cast<int>(Type::b8); i <= static_cast<int>(Type::e5m2); ++i) {
    const auto type = static_cast<Type>(i);
    const std::string name(name_of(type));
    const std::size_t digits = name.find_first_of("0123456789");
    const std::string letters = name.substr(0, digits);
    EXPECT_EQ(is_float(type),
              letters == "f" || letters == "bf" || letters == "tf" || letters == "e")
        << name;
    EXPECT_EQ(is_signed(type), letters == "s") << name;
    const unsigned bits = letters == "tf"  ? 32u  // 19 of them count
                          : letters == "e" ? 8u
                                           : static_cast<unsigned>(std::stoi(name.substr(digits)));
    EXPECT_EQ(bytes_of(type), bits * (name.ends_with("x2") ? 2 : 1) / 8) << name;
  }
  EXPECT_EQ(type_named("bf16x2"), Type::bf16x2);
  EXPECT_EQ(type_named("b1"), Type::none);  // of matrices only
  EXPECT_EQ(type_named("pred"), Type::pred);
}

}  // namespace
}  // namespace heddle::ptx
