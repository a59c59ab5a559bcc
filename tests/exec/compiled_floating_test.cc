#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledFloating, SinglePrecision) {
  std::vector<std::string> statements;
  for (const char* form : {"", ".ftz", ".sat", ".ftz.sat"}) {
    const std::string f = form;
    statements.push_back("add.rn" + f + ".f32 %f9, %f0, %f1;");
    statements.push_back("sub.rn" + f + ".f32 %f9, %f0, %f1;");
    statements.push_back("mul.rn" + f + ".f32 %f9, %f0, %f1;");
    statements.push_back("fma.rn" + f + ".f32 %f9, %f0, %f1, %f2;");
  }
  for (const char* form : {"", ".ftz"}) {
    const std::string f = form;
    statements.push_back("div.rn" + f + ".f32 %f9, %f0, %f1;");
    statements.push_back("sqrt.rn" + f + ".f32 %f9, %f0;");
    statements.push_back("min" + f + ".f32 %f9, %f0, %f1;");
    statements.push_back("max" + f + ".f32 %f9, %f0, %f1;");
    statements.push_back("abs" + f + ".f32 %f9, %f0;");
    statements.push_back("neg" + f + ".f32 %f9, %f0;");
  }
  statements.push_back("rcp.rn.f32 %f9, %f0;");
  statements.push_back("fma.rn.f32 %f9, %f9, %f1, %f9;");
  check_compiled(statements, true);
}

TEST(CompiledFloating, DoublePrecisionKeepsTheInterpretersNans) {
  check_compiled(
      {"add.rn.f64 %d9, %d0, %d1;", "sub.rn.f64 %d9, %d0, %d1;", "mul.rn.f64 %d9, %d0, %d1;",
       "fma.rn.f64 %d9, %d0, %d1, %d2;", "fma.rn.f64 %d9, %d9, %d1, %d9;",
       "div.rn.f64 %d9, %d0, %d1;", "sqrt.rn.f64 %d9, %d0;", "rcp.rn.f64 %d9, %d0;"},
      true);
}

}  // namespace
}  // namespace heddle::exec::test
