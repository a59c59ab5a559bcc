#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "cuda/compile/compile.h"
#include "cuda/compile/device_symbols.h"
#include "cuda/compile/patches/asm_order.h"
#include "cuda/compile/patches/cache_operators.h"
#include "cuda/compile/patches/local_data.h"
#include "cuda/compile/patches/narrow_conversions.h"
#include "cuda/compile/patches/tidy_branches.h"
#include "cuda/compile/process.h"

namespace heddle::cuda {
namespace {

TEST(CacheOperators, AccessesWithoutAnOperatorGetOne) {
  EXPECT_EQ(with_cache_operator(
                "\tld.global.u32 \t%r1, [%rd1];\n\t@%p1 ld.v2.f32 {%f1, %f2}, [%rd2];", "ld", "cg"),
            "\tld.global.cg.u32 \t%r1, [%rd1];\n\t@%p1 ld.cg.v2.f32 {%f1, %f2}, [%rd2];");
  EXPECT_EQ(with_cache_operator("st.global.f64 [%rd1], %fd1;\n", "st", "wt"),
            "st.global.wt.f64 [%rd1], %fd1;\n");
}

TEST(CacheOperators, AccessesWithQualifiersStayUnchanged) {
  for (const char* line :
       {"ld.global.nc.u32 %r1, [%rd1];\n", "ld.volatile.global.u32 %r1, [%rd1];\n",
        "ld.global.ca.u32 %r1, [%rd1];\n", "ld.shared.u32 %r1, [%r2];\n",
        "ld.param.u64 %rd1, [p];\n", "ld.relaxed.gpu.global.u32 %r1, [%rd1];\n",
        "st.global.u32 [%rd1], %r1;\n"}) {
    EXPECT_EQ(with_cache_operator(line, "ld", "cg"), line);
  }
}

TEST(Compile, AMissingFileOrAnUnknownExtensionIsAUserError) {
  EXPECT_THROW(compile(parse_arguments({})), UserError);
  EXPECT_THROW(compile(parse_arguments({"nowhere.cu"})), UserError);
  EXPECT_THROW(compile(parse_arguments({"notes.txt"})), UserError);
}

TEST(Compile, AQuestionToTheHostCompilerIsAnsweredWhateverTheInputsAre) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(compile(parse_arguments({".c", "-Xcompiler", "--version"})), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("clang version"), std::string::npos);
  testing::internal::CaptureStdout();
  EXPECT_EQ(compile(parse_arguments({".c", "-Xcompiler", "-dumpfullversion -dumpversion"})), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout().find_first_not_of("0123456789.\n"),
            std::string::npos);
}

TEST(AsmOrder, StatementsWithHiddenDependencesBecomeVolatile) {
  const std::string carry = "  %3 = call i32 asm",
                    end = " \"addc.u32 $0, $1, 0;\", \"=r,r\"(i32 %2)";
  const std::string groups =
      "attributes #1 = { convergent nounwind }\nattributes #12 = { convergent nounwind "
      "memory(none) }\n";
  EXPECT_EQ(with_ordered_asm(carry + end + " #12, !srcloc !4\n" + groups),
            carry + " sideeffect" + end + " convergent nounwind, !srcloc !4\n" + groups);
  const std::string pure =
      "  %3 = call i32 asm \"lop3.b32 $0, $1, $1, 0, 3;\", \"=r,r\"(i32 %2) #12\n" + groups;
  EXPECT_EQ(with_ordered_asm(pure), pure);
  const std::string volatile_asm =
      carry + end + " #1\n" + groups;  // the program declares that it accesses memory
  EXPECT_EQ(with_ordered_asm(volatile_asm), volatile_asm);
}

TEST(AsmOrder, OrdersOfUsesAreRemovedBecauseLlvmDoesNotReadThem) {
  EXPECT_EQ(with_ordered_asm("  uselistorder i32 1, { 1, 0 }\n"
                             "  uselistorder ptr asm \"mov.u32 $0, %clock;\", \"=r\", { 1, 0 }\n"),
            "  uselistorder i32 1, { 1, 0 }\n");
}

TEST(NarrowConversions, FloatsAreConvertedThroughThirtyTwoBits) {
  EXPECT_EQ(with_wide_conversions("  %18 = fptoui float %17 to i8, !dbg !3\n"),
            "  %\"heddle.wide.18\" = fptoui float %17 to i32, !dbg !3\n  %18 = trunc i32 "
            "%\"heddle.wide.18\" to i8, !dbg !3\n");
  for (const std::string kept :
       {"  %2 = fptosi double %1 to i64\n", "  %2 = fptoui <2 x float> %1 to <2 x i8>\n",
        "  %2 = fptosi float %1 to i32\n"}) {
    EXPECT_EQ(with_wide_conversions(kept), kept);
  }
}

TEST(LocalData, IsPassedWhenAFunctionOfTheSamePtxIsCalled) {
  const std::string depot = "\t.local .align 4 .b8 \t__local_depot0[64];\n";
  const std::string call = "\tcall.uni (retval0), \n\t_Z1fPf, \n\t(\n\tparam0\n\t);\n";
  const std::string declared = ".func _Z1fPf\n(\n)\n;\n", defined = ".func _Z1fPf(\n)\n{\n}\n";
  EXPECT_TRUE(passes_local_data(declared + depot + call + defined));
  EXPECT_FALSE(passes_local_data(declared + depot + call)) << "as vprintf";
  EXPECT_FALSE(passes_local_data(declared + call + defined)) << "no local data";
  EXPECT_FALSE(passes_local_data(depot + defined)) << "no call";
}

TEST(LocalData, ArraysAndStructuresAreAlignedForTheWidestAccess) {
  EXPECT_EQ(with_aligned_locals("  %1 = alloca [12 x %struct.V], align 4, !dbg !3\n"
                                "  %2 = alloca %struct.F, align 8\n"),
            "  %1 = alloca [12 x %struct.V], align 16, !dbg !3\n"
            "  %2 = alloca %struct.F, align 16\n");
  for (const std::string kept :
       {"  %1 = alloca i32, align 4\n", "  %1 = alloca [4 x i8], align 128\n", "  ret void\n"})
    EXPECT_EQ(with_aligned_locals(kept), kept);
}

TEST(Process, ReturnsTheExitStatusAndPrintsTheCommandAsTyped) {
  EXPECT_EQ(run({"sh", "-c", "exit 7"}), 7);
  EXPECT_EQ(shown({"cc", "-DX=a b", "f.c"}), "cc '-DX=a b' f.c");
  EXPECT_THROW(run({"no-such-program-anywhere"}), UserError);
}

TEST(TidyBranches, AnExitBeforeTheJumpBackBecomesOneInvertedJump) {
  EXPECT_EQ(
      tidy_branches(
          "$L1:\n\tadd.s32 %r1, %r1, 1;\n\t@%p1 bra \t$L2;\n\tbra.uni \t$L1;\n$L2:\n\tret;\n"),
      "$L1:\n\tadd.s32 %r1, %r1, 1;\n\t@!%p1 bra \t$L1;\n\n$L2:\n\tret;\n");
  EXPECT_EQ(
      tidy_branches("\t@!%p1 bra $L2;\n\t.loc 1 2 3\n\tbra.uni $L1;\n$L__tmp4:\n$L2: // exit\n"),
      "\t@%p1 bra \t$L1;\n\t.loc 1 2 3\n\n$L__tmp4:\n$L2: // exit\n");
}

TEST(TidyBranches, NamesOfBlocksAreRemoved) {
  EXPECT_EQ(tidy_branches("$L__BB0_1:      // %.loopexit\n// %bb.2:   // %.lr.ph\n// %x\n"),
            "$L__BB0_1:\n// %bb.2:\n// %x\n");
}

TEST(TidyBranches, AJumpToTheNextInstructionIsRemoved) {
  EXPECT_EQ(tidy_branches("\tbra.uni \t$L2;\n$L2:\n\tret;\n"), "\n$L2:\n\tret;\n");
}

TEST(TidyBranches, ALoopWithADistantExitHasOneBranchPerIteration) {
  EXPECT_EQ(tidy_branches("$L1:\n\tret;\n$L2:\n\t@%p1 bra \t$L1;\n\tbra.uni \t$L2;\n$L3:\n"),
            "$L1:\n\tret;\n$L2:\n\t@!%p1 bra \t$L2;\n\tbra.uni \t$L1;\n$L3:\n");
}

TEST(TidyBranches, OtherBranchesStayUnchanged) {
  const std::string label_between = "$L1:\n\t@%p1 bra \t$L2;\n$L3:\n\tbra.uni \t$L1;\n$L2:\n";
  EXPECT_EQ(tidy_branches(label_between), label_between);
  const std::string code_after = "\t@%p1 bra \t$L2;\n\tbra.uni \t$L1;\n$L3:\n\tret;\n$L2:\n";
  EXPECT_EQ(tidy_branches(code_after), code_after);
}

TEST(NamesOfDeviceCode, AreDefinedForOwnSymbolsAndReferencedForOthers) {
  const std::string names = names_of_device_code(
      ".extern .func  (.param .b32 func_retval0) _Z11times_seveni\n(\n.extern .global .align 4 "
      ".u32 theirs;\n"
      ".visible .func helper(\n.visible .global .align 4 .b8 table[16];\n.visible .entry "
      "kernel(\n.func own(\n");
  const auto needed = [&](const std::string& name) {
    return names.find(".quad \"heddle.device." + name + "\"\n") != std::string::npos;
  };
  const auto defined = [&](const std::string& name) {
    return names.find(".weak \"heddle.device." + name + "\"\n") != std::string::npos;
  };
  EXPECT_TRUE(needed("_Z11times_seveni"));
  EXPECT_TRUE(needed("theirs"));
  EXPECT_TRUE(defined("helper"));
  EXPECT_TRUE(defined("table"));
  EXPECT_FALSE(defined("kernel"));  // a kernel's host side has its name
  EXPECT_FALSE(defined("own"));
  EXPECT_EQ(names_of_device_code(".visible .entry kernel(\n"), "");
}

// nvcc's PTX on the left, the names of clang's host side in the object.
TEST(HostNames, ReplaceThoseOfSymbolsWithInternalLinkage) {
  const std::string header = ".version 7.0\n.target sm_75\n.address_size 64\n";
  const std::string inner =
      "_ZN31_INTERNAL_98f44c36_5_st_cu_main25_GLOBAL__N__98f44c36_main5innerE";
  const std::string ptx = header +
                          ".const .align 4 .b8 table[16];\n.global .align 4 .u32 counter;\n" +
                          ".const .align 4 .b8 " + inner + "[8];\n" +
                          ".entry _Z1kPi(.param .u64 _Z1kPi_param_0) {\n.reg .b32 %table;\n" +
                          "ld.const.b32 %table, [table+4];\nret;\n}\n";
  std::string object = "ELF";
  for (const char* name :
       {"_ZL5table", "counter", "_ZN12_GLOBAL__N_15innerE", "_ZL1kPi", "_ZL7another"})
    object += std::string(1, '\0') + name;
  object += '\0';
  EXPECT_EQ(with_host_names(ptx, object),
            header + ".const .align 4 .b8 _ZL5table[16];\n.global .align 4 .u32 counter;\n" +
                ".const .align 4 .b8 _ZN12_GLOBAL__N_15innerE[8];\n" +
                ".entry _ZL1kPi(.param .u64 _Z1kPi_param_0) {\n.reg .b32 %table;\n" +
                "ld.const.b32 %table, [_ZL5table+4];\nret;\n}\n");
  EXPECT_EQ(with_host_names(ptx, "ELF"), ptx);
}

}  // namespace
}  // namespace heddle::cuda
