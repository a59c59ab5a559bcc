// What compiled lanes read and write besides the registers: the warp that runs, where its memories
// are, and constants.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "exec/state/machine.h"

namespace heddle::exec {

// What the addresses of an access are: one for all lanes, those of adjacent words, or either of
// these in each group of eight adjacent lanes.
enum LanePattern : std::uint32_t { kOne, kAdjacent, kAdjacentInGroups, kOneInGroups, kScattered };

// The addresses of an access, relative to that of the first lane that executes it. Other lanes have
// the address of that lane.
struct alignas(32) LaneAddresses {
  std::array<std::int32_t, kWarpSize> relative{};
  // Of `relative`: what follows from it.
  std::int64_t least = 0, greatest = 0;
  std::uint32_t bits = 0;  // those that are set in any
  // A LanePattern.
  std::uint32_t pattern = 0;
  std::uint64_t first = 0;
  std::uint64_t load_host = 0, store_host = 0;  // where the host has the first
};

// Vectors that compiled code reads.
struct LaneConstants {
  template <class T, std::size_t kCount>
  static constexpr std::array<T, kCount> all(T value) {
    std::array<T, kCount> list{};
    list.fill(value);
    return list;
  }
  LaneConstants() {
    for (std::uint32_t l = 0; l < kWarpSize; ++l) {
      bit[l] = std::uint32_t{1} << l;
      wide_bit[l] = std::uint64_t{1} << l;
      word_steps[l] = 4 * l;
    }
  }

  alignas(32) std::array<std::uint32_t, kWarpSize> bit{};
  alignas(32) std::array<std::uint64_t, kWarpSize> wide_bit{};
  alignas(32) std::array<std::uint32_t, kWarpSize> word_steps{};
  std::array<std::uint32_t, 8> byte_order{0, 4, 1, 5, 2, 6, 3, 7};  // of packed comparisons
  std::array<std::uint32_t, 8> nan = all<std::uint32_t, 8>(0x7fffffff);
  std::array<std::uint32_t, 8> magnitude = all<std::uint32_t, 8>(0x7fffffff);
  std::array<std::uint32_t, 8> sign = all<std::uint32_t, 8>(0x80000000);
  std::array<std::uint32_t, 8> one = all<std::uint32_t, 8>(0x3f800000);
  std::array<std::uint32_t, 8> least_normal = all<std::uint32_t, 8>(0x00800000);
  std::array<std::uint64_t, 4> wide_sign = all<std::uint64_t, 4>(std::uint64_t{1} << 63);
  std::array<std::uint64_t, 4> wide_one = all<std::uint64_t, 4>(0x3ff0000000000000);
};

// What compiled code needs of a SIMT stack to change it.
struct CompiledStack {
  static SimtStack::Entry** top(SimtStack& stack) { return &stack.top_; }
  // The last top entry above which two more fit.
  static const SimtStack::Entry* last(const SimtStack& stack) {
    return stack.bottom_ + std::max(SimtStack::kFirstEntries, stack.more_.size()) - 3;
  }
};

struct LaneContext {
  static constexpr int kAddresses = 32;

  void set_warp(Warp& w) {
    Machine& m = *w.machine;
    stack_top = CompiledStack::top(w.stack);
    registers = w.bases[0];
    constants = w.bases[1];
    predicates = w.predicates;
    shared = w.cta->shared.data();
    shared_bytes = m.plain_shared_bytes;
    parameters = m.launch.parameters.data();
    allocations = m.ranges.data();
    room = m.claims && m.claims->runs_ahead() ? &m.claims->stores()->room() : nullptr;
  }

  std::uint8_t* registers = nullptr;
  const std::uint8_t* constants = nullptr;  // of the kernel
  std::uint32_t* predicates = nullptr;
  std::int64_t left = 0;  // instructions until a branch ends the time slice
  std::uint64_t threads = 0;
  std::uint32_t active = 0;
  Pc reconvergence = kNoPc;  // of the active lanes
  SimtStack::Entry** stack_top = nullptr;
  const SimtStack::Entry* stack_last = nullptr;
  const std::uint8_t* const* starts = nullptr;  // CompiledKernel::starts_
  std::uint8_t* shared = nullptr;
  const std::uint8_t* parameters = nullptr;
  std::uint64_t shared_bytes = 0;
  const AccessRange* allocations = nullptr;
  AheadStores::Room* room = nullptr;  // of a CTA that runs ahead
  // All ones for active lanes, and for the lanes that execute a guarded instruction.
  alignas(32) std::array<std::uint32_t, kWarpSize> active_lanes{}, guarded_lanes{};
  std::array<LaneAddresses, kAddresses> addresses;
  alignas(32) std::array<std::uint32_t, kWarpSize> loaded{};  // elements that become vectors
  LaneConstants fixed;
};

}  // namespace heddle::exec
