#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledMove, CopiesAndPacks) {
  check_compiled({"mov.u32 %r9, %r0;", "mov.u64 %rd9, %rd0;", "mov.u32 %r9, 77;",
                  "mov.f64 %d9, %d0;", "mov.pred %p9, %p0;", "mov.b64 %rd9, {%r0, %r1};",
                  "cvta.to.global.u64 %rd9, %rd0;", "mov.u32 %r9, %r9;"});
}

TEST(CompiledMove, Converts) {
  check_compiled({"cvt.u64.u32 %rd9, %r0;", "cvt.s64.s32 %rd9, %r0;", "cvt.u32.u64 %r9, %rd0;",
                  "cvt.s64.s32 %rd9, %r9;", "cvt.u32.u64 %r9, %rd9;", "cvt.rn.f32.s32 %f9, %r0;",
                  "cvt.rn.f64.s32 %d9, %r0;", "cvt.f64.f32 %d9, %f0;"},
                 true);
}

}  // namespace
}  // namespace heddle::exec::test
