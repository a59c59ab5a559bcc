#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(ParserModule, DirectivesStateTheMistake) {
  check_refusals({{"hello;", "expected a directive, found 'hello'"},
                  {".version seven", "expected a version such as 7.0, found 'seven'"},
                  {".version 10.0", "PTX ISA 10.0 is not supported; 1.0 to 9.x are"},
                  {".version 9.9", ""},
                  {".target quantum", "unknown target 'quantum'"},
                  {".target sm_90, debug, texmode_independent", ""},
                  {".file x \"a.cu\"", "expected a constant, found 'x'"},
                  {".file 1 a", "expected a file name, found 'a'"},
                  {".func f() { ret; } .func f() { ret; }", "'f' is defined twice"},
                  {".func f(); .func f() { ret; }", ""},
                  {".global .u32 f; .func f() { ret; }", "'f' is already a variable"},
                  {".func f() { ret; } .global .u32 f;", "'f' is already a function"},
                  {".func f() { ret; } .alias g, f;", "'g' is not a function"},
                  {".func f() { ret; } .func g(); .alias g, f;", ""},
                  {".func f() { ret; } .func g() { ret; } .alias g, f;",
                   "'g' is defined and cannot be an alias"},
                  {".entry k() { ret; } .func g(); .alias g, k;", "'k' is not a function"},
                  {".func f() { ret;", "is never closed"}},
                 module_complaint);
}

}  // namespace
}  // namespace heddle::ptx
