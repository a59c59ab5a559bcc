// What the analysis knows of random kernels stays what it is.
#include <gtest/gtest.h>

#include <random>

#include "base/fnv.h"
#include "tests/analysis/kernels.h"
#include "tests/recorded.h"

namespace heddle::analysis {
namespace {

// Index arithmetic, guards, loops with several steps and ends, and accesses.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint32_t seed) : random_(seed) {}

  std::string body() {
    std::string text = "mov.u32 %r20, 0; mov.u32 %r21, 1; mov.u32 %r22, 5; mov.u32 %r23, %tid.z;\n";
    for (int n = below(8) + 2; n > 0; --n) text += arithmetic();
    if (below(3) != 0) {
      const std::string inner = statements() + (below(2) ? loop("B", "%r25", statements()) : "");
      text += loop("A", "%r24", inner);
    }
    return text + statements();
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  std::string one_of(std::initializer_list<const char*> texts) {
    return texts.begin()[below(static_cast<int>(texts.size()))];
  }
  std::string source() {
    return one_of({"%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r20", "%r21", "%r22", "%r23"});
  }
  std::string target() { return one_of({"%r20", "%r21", "%r22", "%r23"}); }
  std::string number() {
    return one_of({"0", "1", "2", "3", "4", "7", "8", "16", "31", "32", "33", "64", "100", "-1",
                   "-4", "255", "65535"});
  }
  std::string either() { return below(2) ? source() : number(); }
  std::string arithmetic() {
    const std::string to = target(), a = source(), b = either();
    switch (below(16)) {
      case 0: return "mad.lo.s32 " + to + ", " + a + ", " + number() + ", " + b + ";\n";
      case 1: return "shl.b32 " + to + ", " + a + ", " + one_of({"0", "1", "4", "31"}) + ";\n";
      case 2:
        return one_of({"shr.s32 ", "shr.u32 "}) + to + ", " + a + ", " + one_of({"1", "3", "5"}) +
               ";\n";
      case 3:
        return one_of({"and", "or", "xor"}) + ".b32 " + to + ", " + a + ", " + number() + ";\n";
      case 4:
        return one_of({"div", "rem"}) + one_of({".s32 ", ".u32 "}) + to + ", " + a + ", " +
               one_of({"2", "3", "8", "10"}) + ";\n";
      case 5: return one_of({"min.s32 ", "max.s32 "}) + to + ", " + a + ", " + b + ";\n";
      case 6:
        return "setp." + one_of({"lt", "le", "eq", "ne", "ge", "gt"}) + one_of({".s32", ".u32"}) +
               " %p3, " + a + ", " + b + "; selp.b32 " + to + ", " + source() + ", " + number() +
               ", %p3;\n";
      case 7: return "bfe.u32 " + to + ", " + a + ", 3, " + one_of({"1", "5", "8"}) + ";\n";
      case 8:
        return "cvt.u16.u32 %h1, " + a + "; cvt" + one_of({".u32.u16 ", ".s32.s16 "}) + to +
               ", %h1;\n";
      case 9: return "neg.s32 " + to + ", " + a + ";\n";
      case 10: return "mul.hi.u32 " + to + ", " + a + ", " + one_of({"-1431655765", "7"}) + ";\n";
      case 11: return "not.b32 " + to + ", " + a + ";\n";
      case 12:
        return one_of({"add.s32 ", "sub.s32 ", "mul.lo.s32 "}) + to + ", " + a + ", " + b + ";\n";
      case 13:
        return "cvt.s64.s32 %rd5, " + a + "; add.s64 %rd5, %rd5, " + number() + "; cvt.u32.u64 " +
               to + ", %rd5;\n";
      case 14: return "abs.s32 " + to + ", " + a + ";\n";
      default: return "add.s32 " + to + ", " + a + ", " + b + ";\n";
    }
  }
  std::string access() {
    const std::string base = one_of({"%rd1", "%rd2"}), index = source();
    std::string text = below(2) ? "mul.wide.s32 %rd9, " + index + ", 4; "
                                : "mul.wide.u32 %rd9, " + index + ", 8; ";
    text += "add.s64 %rd9, " + base + ", %rd9; ";
    return text +
           one_of({"ld.global.f32 %f9, [%rd9];\n", "st.global.v2.f32 [%rd9+8], {%f1, %f2};\n",
                   "ld.global.u8 %r50, [%rd9+-1];\n", "@%p2 ld.global.f32 %f9, [%rd9];\n",
                   "atom.global.add.u32 %r51, [%rd9], 1;\n", "ld.global.u32 %r22, [%rd9];\n"});
  }
  std::string statements() {
    std::string text;
    for (int n = below(4) + 1; n > 0; --n) {
      if (below(2)) text += arithmetic();
      if (below(3) == 0) {
        const std::string label = "S" + std::to_string(labels_++);
        text += "setp." + one_of({"lt", "ge", "eq"}) + ".s32 %p2, " + source() + ", " + either() +
                ";\n@" + one_of({"%p2", "!%p2"}) + " bra " + label + ";\n" + access() + label +
                ":\n";
      } else {
        text += access();
      }
    }
    return text;
  }
  std::string loop(const std::string& label, const std::string& counter, const std::string& body) {
    const std::string first = "mov.u32 " + counter + ", " + either() + ";\n" + label + ":\n";
    const std::string test = "setp." + one_of({"lt", "le", "ne", "gt", "ge"}) +
                             one_of({".s32 ", ".u32 "}) + "%p1, " + counter + ", " + either() +
                             "; @%p1 bra " + label + ";\n";
    const std::string step = one_of({"add.s32 ", "add.s32 ", "sub.s32 "}) + counter + ", " +
                             counter + ", " + one_of({"1", "2", "16", "%r5"}) + ";\n";
    return first + "mov.u32 %r23, " + counter + ";\n" + body + step + test;
  }

  std::mt19937 random_;
  int labels_ = 0;
};

std::string text_of(const CtaReuse& reuse) {
  std::string text = std::to_string(reuse.distance_x) + " " + std::to_string(reuse.distance_y) +
                     " " + std::to_string(static_cast<int>(reuse.direction)) + reuse.incomplete;
  for (const SharingPair& pair : reuse.pairs)
    text += fmt::format(" {},{},{},{}", pair.first, pair.second, pair.distance_x, pair.distance_y);
  return text;
}
std::string analysis_text(const std::string& body, Dim3 grid, Dim3 block) {
  const ptx::Kernel kernel = kernel_of(kStart + body);
  const CacheShape cache{.line_bytes = 128, .lines = 64};
  const LaunchShape shape = shape_of(kernel, grid, block, 24, 3);
  LaunchAnalysis analysis(kernel, shape, cache, {.max_operations = 20'000});
  const KernelAnalysis& result = analysis.result();
  std::string text = result.not_analysed + "\n";
  for (const AnalysedAccess& a : result.accesses)
    text += fmt::format("{} {} {} {} {} {} {} {} {}\n", a.pc, a.store, static_cast<int>(a.space),
                        a.bytes, a.loop, a.affine, a.reason, a.form, a.uniform);
  text += text_of(result.ctas) + text_of(result.ctas_with_uniform) + "\n";
  for (const LoopReuse& l : result.loops)
    text += fmt::format("{} {} {} {} {} {} {} {} {} {}\n", l.loop, l.intra_warp, l.inter_warp,
                        l.window_trips, l.warp_footprint, l.warps_by_intra, l.warps_by_inter,
                        l.group, l.group_with_mapping, l.reason);
  for (const std::uint64_t cta : {0u, 5u}) {
    Fnv64 lines;
    for (const std::uint64_t line : analysis.lines_of_cta(cta))
      lines.add(std::to_string(line) + " ");
    text += fmt::format("{:016x}\n", lines.value());
  }
  const SymbolicKernel symbolic = evaluate_symbolically(kernel, shape);
  for (const SymbolicAccess& a : symbolic.accesses)
    text += condition_text(symbolic.forms, a.condition) + "\n";
  for (const SymbolicLoop& l : symbolic.loops)
    text += (l.counted ? form_text(symbolic.forms, l.last) : l.reason) + "\n";
  return text;
}

TEST(RecordedAnalyses, OfRandomKernels) {
  constexpr std::uint32_t kGroups = 60, kInGroup = 15;
  for (std::uint32_t group = 0; group < kGroups; ++group) {
    Fnv64 hash;
    for (std::uint32_t n = 0; n < kInGroup; ++n) {
      const std::string body = RandomKernel(group * kInGroup + n).body();
      hash.add(analysis_text(body, {3, 4, 1}, n % 2 ? Dim3{32, 2, 1} : Dim3{48, 1, 1}));
    }
    check_recorded_text("analysis/recorded_analyses.txt",
                        fmt::format("random kernels {:02}", group),
                        fmt::format("{:016x}", hash.value()));
  }
}

}  // namespace
}  // namespace heddle::analysis
