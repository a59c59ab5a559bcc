#include "analysis/launch_analysis.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "analysis/access_relations.h"
#include "analysis/cta_reuse.h"
#include "analysis/form_text.h"
#include "analysis/line_runs.h"
#include "analysis/loop_reuse.h"
#include "analysis/symbolic_evaluation.h"

namespace heddle::analysis {

struct LaunchAnalysis::Impl {
  const ptx::Kernel& kernel;
  LaunchShape launch;
  CacheShape cache;
  Options options;
  std::optional<SymbolicKernel> symbolic;
  std::optional<LineRuns> runs;
  std::optional<KernelAnalysis> result;

  void evaluate() {
    if (symbolic) return;
    symbolic.emplace(evaluate_symbolically(kernel, launch));
    runs.emplace(*symbolic, kernel, launch, cache.line_bytes);
  }
  KernelAnalysis analyse();
};

KernelAnalysis LaunchAnalysis::Impl::analyse() {
  const auto begun = std::chrono::steady_clock::now();
  KernelAnalysis out;
  evaluate();
  out.not_analysed = symbolic->not_analysed;
  for (const SymbolicAccess& a : symbolic->accesses) {
    Access& access = out.accesses.emplace_back();
    access.pc = a.pc;
    access.store = a.store;
    access.space = a.space;
    access.bytes = a.bytes;
    access.loop = a.loop;
    access.line = kernel.source_lines[kernel.code[a.pc].source];
    access.affine = a.affine;
    access.reason = a.reason;
    if (a.affine) access.form = form_text(symbolic->forms, a.address);
    access.uniform = a.affine && is_uniform(*symbolic, a);
  }
  if (out.not_analysed.empty()) {
    try {
      AccessRelations relations(options.max_operations);
      CtaReuseResult ctas = find_cta_reuse(*symbolic, launch, *runs, cache, relations);
      out.ctas = std::move(ctas.without_uniform);
      out.ctas_with_uniform = std::move(ctas.with_uniform);
      out.loops = find_loop_reuse(*symbolic, kernel, launch, *runs, cache, out.ctas, relations);
      if (relations.exhausted())
        out.not_analysed = "its access relations need more than " +
                           std::to_string(options.max_operations) + " operations of isl";
    } catch (const NumberTooLarge&) {
      out.not_analysed = "it computes with a number that does not fit into 63 bits";
    }
  }
  if (!out.not_analysed.empty()) {
    out.ctas = out.ctas_with_uniform = {};
    out.loops.clear();
  }
  out.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
  return out;
}

LaunchAnalysis::LaunchAnalysis(const ptx::Kernel& kernel, LaunchShape launch,
                               const CacheShape& cache, const Options& options)
    : impl_(new Impl{kernel, std::move(launch), cache, options, {}, {}, {}}) {}
LaunchAnalysis::~LaunchAnalysis() = default;
LaunchAnalysis::LaunchAnalysis(LaunchAnalysis&&) noexcept = default;
LaunchAnalysis& LaunchAnalysis::operator=(LaunchAnalysis&&) noexcept = default;

const KernelAnalysis& LaunchAnalysis::result() {
  if (!impl_->result) impl_->result = impl_->analyse();
  return *impl_->result;
}

std::vector<std::uint64_t> LaunchAnalysis::lines_of_cta(std::uint64_t cta) {
  impl_->evaluate();
  const Dim3& grid = impl_->launch.grid;
  Region region = impl_->runs->whole();
  const auto fix = [&](AtomId axis, std::uint64_t place) {
    region.variables[axis] = {static_cast<std::int64_t>(place), static_cast<std::int64_t>(place)};
  };
  fix(ctaid_x, cta % grid.x);
  fix(ctaid_y, cta / grid.x % grid.y);
  fix(ctaid_z, cta / grid.x / grid.y);
  Runs all;
  for (const SymbolicAccess& access : impl_->symbolic->accesses) {
    if (!access.affine || access.space != ptx::Space::global) continue;
    if (const auto runs = impl_->runs->collect(access, region))
      all.insert(all.end(), runs->begin(), runs->end());
  }
  normalize(all, impl_->cache.line_bytes);
  return lines_of(all, impl_->cache.line_bytes);
}

ptx::SourceLine line_of_loop(const ptx::Kernel& kernel, std::uint16_t loop) {
  const auto line_at = [&](Pc pc) { return kernel.source_lines[kernel.code[pc].source]; };
  const ptx::Loop& l = kernel.loops[loop];
  for (Pc branch : l.back_edges)
    if (line_at(branch).line != 0) return line_at(branch);
  for (const auto& [first, end] : l.ranges)
    for (Pc pc = first; pc < end; ++pc)
      if (line_at(pc).line != 0) return line_at(pc);
  return {};
}

}  // namespace heddle::analysis
