// Makes a TracedLaunch from the lines of a trace, whatever file they are from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/code_table.h"
#include "trace/cta_records.h"
#include "trace/flow_table.h"
#include "trace/traced_launch.h"

namespace heddle::trace {

// In this order: the header; for each CTA its warps, for each warp its instructions. All functions
// throw FormatError.
class LaunchReader {
 public:
  explicit LaunchReader(KernelHeader header);

  void begin_cta(const Dim3& place);
  void begin_warp(std::uint64_t number);
  void set_instructions(std::uint64_t count);  // of the warp; its lines follow
  void add_instruction(std::string_view line);
  void end_cta();
  // module: name of the trace, for results.
  std::shared_ptr<TracedLaunch> finish(const std::string& module);

 private:
  void end_warp();
  void read_addresses(Fields& fields, const isa::Instruction& i, Executed& executed);
  void find_space(const isa::Instruction& i, Executed& executed);
  void arrive(std::uint32_t number, LaneMask lanes);
  std::uint64_t relocated(isa::Space space, std::uint64_t address) const;

  std::shared_ptr<TracedLaunch> launch_;
  std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> ctas_;  // by number in the grid
  const KernelHeader& header_;
  CodeTable code_;
  FlowTable flow_;
  CtaWriter writer_;
  bool in_cta_ = false, in_warp_ = false;
  std::uint64_t cta_ = 0;
  std::uint32_t warp_ = 0;
  std::uint32_t next_warp_ = 0;  // of the CTA
  std::uint64_t instructions_ = 0, expected_ = 0;
  LaneMask live_;  // lanes of the warp that have not exited
  // Of an incomplete arrival at each barrier: its lanes so far, and the last instruction.
  struct Arrival {
    LaneMask lanes;
    std::size_t position = 0;
  };
  std::array<Arrival, 16> arrivals_{};
  std::uint64_t local_begin_ = ~std::uint64_t{0}, local_end_ = 0;
};

}  // namespace heddle::trace
