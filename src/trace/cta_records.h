// The executed instructions of a CTA in a compact form, compressed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"

namespace heddle::trace {

// An instruction that a warp has executed.
struct Executed {
  std::uint32_t number = 0;  // of the instruction (code_table.h)
  LaneMask lanes;
  // BAR: with this instruction the last of the warp's lanes arrive.
  bool arrives = false;
  bool has_addresses = false;
  // Of the addresses, where the instruction names none: global, shared or local.
  isa::Space space = isa::Space::global;
  std::array<std::uint64_t, kWarpSize> addresses{};  // of `lanes`
};

class CtaWriter {
 public:
  void begin_warp();
  void add(const Executed& executed);
  // Of the instruction that was added last, in its warp.
  std::size_t position() const { return flags_at_; }
  // Of an instruction of the last warp.
  void set_arrives(std::size_t position);
  // All warps since the last call.
  std::vector<std::uint8_t> take();

 private:
  void put(std::uint64_t value);

  std::vector<std::vector<std::uint8_t>> warps_;
  std::size_t flags_at_ = 0;
  Executed last_;
};

// Reads what CtaWriter has written; this process has written it.
class CtaReader {
 public:
  explicit CtaReader(std::span<const std::uint8_t> stored);
  std::size_t warps() const { return begins_.size() - 1; }

  class Warp {
   public:
    Warp() = default;
    Warp(const std::uint8_t* at, const std::uint8_t* end) : at_(at), end_(end) {}
    // The next instruction; false at the end. Keeps what does not change.
    bool next(Executed& executed);

   private:
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
  };
  // Valid while the reader exists.
  Warp warp(std::size_t i) const {
    return {bytes_.data() + begins_[i], bytes_.data() + begins_[i + 1]};
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::size_t> begins_;  // of the warps, and the end
};

}  // namespace heddle::trace
