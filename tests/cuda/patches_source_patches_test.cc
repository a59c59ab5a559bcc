// Source patches, given clang's messages.
#include "cuda/compile/patches/source_patches.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/input_file.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

class SourcePatchesOf : public testing::Test {
 protected:
  SourcePatchesOf() { fs::create_directories(folder_); }
  ~SourcePatchesOf() override { fs::remove_all(folder_.parent_path()); }

  void write(const std::string& text) const { std::ofstream(file_) << text; }
  std::string patched() const { return read_file(folder_ / "patched-0"); }

  // Patches of Thrust are made in folders of this name only.
  const fs::path folder_ =
      fs::temp_directory_path() / ("source_patches_" + std::to_string(getpid())) / "thrust";
  const std::string file_ = (folder_ / "a.cu").string();
  SourcePatches patches_{folder_};
};

TEST_F(SourcePatchesOf, APercentSignThatClangRejectsIsDoubled) {
  write("#define LANE \"mov.u32 %0, %laneid;\"\nasm(LANE); asm(\"mov %0, %smid;\");\n");
  EXPECT_TRUE(patches_.flags().empty());
  EXPECT_FALSE(patches_.apply(file_ + ":2:1: error: expected ';'\n"));
  EXPECT_TRUE(patches_.apply(file_ + ":2:1: error: invalid % escape in inline assembly string\n" +
                             file_ + ":1:29: note: expanded from macro 'LANE'\n" + "\x1b[1m" +
                             file_ +
                             ":2:27:\x1b[0m error: invalid % escape in inline assembly string\n"));
  EXPECT_EQ(patches_.flags().size(), 2u);
  const std::string text = patched();
  EXPECT_EQ(text, "#define LANE \"mov.u32 %0, %%laneid;\"\nasm(LANE); asm(\"mov %0, %%smid;\");\n");
}

TEST_F(SourcePatchesOf, APlaceOfSeveralMessagesIsPatchedOnce) {
  write("asm(\"mov %0, %smid;\");\n");
  const std::string message = file_ + ":1:14: error: invalid % escape in inline assembly string\n";
  EXPECT_TRUE(patches_.apply(message + "a.cu:9:1: note: in instantiation of 'f'\n" + message));
  EXPECT_EQ(patched(), "asm(\"mov %0, %%smid;\");\n");
}

TEST_F(SourcePatchesOf, AStructureInSharedMemoryOfALaunchBecomesAnArray) {
  write("__shared__ alignas(8) int a[2];\n  extern __shared__ Tile<8, 4> tile ;\n");
  // The macro belongs to the second message.
  EXPECT_TRUE(
      patches_.apply(file_ + ":1:12: error: 'alignas' attribute cannot be applied to types\n" +
                     file_ + ":2:10: error: __shared__ variable 'tile' cannot be 'extern'\n" +
                     "host_defines.h:9:35: note: expanded from macro '__shared__'\n"));
  EXPECT_EQ(patched(),
            "alignas(8) __shared__ int a[2];\n  extern __shared__ Tile<8, 4> "
            "__heddle_array_tile[]; auto& tile = __heddle_array_tile[0] ;\n");
}

TEST_F(SourcePatchesOf, AnAlignmentIsMovedToTheStartOfItsDeclaration) {
  write(
      "  extern __shared__ alignas(2 * sizeof(int)) int tile[4];\n#define "
      "SHARED __shared__ alignas(8)\n__shared__ alignas(16) half h[8];\n");
  EXPECT_TRUE(patches_.apply(file_ + ":1:21: error: an attribute list cannot appear here\n"));
  EXPECT_FALSE(patches_.apply(file_ + ":2:27: error: an attribute list cannot appear here\n"));
  EXPECT_TRUE(
      patches_.apply(file_ + ":3:12: error: 'alignas' attribute cannot be applied to types\n"));
  const std::string text = patched();
  EXPECT_NE(text.find("\nalignas(16) __shared__ half h[8];\n"), std::string::npos) << text;
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "  alignas(2 * sizeof(int)) extern __shared__ int tile[4];");
}

TEST_F(SourcePatchesOf, SeparatedLaunchBracketsAreJoined) {
  write("k<< <1, 32 >> >(p);\nint a = 1 << ;\n#define GO k <<  <1, 2>>>\nA<B<C<int>> > x;\n");
  const std::string at = ": error: expected expression\n";
  EXPECT_FALSE(patches_.apply(file_ + ":2:14" + at));
  EXPECT_TRUE(patches_.apply(file_ + ":1:5" + at + file_ + ":1:15" + at + file_ + ":9:1" + at +
                             file_ + ":3:18: note: expanded from macro 'GO'\n"));
  EXPECT_FALSE(patches_.apply(file_ + ":1:5" + at));
  const std::string text = patched();
  EXPECT_EQ(text,
            "k <<<1, 32  >>>(p);\nint a = 1 << ;\n#define GO k   <<<1, 2>>>\nA<B<C<int>> > x;\n");
}

TEST_F(SourcePatchesOf, AGridOrABlockInBracesBecomesADim3) {
  write("k<<<f(1, 2), {8, 4}>>>(p);\nk<<<1, 2, {0}>>>(p); int x = {};\n");
  const std::string at = ": error: expected expression\n";
  EXPECT_FALSE(patches_.apply(file_ + ":2:11" + at + file_ + ":2:31" + at));
  EXPECT_TRUE(patches_.apply(file_ + ":1:14" + at));
  const std::string text = patched();
  EXPECT_EQ(text, "k<<<f(1, 2), dim3{8, 4}>>>(p);\nk<<<1, 2, {0}>>>(p); int x = {};\n");
}

TEST_F(SourcePatchesOf, DeviceIsRemovedFromASharedVariableOfAKernel) {
  write(
      "int n; __device__ __shared__ float s[4]; __shared__ int a; __device__ "
      "int b;\n#define TILE __shared__ __device__\n");
  const std::string at =
      ": error: __constant__, __device__, and __managed__ are not allowed on non-static local "
      "variables\n";
  const std::string header = "host_defines.h:7:35: note: expanded from macro '__device__'\n";
  EXPECT_FALSE(patches_.apply(file_ + ":1:60" + at +
                              header));  // it is not shared, and clang's message stays
  EXPECT_TRUE(patches_.apply(file_ + ":1:8" + at + header + file_ + ":9:1" + at + file_ +
                             ":2:25: note: expanded from macro 'TILE'\n" + header));
  const std::string text = patched();
  EXPECT_EQ(text,
            "int n;            __shared__ float s[4]; __shared__ int a; __device__ int b;\n#define "
            "TILE __shared__           \n");
}

// Code in "if (__THRUST_HAS_CUDART__)" is compiled for the device, but never called there.
TEST_F(SourcePatchesOf, ThrustsLaunchesAreWrappedForTheHost) {
  write(
      "if (__THRUST_HAS_CUDART__)\n  return reduce_on_host(a(b), c);\nelse\n{\n}\nif "
      "(__THRUST_HAS_CUDART__) {\n  if (x) { y(); }\n} else {\n}\n"
      "other();\n  self& operator=(const self&);\n");
  const std::string refused =
      ": error: reference to __host__ function 'f' in __host__ __device__ function\n";
  EXPECT_FALSE(patches_.apply(file_ + ":10:1" + refused));
  EXPECT_FALSE(patches_.apply(file_ + ":2:10: note: called by 'g'\n"))
      << "without a complaint before it";
  EXPECT_TRUE(patches_.apply(file_ + ":2:10" + refused));
  EXPECT_TRUE(patches_.apply(file_ + ":10:1" + refused + file_ + ":7:12: note: called by 'g'\n"));
  EXPECT_TRUE(patches_.apply(file_ + ":10:1" + refused + file_ +
                             ":11:9: note: 'operator=' declared here\n"));
  EXPECT_FALSE(patches_.apply(file_ + ":2:10" + refused)) << "already patched";
  const std::string text = patched();
  EXPECT_EQ(text,
            "if (__THRUST_HAS_CUDART__)\n  { __HEDDLE_HOST_PART__ { return reduce_on_host(a(b), "
            "c); }; }\nelse\n{\n}\n"
            "if (__THRUST_HAS_CUDART__) { __HEDDLE_HOST_PART__ {\n  if (x) { y(); }\n}; } else "
            "{\n}\nother();\n  __host__ __device__ self& "
            "operator=(const self&);\n");
}

TEST_F(SourcePatchesOf, APragmaThatIsTheTextOfAMacroIsQuoted) {
  write(
      "#define UNROLL #pragma unroll\n#define FOUR  # pragma unroll 4  // of 8\n"
      "UNROLL\nFOUR\n");
  const std::string at = ": error: expected expression\n";
  const std::string macro = ": note: expanded from macro 'M'\n";
  EXPECT_FALSE(patches_.apply(file_ + ":3:1" + at + file_ + ":1:9" + macro));
  EXPECT_TRUE(patches_.apply(file_ + ":3:1" + at + file_ + ":1:16" + macro + file_ + ":4:1" + at +
                             file_ + ":2:15" + macro));
  const std::string text = patched();
  EXPECT_EQ(text,
            "#define UNROLL _Pragma(\"unroll\")\n#define FOUR  _Pragma(\"unroll 4\")  // of 8\n"
            "UNROLL\nFOUR\n");
}

TEST_F(SourcePatchesOf, OperandsOfAnAsmStatementAreSeparated) {
  write("asm(\"\" :: \"r\"(a) \"r\"(b)\"r\"(c)\n  [d] \"r\"(d));\nf((1) \"r\");\n");
  const std::string at = ": error: expected ')'\n";
  EXPECT_FALSE(patches_.apply(file_ + ":3:7" + at)) << "no operand";
  EXPECT_TRUE(patches_.apply(file_ + ":1:18" + at));
  EXPECT_TRUE(patches_.apply(file_ + ":1:24" + at));
  EXPECT_TRUE(patches_.apply(file_ + ":2:3" + at));
  const std::string text = patched();
  EXPECT_EQ(text, "asm(\"\" :: \"r\"(a),\"r\"(b),\"r\"(c)\n, [d] \"r\"(d));\nf((1) \"r\");\n");
}

TEST_F(SourcePatchesOf, AnUnknownMemberOfATemplateDelaysItsLookup) {
  EXPECT_FALSE(patches_.apply("a.cu:1:2: error: use of undeclared identifier 'x'\n"));
  EXPECT_TRUE(patches_.apply("a.cu:1:2: error: no member named 'x' in 'M<T>'\n"));
  EXPECT_EQ(patches_.flags(), std::vector<std::string>{"-fdelayed-template-parsing"});
  EXPECT_FALSE(patches_.apply("a.cu:1:2: error: no member named 'x' in 'M<int>'\n"));
}

}  // namespace
}  // namespace heddle::cuda
