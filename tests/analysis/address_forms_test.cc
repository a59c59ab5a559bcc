#include "analysis/address_forms.h"

#include <gtest/gtest.h>

#include "tests/analysis/kernels.h"

namespace heddle::analysis {
namespace {

struct AddressFormsOf {
  explicit AddressFormsOf(const std::string& body)
      : kernel(kernel_of(kStart + body)),
        forms(kernel, shape_of(kernel, {4, 3, 1}, {32, 2, 1}, 9)) {
    for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
      const ptx::OpClass kind = kernel.code[pc].op_class;
      if (kernel.code[pc].space == ptx::Space::global &&
          (kind == ptx::OpClass::load || kind == ptx::OpClass::store))
        accesses.push_back(pc);
    }
    point.iterations.assign(kernel.loops.size(), 0);
  }

  ptx::Kernel kernel;
  AddressForms forms;
  std::vector<Pc> accesses;
  AddressForms::Point point;
};

TEST(AddressForms, TheAddressIsTheFormAtAPoint) {
  AddressFormsOf f(
      "mad.lo.s32 %r10, %r4, 100, %r3; mad.lo.s32 %r10, %r2, 1000, %r10; sub.s32 "
      "%r10, %r10, %r1;\n" +
      load_at("%rd1", "%r10"));
  f.point.thread = {5, 1, 0};
  f.point.cta = {3, 2, 0};
  EXPECT_EQ(f.forms.address(f.accesses[0], f.point), kA + 4 * (1000 + 200 + 3 - 5));
  EXPECT_EQ(f.forms.text(f.accesses[0]), "a + 4*(bidx + 100*bidy - tidx + 1000*tidy)");
  EXPECT_EQ(f.forms.accesses(), 1u);
}

TEST(AddressForms, IterationsAreThoseOfTheAccessesLoops) {
  AddressFormsOf f("mov.u32 %r10, 0;\nLOOP: " + load_at("%rd1", "%r10") +
                   "add.s32 %r10, %r10, 2; setp.lt.s32 %p1, %r10, %r5; @%p1 bra LOOP;\n");
  f.point.iterations[0] = 3;
  EXPECT_EQ(f.forms.address(f.accesses[0], f.point), kA + 4 * 6);
  EXPECT_EQ(f.forms.forbidden(f.accesses[0], f.point), "");
  f.point.iterations[0] = 4;  // i = 8 < 9
  EXPECT_EQ(f.forms.forbidden(f.accesses[0], f.point), "");
  f.point.iterations[0] = 5;
  EXPECT_EQ(f.forms.forbidden(f.accesses[0], f.point).substr(0, 5), "i <= ");
}

TEST(AddressForms, AGuardForbidsPoints) {
  AddressFormsOf f("setp.ge.s32 %p1, %r1, 5; @%p1 bra DONE;\n" + load_at("%rd1", "%r1") +
                   "DONE:\n");
  f.point.thread = {4, 0, 0};
  EXPECT_EQ(f.forms.forbidden(f.accesses[0], f.point), "");
  f.point.thread = {5, 0, 0};
  EXPECT_EQ(f.forms.forbidden(f.accesses[0], f.point), "4 >= tidx");
}

TEST(AddressForms, AGuardThatDependsOnDataForbidsNone) {
  AddressFormsOf f(load_at("%rd1", "%r1") + "setp.gt.f32 %p1, %f9, 0f00000000; @%p1 bra DONE;\n" +
                   load_at("%rd2", "%r1") + "DONE:\n");
  EXPECT_EQ(f.forms.forbidden(f.accesses[1], f.point), "");
}

TEST(AddressForms, WhatIsNotAffineHasNoForm) {
  AddressFormsOf f("mul.lo.s32 %r10, %r1, %r3;\n" + load_at("%rd1", "%r10"));
  EXPECT_FALSE(f.forms.is_affine(f.accesses[0]));
  EXPECT_FALSE(f.forms.is_unreached(f.accesses[0]));
  EXPECT_EQ(f.forms.accesses(), 0u);
}

TEST(AddressForms, AnAccessBehindABranchThatIsAlwaysTakenIsUnreached) {
  AddressFormsOf f("setp.lt.s32 %p1, %r1, 32; @%p1 bra DONE;\n" + load_at("%rd1", "%r1") +
                   "DONE:\n" + load_at("%rd2", "%r1"));
  EXPECT_TRUE(f.forms.is_unreached(f.accesses[0]));
  EXPECT_FALSE(f.forms.is_affine(f.accesses[0]));
  EXPECT_FALSE(f.forms.is_unreached(f.accesses[1]));
  EXPECT_TRUE(f.forms.is_affine(f.accesses[1]));
  EXPECT_FALSE(f.forms.is_unreached(0));  // a mov
}

TEST(AddressForms, OfAKernelThatIsNotAnalysedNothingIsKnown) {
  AddressFormsOf f(
      "setp.eq.s32 %p1, %r1, 0; @%p1 bra SECOND;\nFIRST: add.s32 %r10, %r10, 1; bra "
      "SECOND;\nSECOND: add.s32 %r11, %r11, 1; setp.lt.s32 %p2, %r11, 9; @%p2 bra "
      "FIRST;\n" +
      load_at("%rd1", "%r1"));
  EXPECT_EQ(f.forms.not_analysed(), "its control flow has a cycle with two entries");
  EXPECT_FALSE(f.forms.is_affine(f.accesses[0]));
  EXPECT_FALSE(f.forms.is_unreached(f.accesses[0]));
}

}  // namespace
}  // namespace heddle::analysis
