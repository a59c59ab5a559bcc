#include "cuda/compile/inputs.h"

#include <gtest/gtest.h>

#include <string>

#include "base/diagnostics.h"

namespace heddle::cuda {

TEST(KindOfInput, IsThatOfItsExtension) {
  EXPECT_EQ(kind_of("a/k.cu", ""), InputKind::cuda);
  for (const char* name : {"m.cpp", "m.c++", "m.cc", "m.cxx", "m.C"})
    EXPECT_EQ(kind_of(name, ""), InputKind::cxx) << name;
  EXPECT_EQ(kind_of("m.c", ""), InputKind::c);
  for (const char* name : {"k.o", "libk.a", "libk.so", "libk.so.1.2"})
    EXPECT_EQ(kind_of(name, ""), InputKind::linkable) << name;
  EXPECT_THROW(kind_of("notes.txt", ""), UserError);
}

TEST(KindOfInput, OfSourcesIsThatOfTheLanguageThatIsNamed) {
  EXPECT_EQ(kind_of("k.cpp", "cu"), InputKind::cuda);
  EXPECT_EQ(kind_of("k.txt", "c"), InputKind::c);
  EXPECT_EQ(kind_of("k.cu", "c++"), InputKind::cxx);
  EXPECT_EQ(kind_of("k.o", "cu"), InputKind::linkable);
}

}  // namespace heddle::cuda
