#include "analysis/launch_analysis.h"

#include <ctime>
#include <optional>

#include "analysis/access_relations.h"
#include "analysis/cta_reuse.h"
#include "analysis/form_text.h"
#include "analysis/line_runs.h"
#include "analysis/loop_reuse.h"
#include "analysis/symbolic_evaluation.h"

namespace heddle::analysis {
namespace {

// Processor time of this thread: other processes on the host do not change it.
double processor_milliseconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

struct LaunchAnalysis::Impl {
  const isa::Kernel& of;
  LaunchShape launch;
  CacheShape cache;
  Options options;
  std::optional<SymbolicKernel> symbolic;
  std::optional<LineRuns> runs;
  std::optional<KernelAnalysis> result;
  // An affine global access with its pieces in the grid, so that the lines of each CTA follow from
  // those of one. No pieces: it does not move uniformly from CTA to CTA.
  struct Placed {
    const SymbolicAccess* access;
    std::optional<std::vector<Piece>> pieces;
  };
  std::optional<std::vector<Placed>> placed;

  void evaluate() {
    if (symbolic) return;
    const ptx::Kernel& kernel = ptx::as_ptx(of);
    symbolic.emplace(evaluate_symbolically(kernel, launch));
    runs.emplace(*symbolic, kernel, launch, cache.line_bytes);
  }
  void place();
  void append_runs(const Placed& one, const Region& cta, Runs& all);
  KernelAnalysis analyse();
};

void LaunchAnalysis::Impl::place() {
  placed.emplace();
  for (const SymbolicAccess& access : symbolic->accesses)
    if (access.affine && access.space == ptx::Space::global)
      placed->push_back({&access, runs->pieces(access, runs->whole(), kCtaAxes)});
}

void LaunchAnalysis::Impl::append_runs(const Placed& one, const Region& cta, Runs& all) {
  if (!one.pieces) {
    const std::optional<Runs> touched = runs->collect(*one.access, cta);
    if (touched) all.insert(all.end(), touched->begin(), touched->end());
    return;
  }
  for (const Piece& piece : *one.pieces) {
    std::int64_t moved = 0;
    bool inside = true;
    for (std::size_t a = 0; a < std::size(kCtaAxes); ++a) {
      const std::int64_t at = cta.variables[kCtaAxes[a]].low;
      inside = inside && piece.box[a].low <= at && at <= piece.box[a].high;
      moved += piece.coefficients[a] * at;
    }
    if (!inside) continue;
    for (const Run& r : piece.runs) all.push_back({r.first + moved, r.last + moved});
  }
}

KernelAnalysis LaunchAnalysis::Impl::analyse() {
  const double begun = processor_milliseconds();
  KernelAnalysis out;
  evaluate();
  out.not_analysed = symbolic->not_analysed;
  for (const SymbolicAccess& a : symbolic->accesses) {
    AnalysedAccess& access = out.accesses.emplace_back();
    access.pc = a.pc;
    access.store = a.store;
    access.space = a.space;
    access.bytes = a.bytes;
    access.loop = a.loop;
    access.line = of.source_lines[of.instructions[a.pc].source];
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
      out.loops =
          find_loop_reuse(*symbolic, ptx::as_ptx(of), launch, *runs, cache, out.ctas, relations);
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
  out.milliseconds = processor_milliseconds() - begun;
  return out;
}

LaunchAnalysis::LaunchAnalysis(const isa::Kernel& kernel, LaunchShape launch,
                               const CacheShape& cache, const Options& options)
    : impl_(
          std::make_unique<Impl>(Impl{kernel, std::move(launch), cache, options, {}, {}, {}, {}})) {
}
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
  if (!impl_->placed) impl_->place();
  for (const Impl::Placed& one : *impl_->placed) impl_->append_runs(one, region, all);
  normalize(all, impl_->cache.line_bytes);
  return lines_of(all, impl_->cache.line_bytes);
}

}  // namespace heddle::analysis
