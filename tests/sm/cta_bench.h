// Code of the tests of CTAs on an SM.
#pragma once

#include <vector>

#include "tests/sm/bench.h"

namespace heddle::sm::test {

inline std::vector<isa::Instruction> independent(int count) {
  std::vector<isa::Instruction> code;
  for (int i = 0; i < count; ++i)
    code.push_back(make(isa::OpClass::alu, {}, {static_cast<std::uint16_t>(i % 60 + 1)}));
  code.push_back(exit());
  return code;
}

// Loads whose results are used at once, and barriers.
inline std::vector<isa::Instruction> loads_and_barriers(int trips) {
  std::vector<isa::Instruction> code;
  for (int i = 0; i < trips; ++i) {
    code.push_back(memory(isa::OpClass::load, isa::Space::global, {1}, {2}));
    code.push_back(make(isa::OpClass::alu, {2}, {3}));
    code.push_back(make(isa::OpClass::barrier));
    code.back().barrier = isa::BarrierOp::sync;
  }
  code.push_back(exit());
  return code;
}

inline void spread_addresses(WarpSlot w, exec::Step& s) {
  for (std::size_t l = 0; l < kWarpSize; ++l)
    s.addresses[l] = 0xC0000000 + (s.pc * 64 + static_cast<unsigned>(w.index)) * 128 + 4 * l;
}

// Without misses of the instruction cache.
inline config::GpuSpec perfect_fetch() {
  config::GpuSpec gpu = gtx480();
  gpu.sm.perfect_instruction_cache = true;
  return gpu;
}

}  // namespace heddle::sm::test
