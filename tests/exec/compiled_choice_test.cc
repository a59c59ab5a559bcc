#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledChoice, ComparesIntegers) {
  std::vector<std::string> statements;
  for (const char* op : {"eq", "ne", "lt", "le", "gt", "ge"})
    for (const char* operands : {".s32 %p9, %r0, %r1;", ".u32 %p9, %r0, %r1;",
                                 ".s64 %p9, %rd0, %rd1;", ".u64 %p9, %rd0, %rd1;"})
      statements.push_back(std::string("setp.") + op + operands);
  for (const char* op : {"lo", "ls", "hi", "hs"})
    statements.push_back(std::string("setp.") + op + ".u32 %p9, %r0, %r1;");
  check_compiled(statements);
}

TEST(CompiledChoice, ComparesNumbers) {
  std::vector<std::string> statements;
  for (const char* op :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"})
    for (const char* operands :
         {".f32 %p9, %f0, %f1;", ".ftz.f32 %p9, %f0, %f1;", ".f64 %p9, %d0, %d1;"})
      statements.push_back(std::string("setp.") + op + operands);
  check_compiled(statements, true);
}

TEST(CompiledChoice, JoinsPredicatesAndSelects) {
  check_compiled({"setp.lt.and.s32 %p9, %r0, %r1, %p1;", "setp.lt.or.s32 %p9, %r0, %r1, !%p1;",
                  "setp.lt.xor.s32 %p9, %r0, %r1, %p9;", "setp.lt.s32 %p9|%p3, %r0, %r1;",
                  "setp.ge.and.u32 %p3|%p9, %r0, %r1, %p1;", "selp.b32 %r9, %r0, %r1, %p0;",
                  "selp.b64 %rd9, %rd0, %rd1, !%p1;", "selp.f32 %f9, %f0, %f9, %p9;"});
}

}  // namespace
}  // namespace heddle::exec::test
