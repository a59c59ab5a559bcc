// The parts of a compiled load or store: its addresses, then what is moved.
#pragma once

#include "exec/compiled/lane_code.h"

namespace heddle::exec {

// Groups of eight lanes.
inline constexpr int kLaneGroups = 4;

struct LaneAccess {
  bool in_shared = false;
  int bytes = 4, elements = 1;  // of one element
  int offset = 0;               // added to the base register
  std::size_t addresses = 0;    // in the context
  bool is_load = false;
  // Accesses behind it in the block have the same base, and need its addresses.
  bool is_needed_later = false;
  int total() const { return bytes * elements; }
};

// Where the relative addresses of the lanes of a group are in the context.
inline std::size_t relative_addresses(const LaneAccess& a, int group) {
  return a.addresses + offsetof(LaneAddresses, relative) + static_cast<std::size_t>(32 * group);
}

// The addresses of the instruction, computed unless an earlier one had the same base. Goes on when
// all are inside the memory and aligned; rax is then where the relative address 0 is, without
// LaneAccess::offset. Sets `addresses` and `is_needed_later`.
void resolve_addresses(LaneCode& c, const RowSource& base, LaneAccess& a, Xbyak::Label& interpret);
// The access that can be compiled, without its addresses; bytes is 0 when it cannot.
LaneAccess access_of(const DecodedInstruction& r);
// The routine that describes the addresses of accesses to the context.
void emit_address_description(LaneCode& c);
// The v-th element of each lane.
void load_element(LaneCode& c, const DecodedInstruction& r, const LaneAccess& a, std::size_t v);
// All elements, in memory or, of a CTA that runs ahead, in its AheadStores.
void store_elements(LaneCode& c, const DecodedInstruction& r, const LaneAccess& a,
                    Xbyak::Label& interpret);

}  // namespace heddle::exec
