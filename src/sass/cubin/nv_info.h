// The attributes of a kernel in .nv.info: what a launch needs to know of machine code.
#pragma once

#include <cstdint>
#include <vector>

#include "sass/cubin/elf.h"

namespace heddle::sass {

struct KernelParameter {
  std::uint16_t ordinal = 0;
  std::uint16_t offset = 0;  // from the base of the parameters
  std::uint32_t bytes = 0;
};

struct KernelInfo {
  std::uint32_t registers = 0;    // of a thread
  std::uint32_t frame_bytes = 0;  // of the stack
  std::uint32_t stack_bytes = 0;  // at least, calls included
  std::uint32_t barriers = 0;
  std::uint16_t parameter_base = 0;  // in constant bank 0
  std::uint16_t parameter_bytes = 0;
  std::vector<KernelParameter> parameters;
  std::vector<std::uint32_t> required_threads;   // x, y, z; empty without reqntid
  std::vector<std::uint32_t> most_threads;       // x, y, z; empty without maxntid
  std::vector<std::uint32_t> exits;              // offsets of EXIT
  std::vector<std::uint32_t> indirect_branches;  // the bytes of the attribute as words
  std::vector<std::uint32_t> externs;            // symbols
  std::vector<std::uint32_t> required_cluster;   // x, y, z in CTAs; empty when none is required
  bool blocks_are_clusters = false;              // a launch counts clusters
};

// Of the kernel whose symbol has this index; `info` is .nv.info.KERNEL and may be null.
KernelInfo read_kernel_info(const Elf& elf, const Section* info, std::uint32_t symbol);

}  // namespace heddle::sass
