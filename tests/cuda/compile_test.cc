#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"
#include "cuda/compile/compile.h"
#include "cuda/compile/device_symbols.h"
#include "cuda/compile/patches/asm_order.h"
#include "cuda/compile/patches/cache_operators.h"
#include "cuda/compile/patches/narrow_conversions.h"
#include "cuda/compile/patches/source_patches.h"
#include "cuda/compile/patches/tidy_branches.h"
#include "cuda/compile/process.h"

namespace heddle::cuda {
namespace fs = std::filesystem;
namespace {

std::string refusal_of(const std::vector<std::string>& arguments) {
  try {
    parse_arguments(arguments);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CompileArguments, InputsKeepTheirOrderAndOptionsTheirValues) {
  const auto options = parse_arguments(
      {"a.cu", "-o", "prog", "b.cpp", "-Iinc", "-I", "more", "-DN=4", "-lm", "-L/lib", "-O2"});
  EXPECT_EQ(options.inputs, (std::vector<std::string>{"a.cu", "b.cpp"}));
  EXPECT_EQ(options.output, "prog");
  EXPECT_EQ(options.preprocessor, (std::vector<std::string>{"-Iinc", "-Imore", "-DN=4"}));
  EXPECT_EQ(options.link_flags, (std::vector<std::string>{"-lm", "-L/lib"}));
  EXPECT_EQ(options.optimization, 2);
}

TEST(CompileArguments, TheLongestOptionNameWins) {
  const auto options =
      parse_arguments({"-lineinfo", "-include", "first.h", "-isystem", "sys", "a.cu"});
  EXPECT_TRUE(options.link_flags.empty());
  EXPECT_EQ(options.preprocessor,
            (std::vector<std::string>{"-include", "first.h", "-isystem", "sys"}));
}

TEST(CompileArguments, EverySpellingOfAnArchitectureIsRead) {
  EXPECT_EQ(parse_arguments({"a.cu"}).architecture, 75);
  EXPECT_EQ(parse_arguments({"-arch=sm_60"}).architecture, 60);
  EXPECT_EQ(parse_arguments({"--gpu-architecture", "compute_80"}).architecture, 80);
  EXPECT_EQ(parse_arguments({"-gencode", "arch=compute_70,code=[sm_70,compute_70]"}).architecture,
            70);
  EXPECT_EQ(parse_arguments({"-arch=sm_90a"}).architecture, 90);
  EXPECT_NE(refusal_of({"-arch=fermi"}).find("fermi"), std::string::npos);
}

TEST(CompileArguments, AnUnknownOptionIsAnErrorThatNamesTheNearest) {
  EXPECT_NE(refusal_of({"--device-ptz", "x"}).find("--device-ptx"), std::string::npos);
  EXPECT_NE(refusal_of({"-use_fast_maths"}).find("-use_fast_math"), std::string::npos);
  EXPECT_NE(refusal_of({"-o"}).find("needs a value"), std::string::npos);
}

TEST(CompileArguments, HostFlagsAreSplitAtCommas) {
  EXPECT_EQ(parse_arguments({"-Xcompiler", "-Wextra,-fno-rtti"}).host_flags,
            (std::vector<std::string>{"-Wextra", "-fno-rtti"}));
}

TEST(CompileArguments, HostFlagsAreSplitAtBlanksToo) {
  EXPECT_EQ(parse_arguments({"-Xcompiler", "-Wall -O3"}).host_flags,
            (std::vector<std::string>{"-Wall", "-O3"}));
}

TEST(CompileArguments, ArithmeticOptionsAreRead) {
  const auto options = parse_arguments(
      {"-ftz=true", "-fmad=false", "-prec-div", "false", "--prec-sqrt=false", "-maxrregcount=32"});
  EXPECT_TRUE(options.flush_denormals);
  EXPECT_FALSE(options.contract || options.exact_division || options.exact_roots);
  EXPECT_EQ(options.register_bound, 32);
  EXPECT_EQ(parse_arguments({"-Xptxas", "-v,-maxrregcount=20"}).register_bound, 20);
  EXPECT_NE(refusal_of({"-fmad=perhaps"}).find("neither true nor false"), std::string::npos);
  EXPECT_NE(refusal_of({"-maxrregcount=many"}).find("0 to 255"), std::string::npos);
}

TEST(CompileArguments, TheHighestOfSeveralGencodesIsCompiled) {
  EXPECT_EQ(parse_arguments(
                {"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_35,code=sm_35"})
                .architecture,
            80);
  EXPECT_EQ(parse_arguments({"-gencode", "arch=compute_30,code=sm_30"}).architecture, 30);
  EXPECT_EQ(parse_arguments({"-arch=sm_70"}).architecture, 70);
}

TEST(CompileArguments, OptionsOfCMakeAreKnown) {
  const auto options =
      parse_arguments({"--cuda-gpu-arch=sm_80", "--cuda-path=/usr/local/cuda", "-x", "cuda",
                       "-fvisibility=hidden", "-Xcompiler", ",\"-g\"", "a.cu"});
  EXPECT_EQ(options.architecture, 80);
  EXPECT_EQ(options.language, "cu");
  EXPECT_EQ(options.host_flags, (std::vector<std::string>{"-fvisibility=hidden", "-g"}));
  EXPECT_EQ(parse_arguments({"-M", "a.cu"}).preprocess, "-M");
  EXPECT_TRUE(parse_arguments({"--version"}).print_version);
}

TEST(CompileArguments, DefaultCacheOperatorsAreRead) {
  EXPECT_EQ(parse_arguments({"-Xptxas", "-v,-dlcm=cg"}).load_operator, "cg");
  EXPECT_EQ(parse_arguments({"-Xptxas=--def-load-cache=ca", "-Xptxas", "-dscm=wt"}).load_operator,
            "ca");
  EXPECT_EQ(parse_arguments({"-Xptxas=--def-load-cache=ca", "-Xptxas", "-dscm=wt"}).store_operator,
            "wt");
  EXPECT_THROW(parse_arguments({"-Xptxas", "-dlcm=wt"}), UserError);
}

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

TEST(CompileArguments, EveryNameOfTheRuntimeIsAccepted) {
  EXPECT_EQ(parse_arguments({"-lcudart", "-lcudart_static", "-lcudadevrt", "-lm"}).link_flags,
            (std::vector<std::string>{"-lm"}));
}

TEST(CompileArguments, OptionsOfCudaMakefilesAreKnown) {
  const auto options = parse_arguments(
      {"-m64", "--threads", "0", "--std=c++11", "-gencode", "arch=compute_75,code=sm_75", "-Werror",
       "all-warnings", "-Xcudafe", "--diag_suppress=177", "-allow-unsupported-compiler", "-dlink",
       "a.o", "-x", "cu", "-o", "link.o"});
  EXPECT_TRUE(options.device_link_only);
  EXPECT_EQ(options.language, "cu");
  EXPECT_EQ(options.inputs, (std::vector<std::string>{"a.o"}));
  EXPECT_EQ(options.diagnostics, (std::vector<std::string>{"-Werror"}));
  EXPECT_NE(refusal_of({"-m32"}).find("64 bits"), std::string::npos);
  EXPECT_NE(refusal_of({"-x", "fortran"}).find("fortran"), std::string::npos);
}

TEST(Compile, AMissingFileOrAnUnknownExtensionIsAUserError) {
  EXPECT_THROW(compile(parse_arguments({})), UserError);
  EXPECT_THROW(compile(parse_arguments({"nowhere.cu"})), UserError);
  EXPECT_THROW(compile(parse_arguments({"notes.txt"})), UserError);
}

TEST(CompileArguments, OlderNamesOfLanguagesAndArchitecturesAreRead) {
  EXPECT_EQ(parse_arguments({"-std=c++03", "-arch=all-major"}).standard, "c++11");
  EXPECT_EQ(parse_arguments({"--std", "gnu++98"}).standard, "gnu++11");
  EXPECT_EQ(parse_arguments({"-arch=native"}).architecture, 75);
  EXPECT_EQ(parse_arguments({"-gencode=arch=compute_13,code=\"sm_13,compute_13\""}).architecture,
            13);
}

TEST(CompileArguments, OptionsOfEarlyCudaMakefilesAreKnown) {
  const auto options =
      parse_arguments({"-arch", "sm_11", "--host-compilation=C++", "--opencc-options",
                       "-OPT:Olimit=0", "-po", "maxrregcount=24", "-noprof", "a.cu"});
  EXPECT_EQ(options.inputs, (std::vector<std::string>{"a.cu"}));
  EXPECT_EQ(options.architecture, 11);
  EXPECT_EQ(options.register_bound, 24);
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

TEST(AsmOrder, OnlyAsmStatementsOfTheProgramAreExamined) {
  EXPECT_TRUE(
      has_unseen_effects("// begin inline asm\n\tmov.u32 %r1, %clock;\n// end inline asm\n"));
  EXPECT_FALSE(
      has_unseen_effects("add.cc.u32 %r1, %r2, %r3;\n// begin inline asm\n\tmov.u32 %r1, "
                         "%laneid;\n// end inline asm\nld.global.u32 %r1, [%rd1];\n"));
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
  EXPECT_TRUE(has_narrow_conversions("cvt.rzi.s16.f64 %rs1, %fd1;"));
  EXPECT_TRUE(has_narrow_conversions("cvt.rzi.ftz.u16.f32 %rs1, %f1;"));
  EXPECT_FALSE(has_narrow_conversions("cvt.rzi.s32.f32 %r1, %f1;"));
}

TEST(SourcePatches, APercentSignThatClangRejectsIsDoubled) {
  const fs::path folder = fs::temp_directory_path() / ("lone_percents_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string file = (folder / "a.cu").string();
  std::ofstream(file)
      << "#define LANE \"mov.u32 %0, %laneid;\"\nasm(LANE); asm(\"mov %0, %smid;\");\n";
  SourcePatches percents(folder);
  EXPECT_TRUE(percents.flags().empty());
  EXPECT_FALSE(percents.apply(file + ":2:1: error: expected ';'\n"));
  EXPECT_TRUE(percents.apply(file + ":2:1: error: invalid % escape in inline assembly string\n" +
                             file + ":1:29: note: expanded from macro 'LANE'\n" + "\x1b[1m" + file +
                             ":2:27:\x1b[0m error: invalid % escape in inline assembly string\n"));
  EXPECT_EQ(percents.flags().size(), 2u);
  std::ifstream in(folder / "patched-0");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "#define LANE \"mov.u32 %0, %%laneid;\"\nasm(LANE); asm(\"mov %0, %%smid;\");\n");
  fs::remove_all(folder);
}

TEST(SourcePatches, AnAlignmentIsMovedToTheStartOfItsDeclaration) {
  const fs::path folder =
      fs::temp_directory_path() / ("late_alignment_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string file = (folder / "a.cu").string();
  std::ofstream(file) << "  extern __shared__ alignas(2 * sizeof(int)) int tile[4];\n#define "
                         "SHARED __shared__ alignas(8)\n__shared__ alignas(16) half h[8];\n";
  SourcePatches patches(folder);
  EXPECT_TRUE(patches.apply(file + ":1:21: error: an attribute list cannot appear here\n"));
  EXPECT_FALSE(patches.apply(file + ":2:27: error: an attribute list cannot appear here\n"));
  EXPECT_TRUE(
      patches.apply(file + ":3:12: error: 'alignas' attribute cannot be applied to types\n"));
  std::ifstream in(folder / "patched-0");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("\nalignas(16) __shared__ half h[8];\n"), std::string::npos) << text;
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "  alignas(2 * sizeof(int)) extern __shared__ int tile[4];");
  fs::remove_all(folder);
}

TEST(SourcePatches, SeparatedLaunchBracketsAreJoined) {
  const fs::path folder =
      fs::temp_directory_path() / ("loose_brackets_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string file = (folder / "a.cu").string();
  std::ofstream(file)
      << "k<< <1, 32 >> >(p);\nint a = 1 << ;\n#define GO k <<  <1, 2>>>\nA<B<C<int>> > x;\n";
  SourcePatches patches(folder);
  const std::string at = ": error: expected expression\n";
  EXPECT_FALSE(patches.apply(file + ":2:14" + at));
  EXPECT_TRUE(patches.apply(file + ":1:5" + at + file + ":1:15" + at + file + ":9:1" + at + file +
                            ":3:18: note: expanded from macro 'GO'\n"));
  EXPECT_FALSE(patches.apply(file + ":1:5" + at));
  std::ifstream in(folder / "patched-0");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text,
            "k <<<1, 32  >>>(p);\nint a = 1 << ;\n#define GO k   <<<1, 2>>>\nA<B<C<int>> > x;\n");
  fs::remove_all(folder);
}

TEST(SourcePatches, AGridOrABlockInBracesBecomesADim3) {
  const fs::path folder = fs::temp_directory_path() / ("dimensions_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string file = (folder / "a.cu").string();
  std::ofstream(file) << "k<<<f(1, 2), {8, 4}>>>(p);\nk<<<1, 2, {0}>>>(p); int x = {};\n";
  SourcePatches patches(folder);
  const std::string at = ": error: expected expression\n";
  EXPECT_FALSE(patches.apply(file + ":2:11" + at + file + ":2:31" + at));
  EXPECT_TRUE(patches.apply(file + ":1:14" + at));
  std::ifstream in(folder / "patched-0");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "k<<<f(1, 2), dim3{8, 4}>>>(p);\nk<<<1, 2, {0}>>>(p); int x = {};\n");
  fs::remove_all(folder);
}

TEST(SourcePatches, DeviceIsRemovedFromASharedVariableOfAKernel) {
  const fs::path folder = fs::temp_directory_path() / ("device_shared_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string file = (folder / "a.cu").string();
  std::ofstream(file) << "int n; __device__ __shared__ float s[4]; __shared__ int a; __device__ "
                         "int b;\n#define TILE __shared__ __device__\n";
  SourcePatches patches(folder);
  const std::string at =
      ": error: __constant__, __device__, and __managed__ are not allowed on non-static local "
      "variables\n";
  const std::string header = "host_defines.h:7:35: note: expanded from macro '__device__'\n";
  EXPECT_FALSE(
      patches.apply(file + ":1:60" + at + header));  // it is not shared, and clang's message stays
  EXPECT_TRUE(patches.apply(file + ":1:8" + at + header + file + ":9:1" + at + file +
                            ":2:25: note: expanded from macro 'TILE'\n" + header));
  std::ifstream in(folder / "patched-0");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text,
            "int n;            __shared__ float s[4]; __shared__ int a; __device__ int b;\n#define "
            "TILE __shared__           \n");
  fs::remove_all(folder);
}

// Code in "if (__THRUST_HAS_CUDART__)" is compiled for the device, but never called there.
TEST(SourcePatches, ThrustsLaunchesAreWrappedForTheHost) {
  const fs::path folder =
      fs::temp_directory_path() / ("thrust_" + std::to_string(getpid())) / "thrust";
  fs::create_directories(folder);
  const std::string file = (folder / "a.h").string();
  std::ofstream(file)
      << "if (__THRUST_HAS_CUDART__)\n  return reduce_on_host(a(b), c);\nelse\n{\n}\nif "
         "(__THRUST_HAS_CUDART__) {\n  if (x) { y(); }\n} else {\n}\n"
         "other();\n  self& operator=(const self&);\n";
  const std::string refused =
      ": error: reference to __host__ function 'f' in __host__ __device__ function\n";
  SourcePatches patches(folder);
  EXPECT_FALSE(patches.apply(file + ":10:1" + refused));
  EXPECT_FALSE(patches.apply(file + ":2:10: note: called by 'g'\n"))
      << "without a complaint before it";
  EXPECT_TRUE(patches.apply(file + ":2:10" + refused));
  EXPECT_TRUE(patches.apply(file + ":10:1" + refused + file + ":7:12: note: called by 'g'\n"));
  EXPECT_TRUE(
      patches.apply(file + ":10:1" + refused + file + ":11:9: note: 'operator=' declared here\n"));
  EXPECT_FALSE(patches.apply(file + ":2:10" + refused)) << "already patched";
  std::ifstream in(folder / "patched-0");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text,
            "if (__THRUST_HAS_CUDART__)\n  { __HEDDLE_HOST_PART__ { return reduce_on_host(a(b), "
            "c); }; }\nelse\n{\n}\n"
            "if (__THRUST_HAS_CUDART__) { __HEDDLE_HOST_PART__ {\n  if (x) { y(); }\n}; } else "
            "{\n}\nother();\n  __host__ __device__ self& "
            "operator=(const self&);\n");
  fs::remove_all(folder.parent_path());
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
    return names.find(".quad \\\"heddle.device." + name + "\\\"") != std::string::npos;
  };
  const auto defined = [&](const std::string& name) {
    return names.find(".weak \\\"heddle.device." + name + "\\\"") != std::string::npos;
  };
  EXPECT_TRUE(needed("_Z11times_seveni"));
  EXPECT_TRUE(needed("theirs"));
  EXPECT_TRUE(defined("helper"));
  EXPECT_TRUE(defined("table"));
  EXPECT_FALSE(defined("kernel"));  // a kernel's host side has its name
  EXPECT_FALSE(defined("own"));
  EXPECT_EQ(names_of_device_code(".visible .entry kernel(\n"), "");
}

}  // namespace
}  // namespace heddle::cuda
