// Stores, and the records of those of CTAs that run ahead. Groups of eight lanes that write
// adjacent words write a vector at a time.
#include <algorithm>

#include "exec/compiled/access.h"

namespace heddle::exec {
namespace {

using Xbyak::Label;
using Xbyak::Reg64;
using Xbyak::Ymm;

// Goes on when groups of eight lanes have the addresses of adjacent words.
void unless_adjacent(LaneCode& c, const LaneAccess& a, Label& otherwise) {
  static_assert(kAdjacentInGroups == kAdjacent + 1);
  c.mov(c.ebp, c.at(a.addresses + offsetof(LaneAddresses, pattern)));
  c.sub(c.ebp, kAdjacent);
  c.cmp(c.ebp, 1);
  c.ja(otherwise);
}

void load_lane_mask(LaneCode& c, const Xbyak::Reg32& to) {
  if (c.all_lanes())
    c.mov(to, 0xffffffff);
  else
    c.mov(to, c.lane_mask());
}

// Copies the lane's value to memory, through a register.
void copy_value(LaneCode& c, const RowSource& data, const Reg64& lane, const Reg64& through,
                const Xbyak::RegExp& to, int bytes) {
  const Reg64 rows = data.base ? c.constants : c.registers;
  const int row = static_cast<int>(data.offset);
  if (data.bytes == 8)
    c.mov(through, c.ptr[rows + lane * 8 + row]);
  else
    c.mov(through.cvt32(), c.ptr[rows + lane * 4 + row]);
  switch (bytes) {
    case 1: c.mov(c.ptr[to], through.cvt8()); break;
    case 2: c.mov(c.ptr[to], through.cvt16()); break;
    case 4: c.mov(c.ptr[to], through.cvt32()); break;
    default: c.mov(c.ptr[to], through); break;
  }
}

// One lane after the other, as the interpreter stores them.
void store_lanes_in_order(LaneCode& c, const LaneAccess& a, const RowSource& data,
                          int displacement) {
  Label next;
  const int addresses = static_cast<int>(a.addresses + offsetof(LaneAddresses, relative));
  c.write_back(data);
  load_lane_mask(c, c.r15d);
  c.L(next);
  c.tzcnt(c.r14d, c.r15d);
  c.movsxd(c.rbp, c.dword[c.context + c.r14 * 4 + addresses]);
  copy_value(c, data, c.r14, c.r13, c.rax + c.rbp + displacement, a.bytes);
  c.blsr(c.r15d, c.r15d);
  c.jnz(next);
}

void store_element(LaneCode& c, const LaneAccess& a, const RowSource& data, int displacement) {
  Label done, scattered;
  const bool vectors = c.all_lanes() && a.bytes == 4 && a.elements == 1 && data.bytes == 4;
  if (vectors) {
    unless_adjacent(c, a, scattered);
    for (int i = 0; i < kLaneGroups; ++i) {
      c.movsxd(c.rbp, c.dword[c.context + static_cast<int>(relative_addresses(a, i))]);
      c.vmovdqu(c.ptr[c.rax + c.rbp + displacement], c.value(data, i, 0));
    }
    c.jmp(done);
    c.L(scattered);
  }
  store_lanes_in_order(c, a, data, displacement);
  c.L(done);
}

// Begins to record stores (AheadStores): r15 is the place of the next, r14 what the relative
// addresses are relative to.
void begin_record(LaneCode& c, const LaneAccess& a, Label& interpret) {
  const int room = offsetof(LaneContext, room);
  c.mov(c.r14, c.at(room));
  c.mov(c.r15, c.ptr[c.r14 + static_cast<int>(offsetof(AheadStores::Room, next))]);
  c.cmp(c.r15, c.ptr[c.r14 + static_cast<int>(offsetof(AheadStores::Room, end))]);
  c.jae(interpret);
  c.mov(c.r14, c.at(a.addresses + offsetof(LaneAddresses, first)));
}

// The head of a store of `bytes` bytes at the relative address rbp; destroys rax and rbp.
void record_head(LaneCode& c, const LaneAccess& a, int bytes) {
  c.lea(c.rbp, c.ptr[c.r14 + c.rbp + a.offset]);
  c.mov(c.rax, static_cast<std::uint64_t>(bytes) << AheadStores::kSizeShift);
  c.or_(c.rax, c.rbp);
  c.mov(c.ptr[c.r15], c.rax);
}

// Records what each lane stores, one after the other.
void record_lanes(LaneCode& c, const DecodedInstruction& r, const LaneAccess& a) {
  Label next;
  constexpr int kWord = AheadStores::kWord;
  const int addresses = static_cast<int>(a.addresses + offsetof(LaneAddresses, relative));
  for (int v = 0; v < a.elements; ++v) c.write_back(r.src[static_cast<std::size_t>(v) + 1]);
  load_lane_mask(c, c.r13d);
  c.L(next);
  c.tzcnt(c.ebp, c.r13d);
  c.movsxd(c.rbp, c.dword[c.context + c.rbp * 4 + addresses]);
  record_head(c, a, a.total());
  c.tzcnt(c.ebp, c.r13d);
  for (int v = 0; v < a.elements; ++v)
    copy_value(c, r.src[static_cast<std::size_t>(v) + 1], c.rbp, c.rax,
               c.r15 + (kWord + v * a.bytes), a.bytes);
  c.add(c.r15, kWord + std::max(kWord, a.total()));
  c.blsr(c.r13d, c.r13d);
  c.jnz(next);
}

// Records the stores of a CTA that runs ahead.
void record(LaneCode& c, const DecodedInstruction& r, const LaneAccess& a, Label& interpret) {
  Label done, scattered;
  begin_record(c, a, interpret);
  if (c.all_lanes() && a.total() == 4 && r.src[1].bytes == 4) {
    unless_adjacent(c, a, scattered);
    for (int i = 0; i < kLaneGroups; ++i) {
      c.movsxd(c.rbp, c.dword[c.context + static_cast<int>(relative_addresses(a, i))]);
      record_head(c, a, 32);
      c.vmovdqu(c.ptr[c.r15 + static_cast<int>(AheadStores::kWord)], c.value(r.src[1], i, 0));
      c.add(c.r15, 32 + static_cast<int>(AheadStores::kWord));
    }
    c.jmp(done);
    c.L(scattered);
  }
  record_lanes(c, r, a);
  c.L(done);
  c.mov(c.r14, c.at(offsetof(LaneContext, room)));
  c.mov(c.ptr[c.r14 + static_cast<int>(offsetof(AheadStores::Room, next))], c.r15);
}

}  // namespace

void store_elements(LaneCode& c, const DecodedInstruction& r, const LaneAccess& a,
                    Label& interpret) {
  Label at_once, done;
  if (!a.in_shared) {
    c.mov(c.rbp, c.at(offsetof(LaneContext, room)));
    c.test(c.rbp, c.rbp);
    c.jz(at_once);
    record(c, r, a, interpret);
    c.jmp(done);
  }
  c.L(at_once);
  for (int v = 0; v < a.elements; ++v)
    store_element(c, a, r.src[static_cast<std::size_t>(v) + 1], a.offset + v * a.bytes);
  c.L(done);
}

}  // namespace heddle::exec
