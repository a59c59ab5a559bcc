// Runs kernels from PTX text functionally, or step by step as an SM does.
#pragma once

#include <string>
#include <vector>

#include "exec/state/launch.h"
#include "ptx/module.h"
#include "tests/exec/stepping.h"

namespace heddle::conformance {

// kernel(.param .u64 out [, .param .u64 in]). %i is the thread's number, %x the address of its word
// of `out`. `functions` precede the kernel.
inline std::string kernel_of(const std::string& body, const std::string& functions = "") {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + functions +
         ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
         "  .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>, %i, %l; .reg .f32 %f<9>; .reg "
         ".b64 %rd<20>, %x, %in;\n"
         "  mov.u32 %i, %tid.x; mov.u32 %l, %laneid; ld.param.u64 %x, [out]; ld.param.u64 %in, "
         "[in];\n"
         "  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mad.lo.u32 %r2, %r0, %r1, %i; "
         "mul.wide.u32 %rd0, %r2, 4;\n"
         "  add.u64 %rd1, %x, 0; add.u64 %x, %x, %rd0;\n" +
         body + "\n  ret;\n}\n";
}

// `words` of output, initially zero; input words at [in].
inline std::vector<std::uint32_t> run_kernel(const std::string& body, std::uint32_t ctas,
                                             std::uint32_t threads, std::size_t words,
                                             const std::vector<std::uint32_t>& in, bool by_steps,
                                             const std::string& functions = "") {
  const ptx::Module module = ptx::Module::parse(kernel_of(body, functions), "kernel.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  exec::test::Bench bench;
  const Address out = bench.array(std::vector<std::uint32_t>(words, 0));
  bench.array(in);
  const exec::Launch launch = bench.launch(kernel, {ctas, 1, 1}, {threads, 1, 1});
  if (by_steps)
    exec::test::run_by_steps(launch, bench.memory);
  else
    exec::run_functionally(launch, bench.memory, {});
  return bench.read<std::uint32_t>(out, words);
}

}  // namespace heddle::conformance
