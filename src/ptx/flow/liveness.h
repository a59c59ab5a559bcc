// Live ranges of registers, and which registers share storage rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "ptx/flow/cfg.h"

namespace heddle::ptx {

// From the first to the last instruction, in program order, at which a register is live or
// accessed.
struct LiveRange {
  Pc first = kNoPc, last = 0;
  bool used() const { return first != kNoPc; }
  void extend(Pc pc) {
    if (first == kNoPc || pc < first) first = pc;
    last = std::max(last, pc);
  }
};

struct Liveness {
  std::vector<LiveRange> ranges;      // by register
  std::vector<std::uint32_t> demand;  // by instruction: 32-bit registers live while it executes
  std::vector<std::uint32_t> demand_after;  // by instruction: those live after it
};

// Registers are numbered first_register + 0, 1, ...; `words` gives each one's size in 32-bit words
// (0 for a predicate). A write changes only the lanes that execute it, so liveness along one
// thread's path is the liveness of its lane. `accumulators` are those of Kernel: wgmma reads them.
Liveness find_liveness(std::span<const Instruction> code, const Cfg& cfg,
                       std::uint16_t first_register, std::span<const std::uint8_t> words,
                       std::span<const std::vector<Operand>> accumulators = {});

// What a register needs in storage.
struct RowRequest {
  LiveRange range;
  std::uint8_t rows = 1;   // adjacent rows
  bool exclusive = false;  // shares its rows with no other register
};
struct RowAssignment {
  std::vector<std::uint32_t> first_row;  // by request
  std::uint32_t rows = 0;                // in total
  std::vector<char> pairs;               // by row: the first of two
};
// Registers whose live ranges do not overlap share rows.
RowAssignment assign_rows(std::span<const RowRequest> requests);

}  // namespace heddle::ptx
