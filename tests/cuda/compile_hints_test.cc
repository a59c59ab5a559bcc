// heddle cc writes hints about kernels into their PTX.
#include "cuda/compile/hints.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/input_file.h"
#include "cuda/compile/compile.h"
#include "ptx/flow/loops.h"
#include "ptx/module.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

// Kernel k has a loop at line 3, which is unrolled with a remainder, and one at line 9. Kernel m
// has none.
const std::string kText = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry k(
  .param .u32 n
)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .loc  1 4 3
$L__BB0_1:
  .loc  1 4 5
  add.u32 %r1, %r1, 4;
  setp.lt.u32 %p1, %r1, %r2;
  .loc  1 3 3
  @%p1 bra $L__BB0_1;
$L__BB0_2:
  .loc  1 4 5
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, %r2;
  .loc  1 3 3
  @%p1 bra $L__BB0_2;
$L__BB0_3:
  .loc  1 9 5
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, %r2;
  @%p1 bra $L__BB0_3;
  ret;
}
.visible .entry m()
{
  ret;
}
.file 1 "source/k.cu"
)";

class Hints : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("heddle-hints-test-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::string read(const std::string& name) const { return read_file(path(name)); }
  KernelHints hints(const std::string& text) const {
    write("h.toml", text);
    return KernelHints::read(path("h.toml"));
  }
  // The message of reading the hints and embedding them in kText, without the folder.
  std::string complaint(const std::string& text) const {
    try {
      KernelHints read = hints(text);
      read.with_loop_marks(kText, "k.ptx", false);
      read.with_directions(kText, "k.ptx");
      read.check_used();
    } catch (const UserError& error) {
      std::string message = error.what();
      if (const auto at = message.find(folder_.string()); at != std::string::npos)
        message.erase(at, folder_.string().size() + 1);
      return message;
    }
    return "accepted";
  }
  static ptx::Kernel lowered(const std::string& text, const std::string& kernel) {
    return ptx::Module::parse(text, "k.ptx").lower(kernel, {});
  }
  static std::vector<std::uint32_t> groups(const std::string& text,
                                           const std::string& kernel = "k") {
    std::vector<std::uint32_t> all;
    for (const ptx::Loop& loop : lowered(text, kernel).loops) all.push_back(loop.marked_group);
    return all;
  }
  using Groups = std::vector<std::uint32_t>;

  fs::path folder_;
};

TEST_F(Hints, MarkTheLoopsOfALine) {
  KernelHints two = hints(
      "[[kernel]]\nname = 'k'\n[[kernel.loop]]\nline = 3\ngroup = 5\n"
      "[[kernel.loop]]\nline = 9\nfile = 'k.cu'\ngroup = 2\ngroup_with_mapping = 20\n");
  EXPECT_EQ(groups(two.with_loop_marks(kText, "k.ptx", false)), (Groups{5, 5, 2}));
  two.check_used();
}

TEST_F(Hints, AsManyAsLoopsOfOneLineMarkOneLoopEach) {
  KernelHints two = hints(
      "[[kernel]]\nname = 'k'\n[[kernel.loop]]\nline = 3\ngroup = 5\n"
      "[[kernel.loop]]\nline = 3\ngroup = 0\n");
  EXPECT_EQ(groups(two.with_loop_marks(kText, "k.ptx", false)), (Groups{5, 0, 0}));
}

TEST_F(Hints, UseTheGroupWithMappingWhereTheDirectionIsEmbedded) {
  const std::string loop = "[[kernel.loop]]\nline = 9\ngroup = 2\ngroup_with_mapping = 20\n";
  for (const auto& [direction, mapped, group] :
       {std::tuple{"x", true, 20u}, {"x", false, 2u}, {"none", true, 2u}}) {
    KernelHints one =
        hints("[[kernel]]\nname = 'k'\ndirection = '" + std::string(direction) + "'\n" + loop);
    EXPECT_EQ(groups(one.with_loop_marks(kText, "k.ptx", mapped)), (Groups{0, 0, group}));
  }
}

TEST_F(Hints, AGroupOfZeroIsNoMark) {
  KernelHints one = hints("[[kernel]]\nname = 'k'\n[[kernel.loop]]\nline = 9\ngroup = 0\n");
  EXPECT_EQ(one.with_loop_marks(kText, "k.ptx", false), kText);
}

TEST_F(Hints, DirectionsBecomeDirectivesOfTheKernels) {
  KernelHints one = hints("[[kernel]]\nname = 'k'\ndirection = 'y'\n");
  const std::string text = one.with_directions(kText, "k.ptx");
  EXPECT_NE(text.find(")\n.pragma \"heddle_cta_direction y\";\n{"), std::string::npos) << text;
  EXPECT_EQ(lowered(text, "k").cta_direction_hint, ptx::CtaDirectionHint::y);
  EXPECT_EQ(lowered(text, "m").cta_direction_hint, ptx::CtaDirectionHint::absent);
  const std::string all = with_automatic_directions(kText);
  for (const char* kernel : {"k", "m"})
    EXPECT_EQ(lowered(all, kernel).cta_direction_hint, ptx::CtaDirectionHint::automatic);
}

TEST_F(Hints, AMistakeIsReportedWithItsPlaceInTheFile) {
  EXPECT_EQ(complaint("[[kernel]]\nname = 'k'\n"), "accepted");
  EXPECT_EQ(complaint("[[kernel]]\nname = 'q'\n"), "h.toml:1:1: no source has a kernel 'q'");
  EXPECT_EQ(complaint("[[kernel]]\nname = 'k'\n[[kernel.loop]]\nline = 8\ngroup = 2\n"),
            "h.toml:3:1: kernel 'k' has no loop at line 8; its loops are at lines 3, 3, 9");
  EXPECT_EQ(complaint("[[kernel]]\nname = 'm'\n[[kernel.loop]]\nline = 8\ngroup = 2\n"),
            "h.toml:3:1: kernel 'm' has no loop at line 8; no loop of it has a known line");
  EXPECT_EQ(complaint("[[kernel]]\nname = 'k'\ndirection = 'z'\n"),
            "h.toml:3:13: direction must be x, y or none");
  EXPECT_EQ(complaint("[[kernel]]\nname = 'k'\n[[kernel.loop]]\nline = 9\ngruop = 2\n"),
            "h.toml:5:1: unknown key 'gruop'; did you mean group?");
  EXPECT_EQ(complaint("[[kernel]]\ndirection = 'x'\n"), "h.toml:1:1: name is missing");
  EXPECT_EQ(complaint("kernel = 3\n"), "h.toml:1:10: kernel must be a list, [[kernel]]");
  EXPECT_EQ(complaint("x = 1\n"), "h.toml: has no [[kernel]]");
  EXPECT_EQ(complaint("[[kernel]]\nname = 'k'\n[[kernel.loop]]\ngroup = 2\n"),
            "h.toml:3:1: line must be a whole number from 1 to 1073741824");
}

TEST_F(Hints, TheCommandLineNamesTheirFile) {
  const auto options = parse_arguments({"--ps-hints", "a.toml", "--cta-hints", "b.toml", "k.cu"});
  EXPECT_EQ(options.ps_hints, "a.toml");
  EXPECT_EQ(options.cta_hints, "b.toml");
  EXPECT_EQ(parse_arguments({"--cta-hints=c", "k.cu"}).cta_hints, "c");
  const auto bare = parse_arguments({"--cta-hints", "k.cu"});
  EXPECT_EQ(bare.cta_hints, kAnalysedAtLaunch);
  EXPECT_EQ(bare.inputs, std::vector<std::string>{"k.cu"});
}

constexpr const char* kMarked = R"(#include <heddle.h>
#define GROUP 4
__global__ void k(const float* a, float* b, int n) {
  heddleCtaDirection(x);
  float sum = 0;
  heddlePsBegin(GROUP);
  for (int i = 0; i < n; ++i) sum += a[i * n + threadIdx.x];
  heddlePsEnd();
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum *= b[i];
  b[threadIdx.x] = sum;
}
)";

TEST_F(Hints, MarksInCudaSourceArriveInTheKernel) {
  write("k.cu", kMarked);
  ASSERT_EQ(compile(parse_arguments({"-ptx", path("k.cu"), "-o", path("k.ptx")})), 0);
  const ptx::Kernel kernel = lowered(read("k.ptx"), "_Z1kPKfPfi");
  EXPECT_EQ(kernel.cta_direction_hint, ptx::CtaDirectionHint::x);
  for (const ptx::Loop& loop : kernel.loops)
    EXPECT_EQ(loop.marked_group, ptx::line_of(kernel, loop).line == 7 ? 4u : 0u)
        << ptx::line_of(kernel, loop).line;
}

TEST_F(Hints, TheCompileDriverEmbedsThem) {
  write("k.cu", kMarked);
  write("h.toml",
        "[[kernel]]\nname = 'k'\ndirection = 'y'\n[[kernel.loop]]\nline = 10\ngroup = 3\n");
  ASSERT_EQ(compile(parse_arguments(
                {"-ptx", "--ps-hints", path("h.toml"), path("k.cu"), "-o", path("k.ptx")})),
            0);
  bool found = false;
  const ptx::Kernel kernel = lowered(read("k.ptx"), "_Z1kPKfPfi");
  for (const ptx::Loop& loop : kernel.loops)
    found |= loop.marked_group == 3 && ptx::line_of(kernel, loop).line == 10;
  EXPECT_TRUE(found);
  write("h.toml", "[[kernel]]\nname = 'other'\n");
  EXPECT_THROW(compile(parse_arguments(
                   {"-ptx", "--cta-hints", path("h.toml"), path("k.cu"), "-o", path("k.ptx")})),
               UserError);
}

}  // namespace
}  // namespace heddle::cuda
