// One warp of a kernel without code of its own, as a livelock detector sees it.
#pragma once

#include <array>
#include <memory>

#include "exec/state/machine.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test {

struct ObservedWarp {
  ObservedWarp() {
    decoded->kernel = &kernel;
    for (Instruction& i : code) decoded->code.emplace_back().instruction = &i;
    decoded->register_rows = 2;
    decoded->predicate_rows = 1;
    machine.decoded = decoded;
    machine.code = decoded->code;
    warp.machine = &machine;
    warp.bases[0] = reinterpret_cast<std::uint8_t*>(rows.data());
    warp.predicates = predicates.data();
    warp.stack.start(~std::uint32_t{0});
  }
  std::array<Instruction, 4> code{};
  ptx::Kernel kernel;
  std::shared_ptr<DecodedKernel> decoded = std::make_shared<DecodedKernel>();
  GlobalMemory memory{1 << 20};
  Launch launch;
  Machine machine{launch, memory, {}};
  std::array<std::uint32_t, 64> rows{};
  std::array<std::uint32_t, 1> predicates{};
  Warp warp;
};

}  // namespace heddle::exec::test
