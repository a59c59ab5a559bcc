#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledLoad, ExtendsNarrowElements) {
  std::vector<std::string> statements;
  for (const char* type : {"u8", "s8", "u16", "s16", "s32", "u32"})
    for (const char* result : {"%r9", "%rd9"})
      if (std::string(type) + result != "s32%r9")
        statements.push_back(std::string("ld.global.") + type + " " + result + ", [%y+4];");
  check_compiled(statements);
}

}  // namespace
}  // namespace heddle::exec::test
