// Small kernels in PTX, their launches, and reuse found by enumeration.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "analysis/address_forms.h"
#include "analysis/form_text.h"
#include "analysis/launch_analysis.h"
#include "analysis/symbolic_evaluation.h"
#include "tests/ptx/ptx_text.h"

namespace heddle::analysis {

inline constexpr std::uint64_t kA = 0x100000000;
inline constexpr Dim3 kGrid{8, 4, 1}, kBlock{16, 16, 1};  // where a test needs no others

// A kernel k(u64 a, u64 b, u32 n, u32 m).
inline ptx::Kernel kernel_of(const std::string& body) {
  return ptx::lower_text(ptx::kHeader +
                         ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n, "
                         ".param .u32 m) {" +
                         ptx::kRegisters + body + "\nret;\n}\n");
}
inline LaunchShape shape_of(const ptx::Kernel& kernel, Dim3 grid = kGrid, Dim3 block = kBlock,
                            std::uint32_t n = 0, std::uint32_t m = 0, std::uint64_t a = kA,
                            std::uint64_t b = kA + (1u << 30)) {
  LaunchShape shape{grid, block, std::vector<std::uint8_t>(kernel.parameter_bytes)};
  std::memcpy(&shape.parameters[0], &a, 8);
  std::memcpy(&shape.parameters[8], &b, 8);
  std::memcpy(&shape.parameters[16], &n, 4);
  std::memcpy(&shape.parameters[20], &m, 4);
  return shape;
}
// %r1 = tid.x, %r2 = tid.y, %r3 = ctaid.x, %r4 = ctaid.y, %r5 = n, %r6 = m, %rd1 = a, %rd2 = b
inline const std::string kStart =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y;\n"
    "ld.param.u32 %r5, [n]; ld.param.u32 %r6, [m]; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, "
    "[b];\n"
    "cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;\n";
// ld.global of a word at `base` + 4 * `index`.
inline std::string load_at(const std::string& base, const std::string& index) {
  return "mul.wide.s32 %rd9, " + index + ", 4; add.s64 %rd9, " + base +
         ", %rd9; ld.global.f32 %f9, [%rd9];\n";
}

// A kernel of kStart and a body, and what is known of its launch.
struct Evaluated {
  Evaluated(const std::string& body, Dim3 grid = kGrid, Dim3 block = kBlock, std::uint32_t n = 0,
            std::uint32_t m = 0)
      : kernel(kernel_of(kStart + body)),
        shape(shape_of(kernel, grid, block, n, m)),
        symbolic(evaluate_symbolically(kernel, shape)) {}
  std::string form(std::size_t access) const {
    return form_text(symbolic.forms, symbolic.accesses.at(access).address);
  }
  std::string condition(std::size_t access) const {
    return condition_text(symbolic.forms, symbolic.accesses.at(access).condition);
  }
  // The number of a loop's last iteration, or why it is not known.
  std::string last(std::size_t loop) const {
    const SymbolicLoop& l = symbolic.loops.at(loop);
    return l.counted ? form_text(symbolic.forms, l.last) : "not counted: " + l.reason;
  }

  ptx::Kernel kernel;
  LaunchShape shape;
  SymbolicKernel symbolic;
};

// sum += a[row * n + i] * b[i * n + column], without tiles.
inline const std::string kProduct =
    "mad.lo.s32 %r10, %r4, 16, %r2; mul.lo.s32 %r11, %r10, %r5; mad.lo.s32 %r12, %r3, 16, %r1;\n"
    "mov.u32 %r13, 0;\nLOOP: add.s32 %r14, %r11, %r13;\n" +
    load_at("%rd1", "%r14") + "mad.lo.s32 %r15, %r13, %r5, %r12;\n" + load_at("%rd2", "%r15") +
    "add.s32 %r13, %r13, 1; setp.lt.s32 %p1, %r13, %r5; @%p1 bra LOOP;\n";
inline KernelAnalysis analysis_of(const std::string& body, Dim3 grid = kGrid, Dim3 block = kBlock,
                                  std::uint32_t n = 0, std::uint32_t m = 0,
                                  const Options& options = {}) {
  const ptx::Kernel kernel = kernel_of(kStart + body);
  return LaunchAnalysis(kernel, shape_of(kernel, grid, block, n, m), {}, options).result();
}

inline std::string form_of(const std::string& body, Dim3 grid = kGrid, Dim3 block = kBlock,
                           std::uint32_t n = 0, std::uint32_t m = 0, std::size_t access = 0) {
  const ptx::Kernel kernel = kernel_of(kStart + body);
  LaunchAnalysis analysis(kernel, shape_of(kernel, grid, block, n, m), {});
  const KernelAnalysis& result = analysis.result();
  if (!result.not_analysed.empty()) return result.not_analysed;
  const AnalysedAccess& a = result.accesses.at(access);
  return a.affine ? a.form : "not affine: " + a.reason;
}

}  // namespace heddle::analysis
