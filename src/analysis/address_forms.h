// The affine forms of a launch's accesses, to compare them with the addresses that run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/launch_analysis.h"
#include "ptx/kernel.h"

namespace heddle::analysis {

class AddressForms {
 public:
  AddressForms(const ptx::Kernel& kernel, const LaunchShape& launch);
  ~AddressForms();

  // Where a thread is: its indices, those of its CTA, and by loop of the kernel the iterations that
  // it has finished.
  struct Point {
    Dim3 thread, cta;
    std::vector<std::int64_t> iterations;
  };
  bool is_affine(Pc pc) const;
  // A global or local access that no thread executes, according to the analysis.
  bool is_unreached(Pc pc) const;
  // The address of the access, an offset for local memory.
  std::uint64_t address(Pc pc, const Point& point);
  // Why the access cannot execute at this point; empty when it can.
  std::string forbidden(Pc pc, const Point& point);
  std::string text(Pc pc) const;  // of the form
  std::size_t accesses() const;   // affine ones
  const std::string& not_analysed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::analysis
