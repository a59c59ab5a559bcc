// The kernels of a captured program, which its players parse when they need them. Players of one
// capture that follow each other share them, so that a launch has the same kernel in each run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda/capture/format.h"
#include "ptx/module.h"

namespace heddle::cuda {

class CapturedKernels {
 public:
  // The program loads its module `number`; unless an earlier player has added it.
  void add(std::size_t number, LoadModule& module);
  // UserError when the module cannot be parsed or has no such kernel. content: of the capture.
  const isa::Kernel* kernel(const CaptureFile::Content& content, std::size_t module,
                            const std::string& name);
  // The kernel whose address device code of `caller` took; null when there is none.
  const isa::Kernel* kernel_at(const CaptureFile::Content& content, const isa::Kernel& caller,
                               std::uint64_t address);
  // The number of its .target; 0 when it is no kernel of the program.
  int target_of(const isa::Kernel& kernel) const;

 private:
  // A module is parsed at its first launch, a kernel is lowered at its own.
  struct Module {
    LoadModule record;
    std::unique_ptr<ptx::Module> parsed;
    ptx::SymbolAddresses addresses;
    std::map<std::string, std::unique_ptr<isa::Kernel>> kernels;
  };
  static void parse(const CaptureFile::Content& content, Module& module);
  // Null when it is no kernel of the program.
  const Module* module_of(const isa::Kernel& kernel) const;

  std::vector<Module> modules_;  // in the order in which the program loads them
};

}  // namespace heddle::cuda
