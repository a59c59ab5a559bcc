#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledInteger, SumsAndExtremes) {
  check_compiled({"add.s32 %r9, %r0, %r1;", "sub.u32 %r9, %r0, %r1;", "add.s64 %rd9, %rd0, %rd1;",
                  "sub.s64 %rd9, %rd0, %rd1;", "min.s32 %r9, %r0, %r1;", "max.s32 %r9, %r0, %r1;",
                  "min.u32 %r9, %r0, %r1;", "max.u32 %r9, %r0, %r1;", "neg.s32 %r9, %r0;",
                  "neg.s64 %rd9, %rd0;", "add.s32 %r9, %r9, %r9;", "sub.s64 %rd9, %rd0, %rd9;"});
}

TEST(CompiledInteger, Products) {
  check_compiled({"mul.lo.s32 %r9, %r0, %r1;", "mad.lo.s32 %r9, %r0, %r1, %r2;",
                  "mad.lo.u32 %r9, %r9, %r1, %r9;", "mul.lo.s64 %rd9, %rd0, %rd1;",
                  "mad.lo.s64 %rd9, %rd0, %rd1, %rd2;", "mul.wide.s32 %rd9, %r0, %r1;",
                  "mul.wide.u32 %rd9, %r0, %r1;", "mad.wide.s32 %rd9, %r0, %r1, %rd2;",
                  "mad.wide.u32 %rd9, %r0, %r1, %rd9;", "mul.hi.s32 %r9, %r0, %r1;",
                  "mul.hi.u32 %r9, %r0, %r1;", "mad.hi.u32 %r9, %r0, %r1, %r2;"});
}

TEST(CompiledInteger, LogicAndShifts) {
  check_compiled({"and.b32 %r9, %r0, %r1;", "or.b32 %r9, %r0, %r1;", "xor.b32 %r9, %r0, %r1;",
                  "not.b32 %r9, %r0;", "and.b64 %rd9, %rd0, %rd1;", "xor.b64 %rd9, %rd0, %rd1;",
                  "not.b64 %rd9, %rd0;", "shl.b32 %r9, %r0, %r1;", "shr.u32 %r9, %r0, %r1;",
                  "shr.s32 %r9, %r0, %r1;", "shl.b64 %rd9, %rd0, %r1;", "shr.u64 %rd9, %rd0, %r1;",
                  "shl.b32 %r9, %r0, 5;", "lop3.b32 %r9, %r0, %r1, %r2, 0x96;",
                  "lop3.b32 %r9, %r0, %r1, %r9, 0x1e;", "and.pred %p9, %p0, %p1;",
                  "or.pred %p9, %p0, %p1;", "xor.pred %p9, %p0, %p1;", "not.pred %p9, %p0;"});
}

}  // namespace
}  // namespace heddle::exec::test
