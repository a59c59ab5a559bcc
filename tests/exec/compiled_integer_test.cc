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

// Each operation in every type, whether it is compiled or left to the interpreter.
TEST(CompiledInteger, EveryOperationGivesWhatTheInterpreterGives) {
  std::vector<std::string> all;
  for (const std::string bits : {"32", "64"}) {
    const std::string reg = bits == "32" ? "%r" : "%rd";
    const std::string to = " " + reg + "9, " + reg + "0";  // and one source
    for (const std::string& type : {"s" + bits, "u" + bits}) {
      for (const char* op : {"add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"})
        all.push_back(std::string(op) + "." + type + to + ", " + reg + "1;");
      for (const char* op : {"mad.lo", "mad.hi", "sad"})
        all.push_back(std::string(op) + "." + type + to + ", " + reg + "1, " + reg + "2;");
      for (const char* count : {"%r1", "0", "5", "31", "32", "40", "64"})
        all.push_back("shr." + type + to + ", " + count + ";");
      for (const char* compare : {"eq", "ne", "lt", "le", "gt", "ge"})
        all.push_back(std::string("setp.") + compare + "." + type + " %p9, " + reg + "0, " + reg +
                      "1;");
      all.push_back("bfe." + type + to + ", %r1, %r2;");
      all.push_back("bfind." + type + " %r9, " + reg + "0;");
      if (type[0] == 's') all.push_back("abs." + type + to + ";");
    }
    for (const char* count : {"%r1", "0", "5", "31", "32", "40", "64"})
      all.push_back("shl.b" + bits + to + ", " + count + ";");
    for (const char* op : {"and", "or", "xor"})
      all.push_back(std::string(op) + ".b" + bits + to + ", " + reg + "1;");
    for (const char* op : {"not", "cnot", "brev"})
      all.push_back(std::string(op) + ".b" + bits + to + ";");
    for (const char* op : {"popc", "clz"})
      all.push_back(std::string(op) + ".b" + bits + " %r9, " + reg + "0;");
    all.push_back("bfi.b" + bits + to + ", " + reg + "1, %r1, %r2;");
    all.push_back("selp.b" + bits + to + ", " + reg + "1, %p0;");
  }
  std::string body;
  std::size_t results = 0;
  for (const std::string& statement : all)
    for (const char* guard : {"", "@%p2 "})
      body += guard + statement + "\n" + store_of(statement, 1792 * results++);
  check_equal(body, results);
}

}  // namespace
}  // namespace heddle::exec::test
