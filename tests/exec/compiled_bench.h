// Runs a kernel twice, interpreted and compiled, and compares memory, counts and faults.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exec/compiled/compiled_kernel.h"
#include "ptx/module.h"
#include "tests/exec/operation.h"

namespace heddle::exec::test {

// One operation: the PTX that computes %r9, %rd9, %f9, %d9 or %p9 from %r0 to %r2, %rd0 to %rd2,
// %f0 to %f2, %d0 to %d2 and %p0 to %p2. The result is the register with the 9 in it.
inline std::string store_of(const std::string& statement, std::size_t offset) {
  const std::string to = "[%x+" + std::to_string(offset) + "], ";
  if (statement.find("%rd9") != std::string::npos) return "st.global.u64 " + to + "%rd9;\n";
  if (statement.find("%r9") != std::string::npos) return "st.global.u32 " + to + "%r9;\n";
  if (statement.find("%f9") != std::string::npos) return "st.global.f32 " + to + "%f9;\n";
  if (statement.find("%d9") != std::string::npos) return "st.global.f64 " + to + "%d9;\n";
  return "selp.u32 %r9, 1, 2, %p9;\nst.global.u32 " + to + "%r9;\n";
}

inline constexpr std::size_t kThreads = 224;  // of a CTA; the last warp of 200 threads is partial

inline std::string kernel_text(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 number) {\n"
         ".reg .pred %p<10>; .reg .b32 %r<30>, %t; .reg .b64 %rd<30>, %x, %y;\n"
         ".reg .f32 %f<10>; .reg .f64 %d<10>; .shared .align 16 .b8 tile[4096];\n"
         "mov.u32 %t, %tid.x; ld.param.u64 %y, [in]; ld.param.u64 %x, [out];\n"
         "mul.wide.u32 %rd20, %t, 8; add.s64 %y, %y, %rd20; add.s64 %x, %x, %rd20;\n"
         "ld.global.u64 %rd0, [%y]; ld.global.u64 %rd1, [%y+1792]; ld.global.u64 %rd2, [%y+3584];\n"
         "cvt.u32.u64 %r0, %rd0; cvt.u32.u64 %r1, %rd1; cvt.u32.u64 %r2, %rd2;\n"
         "mov.b32 %f0, %r0; mov.b32 %f1, %r1; mov.b32 %f2, %r2;\n"
         "mov.b64 %d0, %rd0; mov.b64 %d1, %rd1; mov.b64 %d2, %rd2;\n"
         "setp.lt.s32 %p0, %r0, %r1; setp.eq.u32 %p1, %r1, %r2; setp.gt.u32 %p2, %r0, 7;\n"
         "mov.u32 %r9, 3; mov.u64 %rd9, 5; mov.f32 %f9, 0f3f000000; mov.f64 %d9, "
         "0d3fe0000000000000;\nsetp.eq.u32 %p9, %r0, %r0;\n" +
         body + "\nret;\n}\n";
}

struct Outcome {
  std::vector<std::uint64_t> memory;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::string fault;
  bool operator==(const Outcome&) const = default;
};

// Values of three operands for each thread: edges of integers, or of both kinds of numbers.
inline std::vector<std::uint64_t> operand_cells(unsigned seed, bool floating) {
  std::vector<std::uint64_t> cells = integers(3 * kThreads, seed);
  if (!floating) return cells;
  const std::vector<std::uint64_t> singles = floats(3 * kThreads, seed + 1);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (i % 2 == 0) cells[i] = singles[i] << 32 | singles[cells.size() - 1 - i];
  return cells;
}

inline Outcome run(const ptx::Kernel& kernel, bool compiled, std::uint32_t threads,
                   const std::vector<std::uint64_t>& cells, std::size_t results) {
  Bench bench;
  bench.array(cells);
  const Address out = bench.array(std::vector<std::uint64_t>(results * kThreads, 0));
  Launch launch = bench.launch(kernel, {2, 1, 1}, {threads, 1, 1});
  launch.host.compile_after = compiled ? 0 : ~std::uint64_t{0};
  Outcome outcome;
  try {
    const FunctionalCounts counts = run_functionally(launch, bench.memory, {});
    outcome.warp_instructions = counts.warp_instructions;
    outcome.thread_instructions = counts.thread_instructions;
  } catch (const KernelFault& fault) {
    outcome.fault = fault.what();
  }
  outcome.memory = bench.read<std::uint64_t>(out, results * kThreads);
  return outcome;
}

// Compares the two ways for a body, which may store `results` times to [%x + 1792 * n].
inline Outcome check_equal(const std::string& body, std::size_t results, bool floating = false,
                           std::uint32_t threads = 200) {
  const ptx::Module module = ptx::Module::parse(kernel_text(body), "kernel.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  Outcome compiled;
  for (const unsigned seed : {1u, 2u, 3u}) {
    const auto cells = operand_cells(seed, floating);
    const Outcome interpreted = run(kernel, false, threads, cells, results);
    compiled = run(kernel, true, threads, cells, results);
    EXPECT_EQ(interpreted.fault, compiled.fault);
    EXPECT_EQ(interpreted.warp_instructions, compiled.warp_instructions);
    EXPECT_EQ(interpreted.thread_instructions, compiled.thread_instructions);
    for (std::size_t i = 0; i < compiled.memory.size(); ++i)
      if (interpreted.memory[i] != compiled.memory[i]) {
        ADD_FAILURE() << "result " << i / kThreads << " of thread " << i % kThreads << ": "
                      << std::hex << compiled.memory[i] << " instead of " << interpreted.memory[i]
                      << " from " << cells[i % kThreads] << ", " << cells[kThreads + i % kThreads]
                      << ", " << cells[2 * kThreads + i % kThreads];
        return compiled;
      }
  }
  return compiled;
}

// All statements, with and without a guard, in one kernel and each of them compiled.
inline void check_compiled(const std::vector<std::string>& statements, bool floating = false) {
  std::string body;
  std::size_t results = 0;
  for (const std::string& statement : statements)
    for (const char* guard : {"", "@%p2 ", "@!%p0 "})
      body += guard + statement + "\n" + store_of(statement, 8 * kThreads * results++);
  check_equal(body, results, floating);
  const ptx::Kernel kernel = ptx::Module::parse(kernel_text(body), "kernel.ptx").lower("k", {});
  const auto decoded = decode_kernel(kernel);
  const auto compiled = CompiledKernel::compile(*decoded);
  ASSERT_NE(compiled, nullptr);
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    EXPECT_TRUE(decoded->code[pc].flow != Flow::plain || compiled->is_compiled(pc))
        << "line " << kernel.code[pc].ptx_line << " of\n"
        << kernel_text(body);
}

}  // namespace heddle::exec::test
