// An SM with a compiler-guided core for tests: one sub-core, latencies of a card of today, no
// misses of instruction fetch but the first.
#pragma once

#include "tests/sm/bench.h"

namespace heddle::sm::test {

inline config::GpuSpec guided(std::uint32_t sub_cores = 1) {
  config::GpuSpec g = gtx480();
  config::SmSpec& sm = g.sm;
  sm.core = config::Core::compiler_guided;
  sm.sub_cores = true;
  sm.schedulers = sub_cores;
  sm.units = sm.issue_latches =
      sm.dispatch_latches = {sub_cores, sub_cores, sub_cores, sub_cores, sub_cores, sub_cores};
  sm.int_op = {{1, 1, 1, 1, 55, 21}, {2, 2, 2, 2, 2, 2}};
  sm.fp_op = {{1, 1, 1, 1, 33, 0}, {1, 1, 1, 1, 2, 0}};
  sm.dp_op = {{5, 5, 5, 5, 330, 0}, {2, 2, 2, 2, 130, 0}};
  sm.sfu_latency = 20;
  sm.fetch_throughput = 4;
  sm.perfect_instruction_cache = sm.perfect_constant_cache = true;
  sm.guided.l0i_miss_latency = 1;
  return g;
}

// The words that Heddle computes for the code.
inline std::vector<isa::ControlWord> words_of(std::vector<isa::Instruction> code) {
  const Script script(std::move(code));
  std::vector<isa::ControlWord> words;
  for (const InstructionTiming& t : timing_of(script.kernel(), guided().sm))
    words.push_back(t.control);
  return words;
}

}  // namespace heddle::sm::test
