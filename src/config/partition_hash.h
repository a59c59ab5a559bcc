// Whether memory.partition_hash has an effect.
#pragma once

#include <bit>

#include "config/gpu_spec.h"

namespace heddle::config {

// Hashes 1 and 2 permute slice numbers, which requires a power of two; other numbers of slices use
// the plain interleaving.
inline bool partition_hash_applies(const MemorySpec& memory) {
  return memory.partition_hash > 2 || std::has_single_bit(memory.slices());
}

}  // namespace heddle::config
