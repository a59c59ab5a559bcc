// Which operands fit an instruction.
#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

const std::string kShared = ".shared .b32 s[4]; ";

TEST(OperandCheck, OperandsAreOfTheFormsKinds) {
  check_refusals({{"add.s32 %r1|%p1, %r2, %r3;", "has one destination"},
                  {"setp.lt.s32 %p1|%r1, %r2, %r3;", "type .b32 does not fit"},
                  {"setp.lt.s32 %p1|%p2, %r2, %r3;", ""},
                  {"setp.lt.s32 %p1|_, %r2, %r3;", ""},
                  {"add.s32 %r1, !%r2, %r3;", "only predicates can be negated"},
                  {"add.s32 !%r1, %r2, %r3;", "only predicates can be negated"},
                  {"setp.lt.and.s32 %p1, %r1, %r2, !%p3;", ""},
                  {"not.pred !%p1, %p2;", "a destination cannot be negated"},
                  {"ld.global.v2.u32 %r1, [%rd1];", "needs a vector {...} here"},
                  {"st.global.v2.u32 [%rd1], %r1;", "needs a vector {...} here"},
                  {"st.global.v2.u32 [%rd1], {%r1, %r2, %r3, %r4};", "needs 2 elements here"},
                  {"st.global.v2.u32 [%rd1], {%r1, %r2};", ""},
                  {"st.global.v2.u32 [%rd1], {%r1, !%p2};", "only predicates can be negated"},
                  {"ld.global.v2.u32 {%r1, _}, [%rd1];", ""},
                  {"ld.global.b32 {%r1}, [%rd1];", ""},
                  {"add.s32 {%r1, %r2}, %r3, %r4;", "does not accept a vector here"},
                  {"mov.b32 %r1, {%h1, %h2};", ""},
                  {"mov.b32 %r1, {%h1, %h2, %h3};", "mov packs two or four"},
                  {"mov.u32 %r1, {%h1, %h2};", "only mov.b16, mov.b32"},
                  {"mov.b16 %h1, {%r1, %r2, %r3, %r4};", "too many elements"},
                  {"mov.b64 %rd1, {%r1, %r2};", ""},
                  {"mov.b64 %rd1, {%h1, %h2, %h3, %h4};", ""},
                  {"mov.b64 %rd1, {%r1, %h2};", "type .b16 does not fit"},
                  {"mov.b64 {%r1, %r2}, %rd1;", ""}});
}

TEST(OperandCheck, ConstantsAreOfTheOperandsKind) {
  check_refusals({{"add.f32 %f1, %f2, 1;", "needs a floating constant here"},
                  {"add.f32 %f1, %f2, 0f3F800000;", ""},
                  {"add.f64 %d1, %d2, 1.5;", ""},
                  {"add.f16 %h1, %h2, 0x3c00;", ""},
                  {"add.s32 %r1, %r2, 1.5;", "cannot take a floating constant here"},
                  {"mov.b32 %r1, 0f3F800000;", ""},
                  {"mov.b64 %rd1, 1.5;", ""},
                  {"mov.b32 %r1, 1.5;", "cannot take a floating constant here"},
                  {"mov.b64 %rd1, 0f3F800000;", "cannot take a floating constant here"},
                  {"lop3.b32 %r1, %r2, %r3, %r4, %r5;", "needs an integer constant here"},
                  {"lop3.b32 %r1, %r2, %r3, %r4, 0x80;", ""}});
}

TEST(OperandCheck, SpecialRegistersHaveAWidth) {
  check_refusals({{"add.u32 %r1, %clock, 1;", "can only be read with mov"},
                  {"mov.u32 %r1, %clock;", ""},
                  {"mov.u64 %rd1, %clock64;", ""},
                  {"mov.u32 %r1, %clock64;", "the width of this special register"},
                  {"mov.u64 %rd1, %globaltimer;", ""},
                  {"mov.u64 %rd1, %laneid;", "the width of this special register"},
                  {"add.u32 %r1, %laneid, 1;", ""},
                  {"mov.u32 %r1, %gridid;", ""},
                  {"mov.u64 %rd1, %gridid;", ""}});
}

TEST(OperandCheck, AddressesOfFunctionsAndVariablesAreWords) {
  check_refusals({{"mov.u64 %rd1, k;", ""},
                  {"mov.u32 %r1, k;", "cannot take the address of a function"},
                  {"add.u64 %rd1, %rd2, k;", "cannot take the address of a function"},
                  {kShared + "mov.u32 %r1, s;", ""},
                  {kShared + "mov.u64 %rd1, s;", ""},
                  {kShared + "mov.u16 %h1, s;", "this operand does not fit"},
                  {kShared + "mov.f32 %f1, s;", "this operand does not fit"},
                  {kShared + "mul.lo.u32 %r1, %r2, s;", "cannot take the address of a variable"}});
}

TEST(OperandCheck, RegistersHaveTheFormsWidth) {
  check_refusals({{"add.s32 %r1, %p1, %r2;", "type .pred does not fit"},
                  {"add.s64 %rd1, %r1, %rd2;", "type .b32 does not fit"},
                  {"and.pred %p1, %p2, %r1;", "type .b32 does not fit"},
                  {"ld.global.u8 %r1, [%rd1];", ""},
                  {"ld.global.u32 %h1, [%rd1];", "type .b16 does not fit"},
                  {"ld.global.u32 %rd2, [%rd1];", ""},
                  {"selp.b32 %r1, %r2, %r3, %r4;", "type .b32 does not fit"},
                  {"selp.b32 %r1, %r2, %r3, %p1;", ""}});
}

TEST(OperandCheck, AddressesAreInRegistersOfTheStateSpace) {
  check_refusals({{"ld.global.u32 %r1, %rd1;", "needs an address [...] here"},
                  {"ld.shared.u32 %r1, [%h1];", "cannot hold an address"},
                  {"ld.shared.u32 %r1, [%f1];", "cannot hold an address"},
                  {"ld.global.u32 %r1, [%d1];", "cannot hold an address"},
                  {"ld.global.u32 %r1, [%p1];", "cannot hold an address"},
                  {"ld.shared.u32 %r1, [%r2];", ""},
                  {"ld.shared.u32 %r1, [%rd2];", ""},
                  {"ld.global.u32 %r1, [%r2];", "a 32-bit address of global memory"},
                  {"ld.u32 %r1, [%r2];", "a 32-bit address of generic memory"},
                  {"ld.const.u32 %r1, [%r2];", ""},
                  {kShared + "ld.global.u32 %r1, [s];", "'s' is not in the state space"},
                  {kShared + "ld.shared.u32 %r1, [s+4];", ""},
                  {kShared + "ld.u32 %r1, [s];", ""},
                  {"ld.param.u64 %rd1, [a];", ""},
                  {"ld.shared.u64 %rd1, [a];", "'a' is not in the state space"}});
}

const std::string kFourTexels = " {%f1, %f2, %f3, %f4}, ";

TEST(OperandCheck, TexturesTakeTheirCoordinates) {
  check_refusals(
      {{"tex.1d.v4.f32.s32" + kFourTexels + "[%rd1, {%r1}];", ""},
       {"tex.1d.v4.f32.s32" + kFourTexels + "[%rd1, {%r1, %r2, %r3, %r4}];", ""},
       {"tex.1d.v4.f32.s32" + kFourTexels + "[%rd1, {%r1, %r2}];", "needs 1 coordinate"},
       {"tex.1d.v4.f32.s32" + kFourTexels + "[%rd1, {%f1}];", ""},
       {"tex.1d.v4.f32.s32" + kFourTexels + "[%rd1, {%rd1}];", "type .b64 does not fit"},
       {"tex.2d.v4.f32.f32" + kFourTexels + "[%rd1, {%f1}];", "needs 2 coordinates"},
       {"tex.a1d.v4.f32.f32" + kFourTexels + "[%rd1, {%r1, %f2}];", ""},
       {"tex.2d.v4.f32.f32" + kFourTexels + "[%rd1];", "needs [handle, {coordinates}] here"},
       {"tex.2d.v4.f32.f32" + kFourTexels + "[%r1, {%f1, %f2}];", "cannot hold a handle"},
       {kShared + "tex.2d.v4.f32.f32" + kFourTexels + "[s, {%f1, %f2}];", "'s' is not a .texref"},
       {"tex.2d.v4.f32.f32" + kFourTexels + "[%rd1, %rd2, {%f1, %f2}];",
        "a separate sampler needs"},
       {"tex.grad.2d.v4.f32.f32" + kFourTexels + "[%rd1, {%f1, %f2}], %f3, %f4;",
        "needs a gradient {...} here"},
       {"tex.grad.2d.v4.f32.f32" + kFourTexels + "[%rd1, {%f1, %f2}], {%f3, %f4}, {%f5, %f6};", ""},
       {"tex.grad.2d.v4.f32.f32" + kFourTexels + "[%rd1, {%f1, %f2}], {%f3, %f4, %f5}, {%f5, %f6};",
        "needs 2 elements of a gradient here"},
       {"tex.2d.v4.f32.f32" + kFourTexels + "[%rd1, {%f1, %f2}], {%r1, %r2};", ""},
       {"tex.2d.v4.f32.f32" + kFourTexels + "[%rd1, {%f1, %f2}], {%r1};", "needs 2 offsets here"},
       {"tex.2d.v4.f32.f32" + kFourTexels + "[%rd1, {%f1, %f2}], %f5;",
        "depth comparison is not supported"},
       {"tex.cube.v4.f32.f32" + kFourTexels + "[%rd1, {%f1, %f2, %f3, %f4}], {%r1, %r2, %r3, %r4};",
        "fetches from cubes have no offsets"},
       {"suld.b.1d.b32.trap %r1, [%rd1, {%r2}];", ""},
       {"suld.b.2d.b32.trap %r1, [%rd1, {%r2}];", "needs 2 coordinates"},
       {"txq.width.b32 %r1, [%rd1];", ""},
       {"txq.width.b32 %r1, [%rd1+4];", "cannot have an offset"},
       {"txq.width.b32 %r1, [%rd1, {%r1}];", "needs [handle] here"},
       {"txq.force_unnormalized_coords.b32 %r1, [%rd1];", "needs .target texmode_independent"}});
}

}  // namespace
}  // namespace heddle::ptx
