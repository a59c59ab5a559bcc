// The command line of heddle cc.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "cuda/compile/compile.h"
#include "tests/error_message.h"

namespace heddle::cuda {
namespace fs = std::filesystem;
namespace {

std::string refusal_of(const std::vector<std::string>& arguments) {
  return message_of([&] { parse_arguments(arguments); }, "accepted");
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
  EXPECT_EQ(parse_arguments({"-arch=sm_90a"}).named.specific, 90);
  EXPECT_EQ(parse_arguments({"-arch=sm_90"}).named.specific, 0);
  EXPECT_NE(refusal_of({"-arch=fermi"}).find("fermi"), std::string::npos);
}

TEST(CompileArguments, AnUnknownOptionIsAnErrorThatNamesTheNearest) {
  EXPECT_NE(refusal_of({"--device-ptz", "x"}).find("--device-ptx"), std::string::npos);
  EXPECT_NE(refusal_of({"-use_fast_maths"}).find("-use_fast_math"), std::string::npos);
  EXPECT_NE(refusal_of({"-maxregcont", "32"}).find("-maxrregcount"), std::string::npos);
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
  EXPECT_EQ(parse_arguments({"-maxrregcount=0"}).register_bound, 0);
  EXPECT_EQ(parse_arguments({"-maxrregcount=255"}).register_bound, 255);
  for (const char* wrong : {"many", "-1", "256", "32x"})
    EXPECT_NE(refusal_of({std::string("-maxrregcount=") + wrong}).find("0 to 255"),
              std::string::npos)
        << wrong;
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

TEST(CompileArguments, AValueMayFollowAnEqualsSign) {
  const auto options =
      parse_arguments({"-o=prog", "-I=inc", "-isystem=sys", "-L=lib", "-l=m", "-U=X", "-D=Y=1",
                       "-O=1", "--system-include=dir", "--include-path", "more", "a.cu"});
  EXPECT_EQ(options.output, "prog");
  EXPECT_EQ(options.preprocessor, (std::vector<std::string>{"-Iinc", "-isystem", "sys", "-UX",
                                                            "-DY=1", "-isystem", "dir", "-Imore"}));
  EXPECT_EQ(options.link_flags, (std::vector<std::string>{"-Llib", "-lm"}));
  EXPECT_EQ(options.optimization, 1);
  EXPECT_NE(refusal_of({"-o="}).find("needs a value"), std::string::npos);
}

TEST(CompileArguments, CommasSeparateValuesOutsideOfQuotes) {
  EXPECT_EQ(
      parse_arguments({"-Ia,b", "-DX,Y=\"1,2\"", "-lm,n", "-include", "a.h,b.h"}).preprocessor,
      (std::vector<std::string>{"-Ia", "-Ib", "-DX", "-DY=\"1,2\"", "-include", "a.h", "-include",
                                "b.h"}));
  EXPECT_EQ(parse_arguments({"-DX=\\\"a\\\""}).preprocessor,
            (std::vector<std::string>{"-DX=\"a\""}))
      << "as a makefile writes a string for nvcc";
}

TEST(CompileArguments, PreprocessorFlagsOfTheHostCompilerAreForBothSides) {
  const auto options = parse_arguments({"-Xcompiler", "-isystem,dir,-Iinc,-DX,-UY", "-Xcompiler",
                                        "-include first.h", "-Xcompiler=-O3,-MD,-MF,a.d"});
  EXPECT_EQ(options.preprocessor, (std::vector<std::string>{"-isystem", "dir", "-Iinc", "-DX",
                                                            "-UY", "-include", "first.h"}));
  EXPECT_EQ(options.host_flags, (std::vector<std::string>{"-O3"}));
  EXPECT_EQ(options.dependency_flags, (std::vector<std::string>{"-MD", "-MF", "a.d"}));
}

TEST(CompileArguments, FlagsOfTheHostCompilerAreReadAsByAShell) {
  EXPECT_EQ(parse_arguments({"-Xcompiler", "\"-g\",'-fno-rtti' -fa=\"b,c\""}).host_flags,
            (std::vector<std::string>{"-g", "-fno-rtti", "-fa=b,c"}));
  EXPECT_EQ(parse_arguments({"-Xcompiler", R"(-fa=\\\"b\\\")"}).host_flags,
            (std::vector<std::string>{"-fa=\"b\""}));
}

TEST(CompileArguments, UnknownOptionsAreForwardedOnRequest) {
  const auto options =
      parse_arguments({"-foo", "-quux", "-forward-unknown-to-host-compiler", "a.cu"});
  EXPECT_EQ(options.host_flags, (std::vector<std::string>{"-foo", "-quux"}));
  EXPECT_EQ(parse_arguments({"-quux", "--forward-unknown-to-host-linker"}).link_flags,
            (std::vector<std::string>{"-quux"}));
  EXPECT_EQ(parse_arguments({"-march=native", "-mavx2", "-pedantic"}).host_flags,
            (std::vector<std::string>{"-march=native", "-mavx2", "-pedantic"}))
      << "build systems that see clang do not ask for forwarding";
}

TEST(CompileArguments, KindsOfWarningsBecomeErrors) {
  EXPECT_EQ(parse_arguments({"-Werror", "reorder,deprecated-declarations", "a.cu"}).diagnostics,
            (std::vector<std::string>{"-Werror=reorder-ctor", "-Werror=deprecated-declarations"}));
  EXPECT_EQ(parse_arguments({"--Werror=all-warnings", "-Werror=unused", "-Werror"}).diagnostics,
            (std::vector<std::string>{"-Werror", "-Werror=unused", "-Werror"}));
  EXPECT_NE(refusal_of({"--Werror", "everything"}).find("kinds of nvcc"), std::string::npos);
}

class OptionsFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_ = fs::temp_directory_path() / ("options_files_" + std::to_string(getpid()));
};

TEST_F(OptionsFiles, AreReplacedByTheirWords) {
  const std::string inner = write("inner", "-DB \"-D C\" # -DN\n"),
                    outer = write("outer", "# all\n-I=\"a b\"\t-DX=\\\"q\\\"\n-optf " + inner);
  const auto options = parse_arguments({"a.cu", "-optf", outer, "-DZ"});
  EXPECT_EQ(options.preprocessor,
            (std::vector<std::string>{"-Ia b", "-DX=\"q\"", "-DB", "-D C", "-DZ"}));
  EXPECT_EQ(parse_arguments({"--options-file=" + inner + "," + inner}).preprocessor.size(), 4u);
}

TEST_F(OptionsFiles, ThatIncludeThemselvesOrDoNotExistAreErrors) {
  const std::string self = (folder_ / "self").string();
  write("self", "-optf " + self);
  EXPECT_NE(refusal_of({"-optf", self}).find("includes itself"), std::string::npos);
  EXPECT_NE(refusal_of({"-optf=nowhere"}).find("cannot read the options file nowhere"),
            std::string::npos);
  EXPECT_NE(refusal_of({"-optf"}).find("needs a value"), std::string::npos);
}

// The options of `nvcc --help` of CUDA 13.0, with a value where they take one.
constexpr const char* kRefused = R"(
--cuda -cuda --optix-ir -optix-ir --ltoir -ltoir --clean-targets -clean --relocatable-link -r
--host-linker-script=use-lcs -hls=use-lcs
)";
constexpr const char* kAccepted = R"(
--cubin -cubin --fatbin -fatbin --ptx -ptx --preprocess -E --generate-dependencies -M
--generate-nonsystem-dependencies -MM --generate-dependencies-with-compile -MD
--generate-nonsystem-dependencies-with-compile -MMD --dependency-output=f -MF=f
--generate-dependency-targets -MP --compile -c --device-c -dc --device-w -dw --device-link -dlink
--link -link --lib -lib --run -run --output-file=f -o=f --pre-include=f -include=f
--objdir-as-tempdir -objtemp --library=m -l=m --define-macro=X -D=X --undefine-macro=X -U=X
--include-path=d -I=d --system-include=d -isystem=d --library-path=d -L=d --output-directory=d
-odir=d --compiler-bindir=g++ -ccbin=g++ --allow-unsupported-compiler -allow-unsupported-compiler
--archiver-binary=ar -arbin=ar --cudart=none -cudart=static --cudadevrt=none -cudadevrt=none
--libdevice-directory=d -ldir=d --target-directory=d -target-dir=d --use-local-env -use-local-env
--force-cl-env-setup -force-cl-env-setup --profile -pg --debug -g --device-debug -G
--generate-line-info -lineinfo --optimization-info=inline -opt-info=inline --optimize=2 -O2
--Ofast-compile=max -Ofc=max --dopt=on -dopt=on --dlink-time-opt -dlto --lto -lto --gen-opt-lto
-gen-opt-lto --ftemplate-backtrace-limit=3 -ftemplate-backtrace-limit=3 --ftemplate-depth=3
-ftemplate-depth=3 --no-exceptions -noeh --shared -shared --x=cu -x=cu --std=c++17 -std=c++17
--no-host-device-initializer-list -nohdinitlist --no-host-device-move-forward -nohdmoveforward
--expt-relaxed-constexpr -expt-relaxed-constexpr --extended-lambda -extended-lambda
--expt-extended-lambda -expt-extended-lambda --machine=64 -m=64 --m64 -m64 --compiler-options=-g
-Xcompiler=-g --linker-options=-g -Xlinker=-g --archive-options=v -Xarchive=v --ptxas-options=-v
-Xptxas=-v --nvlink-options=-v -Xnvlink=-v --static-global-template-stub=true
-static-global-template-stub=true --device-entity-has-hidden-visibility=true
-device-entity-has-hidden-visibility=true --forward-unknown-to-host-compiler
-forward-unknown-to-host-compiler --forward-unknown-to-host-linker -forward-unknown-to-host-linker
--forward-unknown-opts -forward-unknown-opts --dont-use-profile -noprof --dryrun -dryrun --verbose
-v --threads=2 -t2 --split-compile=2 -split-compile=2 --split-compile-extended=2
-split-compile-extended=2 --fdevice-syntax-only -fdevice-syntax-only --fdevice-time-trace=f
-fdevice-time-trace=f --keep -keep --keep-dir=d -keep-dir=d --save-temps -save-temps --time=f
-time=f --run-args=a -run-args=a --input-drive-prefix=p -idp=p --dependency-drive-prefix=p -ddp=p
--drive-prefix=p -dp=p --dependency-target-name=t -MT=t --no-align-double --no-device-link -nodlink
--gpu-architecture=sm_80 -arch=sm_80 --gpu-code=sm_80 -code=sm_80
--generate-code=arch=compute_80,code=sm_80 -gencode=arch=compute_80,code=sm_80
--relocatable-device-code=true -rdc=true --entries=k -e=k --maxrregcount=32 -maxrregcount=32
--use_fast_math -use_fast_math --ftz=true -ftz=true --prec-div=true -prec-div=true --prec-sqrt=true
-prec-sqrt=true --fmad=true -fmad=true --extra-device-vectorization -extra-device-vectorization
--default-stream=legacy -default-stream=legacy --disable-warnings -w --keep-device-functions
-keep-device-functions --source-in-ptx -src-in-ptx --restrict -restrict --Wreorder -Wreorder
--Wdefault-stream-launch -Wdefault-stream-launch --Wmissing-launch-bounds -Wmissing-launch-bounds
--Wext-lambda-captures-this -Wext-lambda-captures-this --Wno-deprecated-declarations
-Wno-deprecated-declarations --Wno-deprecated-gpu-targets -Wno-deprecated-gpu-targets
--Werror=reorder -Werror=reorder --resource-usage -res-usage --extensible-whole-program -ewp
--no-compress -no-compress --qpp-config=c -qpp-config=c --compile-as-tools-patch -astoolspatch
--list-gpu-code -code-ls --list-gpu-arch -arch-ls --display-error-number -err-no
--no-display-error-number -no-err-no --diag-error=1 -diag-error=1 --diag-suppress=1 -diag-suppress=1
--diag-warn=1 -diag-warn=1 --augment-host-linker-script -aug-hls --brief-diagnostics=true
-brief-diag=true --jump-table-density=3 -jtd=3 --relocatable-ptx -reloc-ptx
--device-stack-protector=true -device-stack-protector=true --compress-mode=size -compress-mode=size
--frandom-seed=s -frandom-seed=s --sanitize=memcheck -sanitize=memcheck --jobserver -jobserver
--version -V
)";

TEST(CompileArguments, EveryOptionOfNvcc13IsKnown) {
  std::istringstream refused(kRefused), accepted(kAccepted);
  for (std::string option; refused >> option;)
    EXPECT_NE(refusal_of({option}).find("is not supported: "), std::string::npos) << option;
  for (std::string option; accepted >> option;)
    EXPECT_EQ(refusal_of({option}), "accepted") << option;
}

TEST(CompileArguments, AnOptionWhoseOutputWillBeMissedGivesANote) {
  EXPECT_EQ(parse_arguments({"-dlto", "-t4", "-ewp"}).notes.size(), 0u);
  EXPECT_EQ(parse_arguments({"--sanitize=memcheck"}).notes,
            (std::vector<std::string>{"--sanitize=memcheck has no effect: use heddle check"}));
}

TEST(CompileArguments, ClangsSpellingsOfCMakeAreKnown) {
  const auto options = parse_arguments({"--cuda-gpu-arch=sm_35", "--no-cuda-include-ptx=sm_35",
                                        "--cuda-gpu-arch=sm_80", "--cuda-gpu-arch=sm_75",
                                        "--cuda-device-only", "-S", "a.cu"});
  EXPECT_EQ(options.architecture, 80);
  EXPECT_TRUE(options.ptx_only);
  EXPECT_NE(refusal_of({"-S", "a.cu"}).find("--cuda-device-only"), std::string::npos);
}

TEST(CompileArguments, HelpListsEveryOptionOnceWithItsEffect) {
  const std::string help = compile_help();
  for (const char* line :
       {"\n  --output-file, -o FILE      the output\n", "\nWithout effect:\n", "\nNot supported:\n",
        "  -fopenmp                    OpenMP on the host side\n"})
    EXPECT_NE(help.find(line), std::string::npos) << line;
  EXPECT_EQ(help.find(" -dlto,"), help.rfind(" -dlto,"));
}

}  // namespace
}  // namespace heddle::cuda
