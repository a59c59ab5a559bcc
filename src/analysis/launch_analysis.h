// What a kernel launch's addresses are, and which lines warps and CTAs share, known before it runs.
// The addresses of a launch are affine forms of thread, CTA and loop indices (affine_form.h);
// numbers here are exact for affine accesses. Guide: docs/analyze.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "isa/kernel.h"

namespace heddle::analysis {

// A launch as far as its addresses depend on it.
struct LaunchShape {
  Dim3 grid, block;
  std::vector<std::uint8_t> parameters;  // Kernel::parameter_bytes long
};

// The L1 data cache for which reuse is computed.
struct CacheShape {
  std::uint32_t line_bytes = 128;
  std::uint32_t lines = 128;
  double usable = 0.6;  // share of the lines that a working set may take (k_assoc of DAWS)
};

struct Options {
  // Bound on isl's operations for a launch. Beyond it the kernel is not analysed.
  std::uint64_t max_operations = 2'000'000;
};

// A global or local access of the kernel.
struct AnalysedAccess {
  Pc pc = kNoPc;
  bool store = false;
  isa::Space space = isa::Space::global;
  std::uint32_t bytes = 0;  // of one lane
  std::uint16_t loop = isa::Loop::kNone;
  isa::SourceLine line;
  bool affine = false;
  std::string reason;    // why it is not affine; empty otherwise
  std::string form;      // in the user's variables: "A + 4*(n*(16*bidy + tidy) + tidx + 16*k)"
  bool uniform = false;  // affine, and the same address in every CTA
};

enum class Direction : std::uint8_t { none, x, y };

// Two accesses (or one with itself) through which CTAs share lines.
struct SharingPair {
  std::uint32_t first = 0, second = 0;           // indices into KernelAnalysis::accesses
  std::uint32_t distance_x = 0, distance_y = 0;  // largest distance in CTAs; 0: none
};

// Algorithm 1 of Liu, Liu and Wang, EPiC 2019.
struct CtaReuse {
  std::uint32_t distance_x = 0, distance_y = 0;  // largest over all pairs
  Direction direction = Direction::none;         // of the larger one; ties go to x
  std::uint32_t distance() const { return distance_x > distance_y ? distance_x : distance_y; }
  std::vector<SharingPair> pairs;  // those that decide, largest distance first
  std::string incomplete;          // why affine accesses are missing; empty: none is
};

// Reuse within a loop, and the group size of the programmable warp scheduler.
struct LoopReuse {
  std::uint16_t loop = 0;                // index into Kernel::loops
  bool intra_warp = false;               // a warp touches a line again in a later trip
  bool inter_warp = false;               // another warp touches it
  std::uint32_t window_trips = 0;        // largest reuse distance of a warp, in trips
  std::uint32_t warp_footprint = 0;      // lines that one warp touches in window_trips + 1 trips
  std::uint32_t warps_by_intra = 0;      // theta: warps whose footprints fit; 0: no such reuse
  std::uint32_t warps_by_inter = 0;      // xi: consecutive warps whose union fits; 0: no such reuse
  std::uint32_t group = 0;               // warps of a group for ps_begin; 0: no mark is needed
  std::uint32_t group_with_mapping = 0;  // the same when CTAs are mapped (equations 7 and 8)
  std::string reason;                    // why the loop has no numbers; empty otherwise
};

struct KernelAnalysis {
  std::string not_analysed;  // why nothing is known of the kernel; empty otherwise
  std::vector<AnalysedAccess> accesses;
  CtaReuse ctas;  // without accesses whose address is the same in every CTA
  // With them: they have the largest possible distance in both directions and hide all others.
  CtaReuse ctas_with_uniform;
  std::vector<LoopReuse> loops;
  double milliseconds = 0;  // processor time of the analysis on the host; not a statistic
};

// Analyses one launch of a PTX kernel when it is first asked. Not thread-safe: policies ask at a
// kernel's start. The questions are virtual so that plug-ins can ask them and tests can answer
// them.
class LaunchAnalysis {
 public:
  LaunchAnalysis(const isa::Kernel& kernel, LaunchShape launch, const CacheShape& cache,
                 const Options& options = {});
  virtual ~LaunchAnalysis();
  LaunchAnalysis(LaunchAnalysis&&) noexcept;
  LaunchAnalysis& operator=(LaunchAnalysis&&) noexcept;

  virtual const KernelAnalysis& result();
  // The numbers of the lines (address / line_bytes) that the affine accesses of a CTA touch,
  // ascending. `cta` is the linear number in the grid, x fastest.
  virtual std::vector<std::uint64_t> lines_of_cta(std::uint64_t cta);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::analysis
