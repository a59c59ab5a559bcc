#include <functional>
#include <random>

#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

TEST(CompiledKernel, LoopsAndDivergesAsTheInterpreter) {
  check_equal(
      "mov.u32 %r9, 0; and.b32 %r10, %r0, 31;\n"
      "again: add.s32 %r9, %r9, %r10; xor.b32 %r9, %r9, %r1; sub.s32 %r10, %r10, 1;\n"
      "setp.gt.s32 %p3, %r10, 0; @%p3 bra again;\n"
      "@%p0 bra other; add.s32 %r9, %r9, 7; bra both; other: mul.lo.s32 %r9, %r9, 3; both:\n"
      "st.global.u32 [%x], %r9;",
      1);
}

TEST(CompiledKernel, UniformLoopsCountEveryInstruction) {
  const Outcome outcome = check_equal(
      "mov.u32 %r9, 0; mov.u32 %r10, 1000; again: add.s32 %r9, %r9, %t; sub.s32 %r10, %r10, 1; "
      "setp.ne.s32 %p3, %r10, 0; @%p3 bra again; st.global.u32 [%x], %r9;",
      1);
  EXPECT_GT(outcome.warp_instructions, 2u * 7 * 4000);
}

// What is not compiled lies between what is, with values in vector registers and known addresses.
TEST(CompiledKernel, GoesOnBehindInterpretedInstructions) {
  check_equal(
      "add.s32 %r10, %r0, 1; popc.b32 %r9, %r10; add.s32 %r11, %r10, %r9;\n"
      "ld.global.u32 %r12, [%y]; brev.b32 %r13, %r12; clz.b32 %r14, %r13; ld.global.u32 %r15, "
      "[%y+4];\n@%p0 popc.b32 %r10, %r10; add.s32 %r9, %r9, %r10; add.s32 %r9, %r9, %r11; add.s32 "
      "%r9, %r9, %r14; add.s32 %r9, %r9, %r15; st.global.u32 [%x], %r9;",
      1);
}

TEST(CompiledKernel, WarpsMeetAtBarriers) {
  check_equal(
      "shl.b32 %r8, %t, 2; mov.u32 %r7, tile; add.s32 %r8, %r8, %r7; mov.u32 %r10, 20;\n"
      "again: st.shared.u32 [%r8], %r0; bar.sync 0; ld.shared.u32 %r9, [%r7+64]; bar.sync 0;\n"
      "add.s32 %r0, %r0, %r9; sub.s32 %r10, %r10, 1; setp.ne.s32 %p3, %r10, 0; @%p3 bra again;\n"
      "st.global.u32 [%x], %r0;",
      1);
}

// Without a barrier, what warps read of each other follows from the lengths of time slices.
TEST(CompiledKernel, TimeSlicesEndWhereTheInterpretersDo) {
  check_equal(
      "shl.b32 %r8, %t, 2; mov.u32 %r7, tile; add.s32 %r8, %r8, %r7; mov.u32 %r10, 500;\n"
      "again: ld.shared.u32 %r9, [%r7+128]; add.s32 %r0, %r0, %r9; st.shared.u32 [%r8], %r0;\n"
      "sub.s32 %r10, %r10, 1; setp.ne.s32 %p3, %r10, 0; @%p3 bra again; st.global.u32 [%x], %r0;",
      1);
}

// Statements in any order, on few registers, with and without guards.
std::string random_body(std::mt19937& random) {
  const auto pick = [&](unsigned n) { return std::to_string(random() % n); };
  const auto r = [&] { return "%r" + pick(8); };
  const auto wide = [&] { return "%rd" + pick(5); };
  const auto f = [&] { return "%f" + pick(6); };
  const auto p = [&] { return "%p" + pick(4); };
  const auto statement = [&]() -> std::string {
    switch (random() % 20) {
      case 0:
      case 1: return "add.s32 " + r() + ", " + r() + ", " + r();
      case 2: return "mad.lo.s32 " + r() + ", " + r() + ", " + r() + ", " + r();
      case 3: return "mul.wide.s32 " + wide() + ", " + r() + ", " + r();
      case 4: return "add.s64 " + wide() + ", " + wide() + ", " + wide();
      case 5: return "cvt.u32.u64 " + r() + ", " + wide();
      case 6: return "shl.b64 " + wide() + ", " + wide() + ", " + r();
      case 7:
      case 8: return "fma.rn.f32 " + f() + ", " + f() + ", " + f() + ", " + f();
      case 9: return "add.ftz.f32 " + f() + ", " + f() + ", " + f();
      case 10: return "min.f32 " + f() + ", " + f() + ", " + f();
      case 11: return "mov.b32 " + r() + ", " + f();
      case 12: return "mov.b32 " + f() + ", " + r();
      case 13: return "setp.lt.s32 " + p() + ", " + r() + ", " + r();
      case 14: return "setp.gt.f32 " + p() + ", " + f() + ", " + f();
      case 15: return "selp.b32 " + r() + ", " + r() + ", " + r() + ", " + p();
      case 16: return "popc.b32 " + r() + ", " + r();
      case 17:
        return "ld.global.v2.u32 {" + r() + ", " + r() +
               (random() % 2 ? "}, [%y+8]" : "}, [%y+88]");
      case 18: return "st.shared.u32 [%r20], " + r();
      default: return "ld.shared.f32 " + f() + (random() % 2 ? ", [%r20+16]" : ", [%r20+64]");
    }
  };
  std::string body = "shl.b32 %r20, %t, 2; mov.u32 %r21, tile; add.s32 %r20, %r20, %r21;\n";
  const auto straight = [&](unsigned count) {
    for (unsigned n = 0; n < count; ++n)
      body += (random() % 6 == 0 ? "@" + p() + " " : "") + statement() + ";\n";
  };
  int labels = 0;
  const auto branch = [&](const std::string& to) {
    body += "@" + std::string(random() % 2 ? "!" : "") + "%p" + pick(4) + " bra " + to + ";\n";
  };
  // Paths that diverge and meet, and loops with another count in each lane.
  const std::function<void(int)> nested = [&](int depth) {
    const std::string n = std::to_string(labels++), counter = "%r" + std::to_string(22 + depth);
    straight(8);
    if (depth == 3) return;
    switch (random() % 3) {
      case 0:
        branch("else" + n);
        nested(depth + 1);
        body += "bra.uni both" + n + ";\nelse" + n + ":\n";
        nested(depth + 1);
        break;
      case 1:
        branch("both" + n);
        nested(depth + 1);
        break;
      default:
        body += "and.b32 " + counter + ", %r" + pick(8) + ", 3;\nagain" + n + ":\n";
        nested(depth + 1);
        branch("both" + n);
        body += "sub.s32 " + counter + ", " + counter + ", 1; setp.ge.s32 %p5, " + counter +
                ", 0; @%p5 bra again" + n + ";\n";
    }
    body += "both" + n + ":\n";
    straight(4);
  };
  for (int n = 0; n < 3; ++n) nested(0);
  return body;
}

TEST(CompiledKernel, RandomProgramsHaveTheResultsOfTheInterpreter) {
  std::mt19937 random(1);
  for (int program = 0; program < 40; ++program) {
    std::string body = random_body(random);
    std::size_t results = 0;
    const auto store = [&](const std::string& type, const std::string& name) {
      body += "st.global." + type + " [%x+" + std::to_string(1792 * results++) + "], " + name + ";";
    };
    for (int n = 0; n < 8; ++n) store("u32", "%r" + std::to_string(n));
    for (int n = 0; n < 5; ++n) store("u64", "%rd" + std::to_string(n));
    for (int n = 0; n < 6; ++n) store("f32", "%f" + std::to_string(n));
    check_equal(body, results, program % 2 == 0);
    if (HasFailure()) FAIL() << body;
  }
}

TEST(CompiledKernel, MachineCodeIsInterpreted) {
  DecodedKernel kernel;
  kernel.machine_code = true;
  EXPECT_EQ(CompiledKernel::compile(kernel), nullptr);
}

}  // namespace
}  // namespace heddle::exec::test
