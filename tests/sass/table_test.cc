#include "sass/encoding/table.h"

#include <gtest/gtest.h>

#include "sass/architecture.h"

namespace heddle::sass {
namespace {

TEST(Tables, FindFormsByOpcodeAndArchitecture) {
  EXPECT_TRUE(forms_with_code(80, 0x836).empty());
  ASSERT_EQ(forms_with_code(90, 0x836).size(), 1U);
  EXPECT_EQ(forms_with_code(90, 0x836)[0]->name, "VIADD");
  EXPECT_TRUE(forms_with_code(70, 0x221).empty());
}

TEST(Tables, HaveAnOpcodeThatExistsSomewhereForEveryForm) {
  for (const EncodingForm& form : all_forms()) {
    EXPECT_LE(form.first_architecture, form.last_architecture) << form.name;
    bool found = false;
    for (int architecture : kArchitectures) {
      for (const EncodingForm* other : forms_with_code(architecture, form.code))
        found |= other == &form;
    }
    EXPECT_TRUE(found) << form.name;
  }
}

}  // namespace
}  // namespace heddle::sass
